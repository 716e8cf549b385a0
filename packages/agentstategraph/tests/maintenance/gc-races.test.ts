/**
 * Garbage collection beside others: whatever points to a commit either keeps it, or is refused because it is gone.
 *
 * Two repositories are open on one store. One knows a commit from its cache; the other collects at the worst moment.
 */
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { exportRepository, gc, importRepository, pull, verify } from '../../src/maintenance/index.ts'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import type { Backend } from '../../src/store/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { interrupted, type Meanwhile } from './support/interrupted.ts'
import { stores } from './support/stores.ts'

const all = { keepNewerMs: -1 }

/** A store with a commit on `aside` that `ours` has read, and a clone of it. */
interface Scene {
  readonly ours: Repository
  readonly theirs: Repository
  readonly clone: Repository
  readonly id: string
  readonly oursBackend: Meanwhile
  readonly theirsBackend: Meanwhile
}

async function sceneOn(backend: Backend): Promise<Scene> {
  const [oursBackend, theirsBackend] = [interrupted(backend), interrupted(backend)]
  const ours = await open(oursBackend, { agent: 'agent/ours' })
  const theirs = await open(theirsBackend, { agent: 'agent/theirs' })
  await theirs.set('/a', 1, 'Kept')
  const aside = await theirs.branch('aside')
  const { id } = await aside.set('/b', 'x'.repeat(500), 'Aside')
  const clone = await open()
  await pull(clone, theirs)
  expect(await ours.at(id).get('/')).toEqual({ a: 1, b: 'x'.repeat(500) })
  return { ours, theirs, clone, id, oursBackend, theirsBackend }
}

/** A way of pointing to a commit. It may prepare something before the branch that leads to the commit is gone. */
type Way = (scene: Scene) => Promise<() => Promise<unknown>>

const ways: Readonly<Record<string, Way>> = {
  'a branch': async ({ ours, id }) => {
    return () => ours.branch('back', { from: id })
  },
  'a tag': async ({ ours, id }) => {
    return () => ours.tag('back', { from: id })
  },
  'undoing a deletion': async ({ ours }) => {
    await ours.deleteBranch('aside')
    return () => ours.undo()
  },
  'a merge': async ({ ours, id }) => {
    return () => ours.merge(id, 'Bring it back')
  },
  'a fast-forward': async ({ ours, id }) => {
    return () => ours.merge(id, { description: 'Bring it back', fastForward: true })
  },
  'a pull of what is here already': async ({ ours, clone }) => {
    await ours.deleteBranch('aside')
    return () => pull(ours, clone, { branches: ['aside'] })
  },
  'an import of what is here already': async ({ ours, clone }) => {
    await ours.deleteBranch('aside')
    const lines: string[] = []
    for await (const line of exportRepository(clone)) lines.push(line)
    return () => importRepository(ours, lines)
  },
}

/** Ways that need the branch, which goes while they are on their way. */
const onBranch: Readonly<Record<string, Way>> = {
  'a speculation': async ({ ours }) => {
    return () => ours.on('aside').speculate()
  },
  'a new name for the branch': async ({ ours }) => {
    return () => ours.renameBranch('aside', 'back')
  },
  'a commit on the branch': async ({ ours }) => {
    return () => ours.on('aside').set('/c', 1, 'On')
  },
  'an alternative': async ({ ours }) => {
    const speculation = await ours.on('aside').speculate()
    await speculation.set('/b', 2)
    return () => ours.set('/c', 1, { description: 'Not that', alternatives: [{ label: 'that', speculation }] })
  },
}

async function letGo({ theirs }: Scene): Promise<void> {
  if ((await theirs.branches()).some(({ name }) => name === 'aside')) await theirs.deleteBranch('aside')
  for (const { id } of await theirs.speculations()) await (await theirs.getSpeculation(id)).discard()
}

/** Fails unless every ref of the store can be read by somebody who has nothing cached. */
async function checkWhole(backend: Backend): Promise<void> {
  const fresh = await open(backend)
  for (const { id } of [...(await fresh.branches()), ...(await fresh.tags())]) {
    for (const commit of await fresh.at(id!).log()) await fresh.at(commit.id).get('/')
  }
  for (const { id } of await fresh.speculations()) await (await fresh.getSpeculation(id)).get('/')
  expect((await verify(fresh)).damage).toEqual([])
}

