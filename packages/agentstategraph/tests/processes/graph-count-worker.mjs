/**
 * A process that runs a counting graph on a thread that others run too.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the repository is open, and begins when a line comes
 * in. `whenBusy` says what it does while another has the thread.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { StateGraph } from '../../dist/graph/index.js'
import { open } from '../../dist/repository/index.js'

const { file, name, runs, whenBusy } = JSON.parse(process.argv[2])
const repo = (await open(file)).as(`agent/${name}`)
const thread = new StateGraph({
  state: { n: 0, notes: [], who: '', last: '' },
  reducers: { n: 'sum', notes: 'append' },
})
  .addNode('count', async () => ({ n: 1 }))
  .addNode('note', async s => ({ notes: [s.who] }))
  .addEdge('count', 'note')
  .compile({ repo, name: 'counting' })
  .thread('shared')

writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.pause()
for (let i = 0; i < runs; i++) await thread.run({ who: `${name}${i}` }, { whenBusy })
await repo.close()
