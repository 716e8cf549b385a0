/** Who answered a question of a graph, what was asked and why it was answered so are in the commit of the step, and in blame. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import type { Repository } from '../../src/repository/index.ts'
import { allStores, openNew } from '../repo/support/open-stores.ts'

const state = { amount: 0, approved: false, receipt: '' }

function refunds(repo: Repository, pauses: { interruptBefore?: ['pay'] } = {}) {
  return new StateGraph({ state })
    .addNode('ask', async (s, { interrupt }) => ({ approved: (await interrupt(`Refund ${s.amount}?`)) === true }))
    .addNode('pay', s => ({ receipt: `paid ${s.amount}` }))
    .addEdge(START, 'ask')
    .addConditionalEdges('ask', s => (s.approved ? 'pay' : END), ['pay', END])
    .compile({ repo, name: 'refunds', ...pauses })
}

describe.each(allStores)('an answer, on $name', store => {
  it('is in the commit and in blame, with the question, who gave it and why', async () => {
    const repo = await openNew(store)
    const thread = refunds(repo).thread('t')
    await thread.run({ amount: 900 })
    await thread.resume({ value: true, by: 'person/ann', reason: 'Under the limit' })
    const answers = [{ node: 'ask', question: 'Refund 900?', value: true, by: 'person/ann', reason: 'Under the limit' }]
    const branch = repo.on(thread.branchName)
    expect(await branch.blame('/approved')).toMatchObject({ answers, draft: { node: 'ask' } })
    expect((await branch.log()).map(commit => commit.answers)).toEqual([undefined, answers, undefined])
  })

  it('is that of the agent of the handle, where it names no other', async () => {
    const repo = await openNew(store)
    const thread = refunds(repo.as('person/ben')).thread('t')
    await thread.run({ amount: 900 })
    await thread.resume({ value: false })
    const [last] = await repo.on(thread.branchName).log()
    expect(last?.answers).toEqual([{ node: 'ask', question: 'Refund 900?', value: false, by: 'person/ben' }])
  })

  it('stays that of its giver when another run lands the step', async () => {
    const repo = await openNew(store)
    let isDown = true
    const app = (by: string) =>
      new StateGraph({ state })
        .addNode('ask', async (s, { interrupt }) => {
          const approved = await interrupt<boolean>(`Refund ${s.amount}?`)
          if (isDown) throw new Error('The bank is down')
          return { approved }
        })
        .compile({ repo: repo.as(by), name: 'refunds' })
    await app('agent/desk').thread('t').run({ amount: 5 })
    expect(await app('person/ann').thread('t').resume({ value: true })).toMatchObject({ status: 'failed' })
    isDown = false
    const thread = app('agent/night').thread('t')
    await thread.resume()
    const blame = await repo.on(thread.branchName).blame('/approved')
    expect([blame.agent, blame.answers?.[0]?.by]).toEqual(['agent/night', 'person/ann'])
  })

  it('to a pause before a node is in the commit of that node', async () => {
    const repo = await openNew(store)
    const thread = refunds(repo.as('person/ann'), { interruptBefore: ['pay'] }).thread('t')
    await thread.run({ amount: 7 })
    await thread.resume({ value: true })
    await thread.resume()
    const { answers } = await repo.on(thread.branchName).blame('/receipt')
    expect(answers).toEqual([{ node: 'pay', question: { when: 'before', node: 'pay' }, value: true, by: 'person/ann' }])
  })

  it('is kept where all steps of a run land as one', async () => {
    const repo = await openNew(store)
    const thread = refunds(repo).thread('t')
    await thread.run({ amount: 7 })
    await thread.resume({ value: true, by: 'person/ann' }, { durability: 'exit' })
    const { answers } = await repo.on(thread.branchName).blame('/receipt')
    expect(answers).toMatchObject([{ question: 'Refund 7?', by: 'person/ann' }])
  })
})

describe('answers of those who have proved who they are', () => {
  async function withKeys() {
    const repo = await openNew(allStores[0]!)
    const join = async (id: string, grant: Parameters<ReturnType<typeof access>['grant']>[1]) => {
      const { key } = await access(repo).addPrincipal(id, 'human')
      await access(repo).grant(id, grant)
      return access(repo).authenticate(key)
    }
    return { repo, join }
  }

  it('cannot be given in the name of another', async () => {
    const { join } = await withKeys()
    const ann = await join('person/ann', { capabilities: ['read', 'commit', 'branch'] })
    const thread = refunds(ann).thread('t')
    await thread.run({ amount: 900 })
    await expect(thread.resume({ value: true, by: 'person/ben' })).rejects.toMatchObject({ code: 'identity-claimed' })
    await thread.resume({ value: true })
    expect((await ann.on(thread.branchName).blame('/approved')).answers).toMatchObject([{ by: 'person/ann' }])
  })

  it('show question and value to those who may read the whole state', async () => {
    const { repo, join } = await withKeys()
    const thread = refunds(repo).thread('t')
    await thread.run({ amount: 900 })
    await thread.resume({ value: true, by: 'person/ann', reason: 'Fine' })
    const limited = await join('person/eve', { capabilities: ['read'], paths: ['/approved'] })
    const { answers } = await limited.on(thread.branchName).blame('/approved')
    expect(answers).toEqual([{ node: 'ask', by: 'person/ann', reason: 'Fine' }])
  })
})

it.each([
  [{ value: true, by: ' ' }, 'by'],
  [{ value: true, reason: '' }, 'reason'],
])('an answer with an empty text is refused, and the thread waits on: %j', async (answer, field) => {
  const thread = refunds(await openNew(allStores[0]!)).thread('t')
  await thread.run({ amount: 1 })
  await expect(thread.resume(answer)).rejects.toMatchObject({ code: 'option-invalid', data: { field } })
  expect((await thread.state()).status).toBe('paused')
})
