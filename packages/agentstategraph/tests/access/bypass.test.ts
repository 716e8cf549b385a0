/** Every way around that somebody thought of: each is refused with its code, and nothing is changed by it. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { exportRepository, importRepository } from '../../src/maintenance/index.ts'
import { commitEdit, setEdit } from '../../src/repo/index.ts'
import { open } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { type Attempt, grantOf, newScene, other, refsOf, work } from './support/bypass.ts'
import { actorAttempts } from './support/bypass-actors.ts'
import { authorityAttempts } from './support/bypass-authority.ts'
import { factAttempts } from './support/bypass-facts.ts'
import { limitAttempts } from './support/bypass-limits.ts'
import { pathAttempts } from './support/bypass-paths.ts'
import { type Question, questions } from './support/bypass-reads.ts'
import { requestAttempts } from './support/bypass-requests.ts'
import { revisionQuestions } from './support/bypass-revisions.ts'
import { routeAttempts } from './support/bypass-routes.ts'
import { limited, SECRET, told } from './support/limited-reader.ts'
import { codeOf } from './support/people.ts'

async function tried({ prepare, attempt, code }: Attempt, store?: string): Promise<void> {
  await using scene = await newScene(store)
  const prepared = await prepare?.(scene)
  const before = await refsOf(scene.repo)
  const state = await scene.repo.get('/')
  const given = await codeOf(() => attempt(scene, prepared as never))
  expect({ code: given, refs: await refsOf(scene.repo), state: await scene.repo.get('/') }).toEqual({
    code,
    refs: before,
    state,
  })
}

describe.each([
  ['paths', pathAttempts],
  ['routes', routeAttempts],
  ['authority', authorityAttempts],
  ['limits', limitAttempts],
  ['requests', requestAttempts],
  ['actors', actorAttempts],
  ['facts', factAttempts],
])('around the %s of a grant', (_, attempts) => {
  const named = attempts.map(one => [one.name, one] as const)
  it.each(named)('%s is refused', (_name, attempt) => tried(attempt))
  it.each(named)('%s is refused in a file', (_name, attempt) => tried(attempt, newFile()))
})

/** What the answer to a question tells of what is hidden: the secret, the id of a hidden commit, or the hash of a state. */
async function leaked({ prepare, ask }: Question, store?: string): Promise<readonly string[]> {
  const { repo, reader, hidden } = await limited(store)
  await using _ = repo
  const prepared = await prepare?.(repo)
  const answer = await told(() => ask(reader, prepared as never))
  const roots = (await repo.query({})).flatMap(({ root }) => root ?? [])
  const shown = new Set((await reader.query({})).map(({ id }) => id))
  const unseen = (await repo.query({}))
    .map(({ id }) => id.slice(0, 12))
    .filter(id => ![...shown].some(one => one.startsWith(id)))
  const named = [SECRET, hidden, 'secret-tag', ...roots, ...unseen, (await repo.on('open/one').head()).id]
  return named.filter(one => answer.includes(one))
}

describe('around what may be read', () => {
  const named = [...questions, ...revisionQuestions].map(one => [one.name, one] as const)
  it.each(named)('%s is not told', async (_name, one) => expect(await leaked(one)).toEqual([]))
  it.each(named)('%s is not told from a file', async (_name, one) => expect(await leaked(one, newFile())).toEqual([]))
})

it('what looks like climbing out is data inside', async () => {
  await using scene = await newScene()
  const secret = await scene.repo.get('/secret')
  await scene.mallory.set('/team/../secret/k', 'x', 'Dots are keys like others')
  await scene.mallory.set('/team/__proto__/polluted', 'x', 'So is this')
  expect(await scene.repo.get('/secret')).toEqual(secret)
  expect(await scene.repo.get(['team', '..', 'secret', 'k'])).toBe('x')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
})

it('an authority that a caller claims is not what the commit says', async () => {
  await using scene = await newScene()
  const claims: readonly object[] = [{ authority: ['g1'] }, { principal: 'human/boss' }, { session: 's1' }]
  for (const claim of claims) {
    const work = scene.mallory.set('/team/a', 9, { description: 'Claim', ...claim })
    await expect(work).rejects.toMatchObject({ code: 'option-unknown' })
  }
  // And where nothing refuses the names, they say nothing.
  const { handle } = scene.mallory
  const edit = setEdit(handle, '/team/a', 9)
  const why = { description: 'Claim', ...Object.assign({}, ...claims) }
  const written = await handle.journal.run(commitEdit(handle, edit, why))
  expect(written).toMatchObject({ principal: 'mallory', authority: [await grantOf(scene, 'mallory')] })
  expect(written).not.toHaveProperty('session')
})

it('a key of idempotency that somebody else used is a new one', async () => {
  await using scene = await newScene()
  const { repo, mallory } = scene
  const once = { description: 'Deploy', idempotencyKey: 'deploy-1' }
  const squatted = await mallory.set('/team/a', 'squatted', once)
  const deployed = await repo.set('/secret/k', 'deployed', once)
  const eve = await other(scene, 'eve', { capabilities: work, paths: ['/team'] })
  const hers = await eve.set('/team/b', 'hers', once)
  expect(await repo.get('/')).toMatchObject({ team: { a: 'squatted', b: 'hers' }, secret: { k: 'deployed' } })
  expect(new Set([squatted.id, deployed.id, hers.id]).size).toBe(3)
  expect(await mallory.set('/team/a', 'squatted', once)).toMatchObject({ id: squatted.id, changed: false })
  expect(await codeOf(() => mallory.set('/team/a', 'again', once))).toBe('idempotency-mismatch')
})

it('an import without the right is refused before its commits are read', async () => {
  await using scene = await newScene()
  const lines: string[] = []
  for await (const line of exportRepository(scene.repo)) lines.push(line)
  let read = 0
  const counted = function* (): Iterable<string> {
    for (const line of lines) {
      read++
      yield line
    }
  }
  expect(await codeOf(() => importRepository(scene.mallory, counted()))).toBe('access-denied')
  expect(read).toBe(1)
})

it('a revocation elsewhere holds for writes that would change nothing', async () => {
  const file = newFile()
  await using scene = await newScene(file)
  await using elsewhere = await open(file)
  await scene.mallory.set('/team/a', 9, 'Work')
  await access(elsewhere).revoke(await grantOf(scene, 'mallory'), 'Over')
  expect(await codeOf(() => scene.mallory.set('/team/a', 9, 'Nothing new'))).toBe('grant-revoked')
})

it('all of it was written down, by principal and code, and none of what was to be written', async () => {
  await using scene = await newScene()
  for (const attempt of pathAttempts.slice(0, 30)) await codeOf(() => attempt.attempt(scene, undefined as never))
  scene.clock.now += 60_000
  await scene.mallory.set('/team/a', 3, 'Work')
  const refusals = await access(scene.repo).refusals({ principal: 'mallory' })
  expect(refusals).toMatchObject([{ rule: 'access-denied', count: 28 }])
})
