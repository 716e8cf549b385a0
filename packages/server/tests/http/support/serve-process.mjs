/**
 * A server in a process of its own: takes its options as JSON in its only argument, says its address in one line, and ends
 * gracefully when it is asked to terminate.
 */
import { writeSync } from 'node:fs'
import { serve } from '../../../dist/http/serve.js'

const server = await serve({ ...JSON.parse(process.argv[2]), port: 0, log: () => {} })
process.once('SIGTERM', async () => {
  await server.close()
  writeSync(1, 'closed\n')
})
writeSync(1, `${server.url}\n`)
