/**
 * A process that runs or resumes a graph until it is killed, and tells of every effect before and after it is kept.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the repository is open, and begins when a line comes
 * in. Each node writes its name and number to standard output when its effect happens; at the end it says "done".
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Send, StateGraph } from '../../dist/graph/index.js'
import { open } from '../../dist/repository/index.js'

const { file, rounds, width } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)
const repo = await open(file)

/** An effect with a result that is kept: told when it happens, so that a second time would be seen. */
async function work(ctx, label) {
  const kept = await ctx.once('effect', () => {
    say({ effect: label })
    return label
  })
  await setImmediate()
  say({ kept })
  return kept
}

const thread = new StateGraph({
  state: { round: 0, done: [], log: [] },
  reducers: { done: 'append', log: 'append', round: 'sum' },
})
  .addNode('plan', async (s, ctx) => ({ log: [await work(ctx, `plan ${s.round}`)] }))
  .addNode('one', async (s, ctx) => ({ done: [await work(ctx, `one ${s.round}.${s.item}`)] }))
  .addNode('gather', async (s, ctx) => ({ round: 1, log: [await work(ctx, `gather ${s.round}`)] }))
  .addConditionalEdges('plan', () => Array.from({ length: width }, (_, item) => new Send('one', { item })), ['one'])
  .addEdge('one', 'gather')
  .addConditionalEdges('gather', s => (s.round < rounds ? 'plan' : '__end__'), ['plan', '__end__'])
  .addEdge('__start__', 'plan')
  .compile({ repo, name: 'steps' })
  .thread('killed')

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()
const isThere = await thread.state().then(
  () => true,
  () => false,
)
const end = await (isThere ? thread.resume() : thread.run({}))
say({ status: end.status, state: end.state })
await repo.close()
