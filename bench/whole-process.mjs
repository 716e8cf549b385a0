/**
 * One whole state, in a process that has done nothing else: written into a new store, or read from one. It sends the CPU seconds
 * that the call took.
 */
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { makeState } from './state.mjs'

const [work, file] = process.argv.slice(2)
const state = makeState()
const repo = await open(sqlite(file), { agent: 'agent/keeper' })
const before = process.cpuUsage()
if (work === 'set') await repo.set('/', state, 'Import the services')
else await repo.get('/')
const { user, system } = process.cpuUsage(before)
await repo.close()
process.send((user + system) / 1e6, () => process.disconnect())
