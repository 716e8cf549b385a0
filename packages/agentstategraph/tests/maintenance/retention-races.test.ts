/**
 * Retention beside others: whatever leads to an old state either keeps it, or is refused because it is gone.
 *
 * Two repositories are open on one store. One has an old state in its cache; the other trims at the worst moment.
 */
import { describe, expect, it } from 'vitest'
import { gc, setRetention, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import type { Backend } from '../../src/store/index.ts'
import { interrupted, type Meanwhile } from './support/interrupted.ts'
import { stores } from './support/stores.ts'

const all = { keepNewerMs: -1 }
const long = (label: string): string => `${label} `.repeat(300)

/** A store with an old commit that `ours` has read, and a branch on it that was merged and deleted. */
interface Scene {
  readonly ours: Repository
  readonly theirs: Repository
  readonly id: string
  /** An old commit of another branch. */
  readonly aside: string
  readonly oursBackend: Meanwhile
  readonly theirsBackend: Meanwhile
}

async function sceneOn(backend: Backend): Promise<Scene> {
  const [oursBackend, theirsBackend] = [interrupted(backend), interrupted(backend)]
  const ours = await open(oursBackend, { agent: 'agent/ours' })
  const theirs = await open(theirsBackend, { agent: 'agent/theirs' })
  await theirs.set('/', { text: long('begin'), list: [long('one')] }, 'Begin')
  const side = await theirs.branch('side')
  const { id } = await side.set('/text', long('old'), 'Old')
  await theirs.merge('side', { description: 'Merge', fastForward: true })
  await theirs.commit('New', tx => tx.set('/text', long('new')).set('/list', []))
  await theirs.set('/n', 1, 'Newest')
  const other = await theirs.branch('other')
  const { id: aside } = await other.set('/aside', { a: long('aside') }, 'Aside')
  await other.set('/aside', 0, 'Not any more')
  await setRetention(theirs, { count: 1 })
  await ours.deleteBranch('side')
  expect(await ours.at(id).get('/')).toEqual({ text: long('old'), list: [long('one')] })
  expect(await ours.at(aside).get('/aside')).toEqual({ a: long('aside') })
  return { ours, theirs, id, aside, oursBackend, theirsBackend }
}

const ways: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'a branch': ({ ours, id }) => ours.branch('back', { from: id }),
  'a tag': ({ ours, id }) => ours.tag('back', { from: id }),
  'undoing a deletion': ({ ours }) => ours.undo(),
  'a rollback': ({ ours, id }) => ours.rollback(id, 'Back'),
  'a revert': async ({ ours }) => ours.revert((await ours.log())[1]!.id, 'Revert'),
  'a cherry-pick': ({ ours, aside }) => ours.cherryPick(aside, 'Pick'),
  'a merge': ({ ours, aside }) => ours.merge(aside, 'Merge'),
}

/** Ways that write what they take over as new. */
const copying = new Set(['a rollback', 'a revert', 'a cherry-pick'])

/** Expects that a way is refused and moves no ref, or copies what it needs from the cache. */
async function expectSafe(scene: Scene, name: string): Promise<void> {
  const refs = (): Promise<unknown> => scene.theirs.handle.journal.log.refs('branch/')
  const before = await refs()
  const refusal = await ways[name]!(scene).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refusal === undefined && copying.has(name)) return
  expect(refusal).toMatchObject({ code: 'state-trimmed' })
  expect(await refs()).toEqual(before)
}

/** Fails unless every ref can be read by somebody who has nothing cached. */
async function checkWhole(backend: Backend): Promise<void> {
  const fresh = await open(backend)
  for (const { id } of [...(await fresh.branches()), ...(await fresh.tags())]) {
    await fresh.at(id!).get('/')
    await fresh.at(id!).blameTree('/')
    await fresh.at(id!).log()
  }
  expect((await verify(fresh)).damage).toEqual([])
}

describe.each(stores)('in %s', (_, make) => {
  it.each(Object.keys(ways))('%s leads to no node that was trimmed', async name => {
    await using backend = make()
    const scene = await sceneOn(backend)
    expect((await gc(scene.theirs, all)).trimmed).toBeGreaterThan(0)
    await expectSafe(scene, name)
    await checkWhole(backend)
  })

  it.each(Object.keys(ways))('%s leads to no node that is trimmed right before it', async name => {
    await using backend = make()
    const scene = await sceneOn(backend)
    scene.oursBackend.before('append', async () => {
      expect((await gc(scene.theirs, all)).trimmed).toBeGreaterThan(0)
    })
    await expectSafe(scene, name)
    await checkWhole(backend)
  })

  it.each(Object.entries(ways))('%s between the last look at the refs and the trim keeps it', async (_name, way) => {
    await using backend = make()
    const scene = await sceneOn(backend)
    scene.theirsBackend.before('append', () => way(scene))
    await gc(scene.theirs, all)
    await checkWhole(backend)
  })

  it('two that trim at once, and one that sets other rules meanwhile, leave every head as it was', async () => {
    await using backend = make()
    const { ours, theirs, theirsBackend } = await sceneOn(backend)
    theirsBackend.before('append', async () => {
      await gc(ours, all)
    })
    expect((await gc(theirs, all)).trimmed).toBe(0)
    await theirs.set('/text', long('newer'), 'Newer')
    await theirs.set('/text', long('newest'), 'Newest')
    theirsBackend.before('append', () => setRetention(ours, { count: 9 }))
    expect((await gc(theirs, all)).trimmed).toBe(0)
    await checkWhole(backend)
  })
})
