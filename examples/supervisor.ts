/**
 * A supervisor that sends work to experts, which return to it. Each names the next node with a Command. The history of the
 * thread shows what each of them did.
 */

import assert from 'node:assert/strict'
import { open } from 'agentstategraph'
import { Command, END, START, StateGraph } from 'agentstategraph/graph'

type Expert = 'coder' | 'tester'

const team = new StateGraph({
  state: { request: '', code: '', verdict: '', log: [] as string[] },
  reducers: { log: 'append' },
})
  .addNode(
    'supervisor',
    s => {
      const next: Expert | undefined = s.code === '' ? 'coder' : s.verdict === 'passed' ? undefined : 'tester'
      return new Command({ goto: next ?? END, update: { log: [`supervisor → ${next ?? 'done'}`] } })
    },
    { goto: ['coder', 'tester'] },
  )
  .addNode(
    'coder',
    s => {
      const code = s.verdict === 'failed' ? `${s.request}, mended` : s.request
      return new Command({ goto: 'supervisor', update: { code, verdict: '', log: ['coder → supervisor'] } })
    },
    { goto: ['supervisor'] },
  )
  // When a test fails, the tester goes back to the coder without the supervisor.
  .addNode(
    'tester',
    s => {
      const isGood = s.code.endsWith('mended')
      const to = isGood ? 'supervisor' : 'coder'
      return new Command({
        goto: to,
        update: { verdict: isGood ? 'passed' : 'failed', log: [`tester → ${to}`] },
      })
    },
    { goto: ['supervisor', 'coder'] },
  )
  .addEdge(START, 'supervisor')

await using repo = await open()
const thread = team.compile({ repo, name: 'team' }).thread('feature-1')
const now = await thread.run({ request: 'a parser' })

assert.equal(now.status, 'done')
assert.deepEqual(now.state.log, [
  'supervisor → coder',
  'coder → supervisor',
  'supervisor → tester',
  'tester → coder',
  'coder → supervisor',
  'supervisor → tester',
  'tester → supervisor',
  'supervisor → done',
])
const { draft } = await repo.on(thread.branchName).blame('/code')
assert.deepEqual(draft, { label: 'coder', node: 'coder', attempt: 1 })
console.log(now.state.log.join('\n'))
