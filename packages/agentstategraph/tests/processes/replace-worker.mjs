/**
 * A process that drops a namespace of a SQLite store and makes it again with other content.
 *
 * It gets its orders as JSON in its only argument, says "ready", begins when a line comes in, and says "done".
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { sqlite } from '../../dist/backends/index.js'
import { open } from '../../dist/repository/index.js'

const { file, namespace, values } = JSON.parse(process.argv[2])
const backend = sqlite(file)
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

await backend.dropNamespace(namespace)
if (values.length > 0) {
  const repo = await open(backend, { namespace })
  for (const value of values) await repo.set('/', value, 'The new tenant')
}
say('done')
await backend.close()
