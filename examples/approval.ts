/**
 * A refund that waits for a person, across a restart. Effects before the question are not repeated, a "no" is an ordinary
 * answer, and a case can be decided again from the point of the question.
 */

import assert from 'node:assert/strict'
import { open, type Repository } from 'agentstategraph'
import { Command, END, START, StateGraph } from 'agentstategraph/graph'
import * as z from 'zod'
import { temporaryFile } from './temporary-file.ts'

const done: string[] = []

function effect(what: string): string {
  done.push(what)
  return what
}

function refunds(repo: Repository) {
  return new StateGraph({ state: { amount: 0, approved: false, receipt: '' } })
    .addNode('ask', async (s, { once, interrupt }) => {
      await once('mail', () => effect(`mail about ${s.amount}`))
      return { approved: await interrupt({ question: `Refund ${s.amount}?` }, z.boolean()) }
    })
    .addNode('pay', async (s, { once }) => ({ receipt: await once('charge', () => effect(`paid ${s.amount}`)) }))
    .addNode('decline', () => new Command({ goto: END, update: { receipt: 'declined' } }))
    .addEdge(START, 'ask')
    .addConditionalEdges('ask', s => (s.approved ? 'pay' : 'decline'), ['pay', 'decline'])
    .compile({ repo, name: 'refunds' })
}

await using file = await temporaryFile()

// The first process asks, and ends.
{
  await using repo = await open(file.path)
  const now = await refunds(repo).thread('case-17').run({ amount: 900 })
  assert.equal(now.status, 'paused')
}

// Another one, the next day: it knows who waits for what.
await using repo = await open(file.path)
const app = refunds(repo)
assert.deepEqual(await app.threads({ status: 'paused' }), [{ id: 'case-17', status: 'paused' }])
const thread = app.thread('case-17')
const waiting = await thread.state()
assert.equal(waiting.status, 'paused')
console.log(waiting.interrupts[0].payload)

await assert.rejects(thread.resume({ value: 'maybe' }), { code: 'answer-invalid' })
const declined = await thread.resume({ value: false })
assert.equal(declined.status, 'done')
assert.equal(declined.output.receipt, 'declined')
assert.deepEqual(done, ['mail about 900'])

// A second attempt with a smaller amount, from the beginning of the case. The first decision stays in history.
const asked = (await thread.history()).at(-1)
assert(asked !== undefined)
const again = await thread.fork('case-17-again', { from: asked.commit })
await again.update({ amount: 90 })
await again.resume()
const paid = await again.resume({ value: true })
assert.equal(paid.status, 'done')
assert.equal((await thread.state()).state.receipt, 'declined')
assert.deepEqual(done, ['mail about 900', 'mail about 90', 'paid 90'])
console.log(`${declined.output.receipt}, then ${paid.output.receipt}`)
