/** What graphs and memories keep of protected places is stored sealed, in whichever of their records it stands. */
import { afterEach, expect, it } from 'vitest'
import { END, Send, START, StateGraph } from '../../src/graph/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import type { Repository } from '../../src/repository/index.ts'
import { EncryptedValue, epochs, erase, openBundle } from '../../src/trust/index.ts'
import { linesOf } from './support/bundle-lines.ts'
import { isInFiles, newFolder, openProtected } from './support/protected-store.ts'

const secret = 'xq7-secret'
const folder = newFolder()
let repo: Repository

afterEach(() => repo.close())

/** Whether anything readable of the secret is in the store, or in a bundle of all that happened. */
async function isKept(id: string): Promise<boolean> {
  await epochs(repo).seal(id, 'Done')
  const lines = await linesOf(repo, id)
  const { verdict } = await openBundle(lines)
  expect(verdict.ok).toBe(true)
  return isInFiles(folder, secret) || lines.some(line => line.includes(secret))
}

interface State {
  readonly users: Record<string, { readonly profile?: unknown }>
  readonly seen: number
}

const joined = (a: State['users'], b: State['users']): State['users'] => ({ ...a, ...b })

/** Every way in which a graph keeps a value: a step, a task, a group, a cached one, a sent part, a node that waits. */
function graphOn(on: Repository) {
  const state: State = { users: {}, seen: 0 }
  const profileOf = (name: string, text: string) => ({ users: { [name]: { profile: { text } } } })
  return new StateGraph({ state, reducers: { users: joined, seen: 'sum' } })
    .addNode('first', () => profileOf('ann', secret))
    .addNode('left', () => profileOf('bob', `${secret} left`), { retry: { maxAttempts: 2 } })
    .addNode('right', () => profileOf('cem', secret.repeat(9000)), { cache: {} })
    .addNode('sent', s => ({ ...profileOf('dan', secret), seen: Object.keys(s.users).length }))
    .addNode('ask', async (_s, ctx) => {
      const kept = await ctx.once('mail', () => 'sent')
      return (await ctx.interrupt(`${kept}?`)) === true ? profileOf('eve', secret) : {}
    })
    .addEdge(START, 'first')
    .addEdge('first', 'left')
    .addEdge('first', 'right')
    .addConditionalEdges('first', s => [new Send('sent', { users: s.users })], ['sent'])
    .addEdge(['left', 'right', 'sent'], 'ask')
    .addEdge('ask', END)
    .compile({ repo: on, name: 'profiles' })
}

it('a graph: in steps, tasks, groups, sent parts and paused threads', async () => {
  repo = await openProtected(folder)
  await epochs(repo).create('graph', 'All of it')
  const thread = graphOn(repo).thread('t1')
  await thread.run({ users: { zoe: { profile: secret } } })
  const paused = await thread.state()
  expect(paused.status).toBe('paused')
  await thread.resume({ value: true })
  const { users } = (await thread.state()).state
  expect(Object.keys(users).sort()).toEqual(['ann', 'bob', 'cem', 'dan', 'eve', 'zoe'])
  expect(users['ann']).toEqual({ profile: { text: secret } })
  expect(await isKept('graph')).toBe(false)
  expect((await verify(repo)).ok).toBe(true)
})

it('a memory: in checkpoints, and after an erasure nothing of it can be read', async () => {
  repo = await openProtected(folder)
  await epochs(repo).create('memory', 'All of it')
  const keeper = agent('users', { state: { ann: {} as { profile?: unknown }, n: 0 } })
  const learn = keeper.task('learn', (_: undefined, { state }) => {
    state.ann.profile = { text: secret, more: [secret] }
    state.n += 1
  })
  const forget = keeper.task('forget', (_: undefined, { state }) => state.ann.profile instanceof EncryptedValue)
  const memory = await Versioned.open(repo)
  await learn(undefined, { state: memory })
  await learn(undefined, { state: memory })
  await repo.set('/plain', `${secret.toUpperCase()} of nobody`, 'What is not protected is found')
  expect(isInFiles(folder, secret.toUpperCase())).toBe(true)
  await erase(repo, 'ann', 'Ann asked for it')
  expect(await forget(undefined, { state: await Versioned.open(repo) })).toBe(true)
  expect(await isKept('memory')).toBe(false)
})
