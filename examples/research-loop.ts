/**
 * Research until the draft is good enough: a loop with a typed state, a node with retries, a cached node, and a drawing of
 * the graph. Every step is a commit, so each line of the draft has an author.
 */

import assert from 'node:assert/strict'
import { open } from 'agentstategraph'
import { END, StateGraph } from 'agentstategraph/graph'
import * as z from 'zod'
import { temporaryFile } from './temporary-file.ts'

const ResearchState = z.object({
  prompt: z.string(),
  notes: z.array(z.string()).default([]),
  draft: z.string().default(''),
  confidence: z.number().default(0),
})

let searches = 0

/** Fails the first time, as networks do. */
async function search(prompt: string, known: number): Promise<string> {
  if (++searches === 1) throw new Error('The network is down')
  return `fact ${known} on ${prompt}`
}

const research = new StateGraph({ state: ResearchState, reducers: { notes: 'append' } })
  .addNode('plan', async s => ({ notes: [`Plan: ${s.prompt}`] }))
  .addNode('research', async s => ({ notes: [await search(s.prompt, s.notes.length)] }), {
    retry: { maxAttempts: 3, backoff: 'exponential', initialMs: 1 },
    cache: { ttlMs: 3_600_000 },
  })
  .addNode('write', s => ({ draft: s.notes.join('\n') }))
  .addNode('review', s => ({ confidence: s.draft.length > 80 ? 0.9 : 0.4 }))
  .addEdge('plan', 'research')
  .addEdge('research', 'write')
  .addEdge('write', 'review')
  .addConditionalEdges('review', s => (s.confidence >= 0.85 ? END : 'research'))

await using file = await temporaryFile()
await using repo = await open(file.path)
const app = research.compile({ repo, name: 'research' })

const brief = app.thread('launch-brief')
const now = await brief.run({ prompt: 'Write a launch brief.' })
assert.equal(now.status, 'done')
assert.equal(now.state.notes.length, 3)

const who = await repo.on(brief.branchName).blame('/notes/1')
assert.deepEqual(who.draft, { label: 'research (attempt 2)', node: 'research', attempt: 2 })

// The same question again: what was found before is not searched for again.
const before = searches
const visited: string[] = []
for await (const event of app.run({ prompt: 'Write a launch brief.' })) {
  visited.push(event.cached ? `${event.node} (from the cache)` : event.node)
}
assert.equal(searches, before)

console.log(now.state.draft)
console.log(visited.join(' → '))
console.log(app.getMermaid())
