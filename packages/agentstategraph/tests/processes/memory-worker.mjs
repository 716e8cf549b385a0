/**
 * A process with an agent's memory in a file: it runs a task so many times and says what it remembers.
 *
 * It gets the file, what to add and how often in its only argument, as JSON. With `stop`, it ends by force in the middle of
 * its last task, after what it did so far is known to the task alone.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { agent, Versioned } from '../../dist/memory/index.js'

const { file, name, times, stop } = JSON.parse(process.argv[2])
const memory = await Versioned.open(file)
const team = agent('team', { state: { total: 0, seen: [], by: new Map() }, policies: { total: 'sum', seen: 'append' } })
const add = team.task('add', async (n, { state, emit }) => {
  state.total += 1
  state.seen.push(`${name}${n}`)
  emit({ kind: 'action', thinking: `${name}${n}` })
  if (stop === true && n === times - 1) process.kill(process.pid, 'SIGKILL')
})
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (let n = 0; n < times; n++) await add(n, { state: memory })
const { total, seen } = await memory.of(team)
writeSync(1, `${JSON.stringify({ total, seen })}\n`)
await memory.close()
