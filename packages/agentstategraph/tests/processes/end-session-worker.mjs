/**
 * A process that takes a session up and ends it.
 *
 * It gets the file and the session's id in its only argument, as JSON.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { access } from '../../dist/access/index.js'
import { open } from '../../dist/repository/index.js'

const { file, session: id } = JSON.parse(process.argv[2])
const repo = await open(file)
const session = await access(repo).resumeSession(id)
await session.repo.set('/elsewhere', true, 'Go on with it here')
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.destroy()
await session.end({ outcome: 'fulfilled', summary: 'Ended by another process' })
writeSync(1, '"ended"\n')
await repo.close()