describe.each(stores)('in %s', (_, make) => {
  it.each(Object.entries(ways))('%s of a commit that was collected is refused and makes no ref', async (_name, way) => {
    await using backend = make()
    const scene = await sceneOn(backend)
    const point = await way(scene)
    await letGo(scene)
    await gc(scene.theirs, all)
    const before = await scene.theirs.handle.journal.log.refs('')
    const refusal = await point().then(
      () => undefined,
      (error: unknown) => error,
    )
    // A pull and an import find that it is gone, and bring it again.
    if (refusal === undefined) expect(_name).toMatch(/here already/)
    else {
      expect(refusal).toMatchObject({ code: 'pack-dropped', hint: expect.stringContaining('Garbage collection') })
      expect(await scene.theirs.handle.journal.log.refs('')).toEqual(before)
    }
    await checkWhole(backend)
  })

  it.each([...Object.entries(ways), ...Object.entries(onBranch)])(
    '%s is refused when the commit is collected right before it is written',
    async (_name, way) => {
      await using backend = make()
      const scene = await sceneOn(backend)
      const point = await way(scene)
      scene.oursBackend.before('append', async () => {
        await letGo(scene)
        expect((await gc(scene.theirs, all)).removed).toBeGreaterThan(0)
      })
      await expect(point()).rejects.toSatisfy(
        error => isStateError(error, 'pack-dropped') || isStateError(error, 'ref-not-found'),
      )
      expect((await scene.theirs.branches()).map(({ name }) => name)).toEqual(['main'])
      expect(await scene.theirs.tags()).toEqual([])
      await checkWhole(backend)
    },
  )

  it.each(Object.entries(ways))(
    '%s between the last look at the refs and the drop keeps the commit',
    async (_name, way) => {
      await using backend = make()
      const scene = await sceneOn(backend)
      const point = await way(scene)
      await letGo(scene)
      scene.theirsBackend.before('dropPacks', point)
      expect(await gc(scene.theirs, all)).toMatchObject({ removed: 0, freedBytes: 0 })
      await checkWhole(backend)
      expect(await (await open(backend)).at(scene.id).get('/b')).toBe('x'.repeat(500))
    },
  )
})

it('packs of which some are needed again meanwhile: those stay, and the rest goes', async () => {
  const backend = sqlite(newFile())
  const [first, second] = [interrupted(backend), await open(backend)]
  await using repo = await open(first)
  await repo.set('/a', 1, 'Kept')
  const aside = await repo.branch('aside')
  const ids: string[] = []
  for (let n = 0; n < 600; n++) ids.push((await aside.set('/n', n, 'Aside')).id)
  await repo.deleteBranch('aside')
  first.before('dropPacks', async () => second.tag('half', { from: ids[299]! }))
  const told: { readonly done: number; readonly total?: number }[] = []
  const report = await gc(repo, { ...all, onProgress: progress => told.push(progress) })
  expect(report).toMatchObject({ kept: 301, removed: 300 })
  // It never goes back, and ends where it said.
  expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).toSorted((a, b) => a - b))
  expect(told.every(({ done, total }) => done <= total!)).toBe(true)
  expect(told.at(-1)!.done).toBe(told.at(-1)!.total)
  await checkWhole(backend)
})

async function collectBesideWorkers(rounds: number): Promise<void> {
  const file = newFile()
  await open(file).then(async repo => {
    await repo.set('/a', 1, 'Kept')
    await repo.close()
  })
  const orders = ['gc', 'a', 'b'].map(name => ({ file, name, rounds }))
  const said = (await runWorkers('collect-worker.mjs', orders)).flat() as {
    name: string
    refs: Record<string, string>
  }[]
  await using repo = await open(file)
  const heads = new Map([...(await repo.branches()), ...(await repo.tags())].map(({ name, id }) => [name, id]))
  for (const { refs } of said) {
    for (const [name, id] of Object.entries(refs)) expect([name, heads.get(name)]).toEqual([name, id])
  }
  for (const [name, id] of heads)
    if (name !== 'main') expect([name, await repo.at(id!).get('/name')]).toEqual([name, name])
  expect((await verify(repo)).damage).toEqual([])
}

it('processes that make refs beside one that collects keep all that they were told', async () => {
  await collectBesideWorkers(40)
})

it.runIf(process.env['ASG_SOAK'] === '1')('the same, for long', async () => {
  await collectBesideWorkers(1000)
})
