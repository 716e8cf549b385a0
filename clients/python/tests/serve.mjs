/** A server for the tests of this client: on the store that is named, until its input ends. */
import { serve } from '../../../packages/server/lib/index.js'

const [store, token] = process.argv.slice(2)
const server = await serve({ store, token, port: 0, log() {} })
process.stdout.write(`${server.url}\n`)
process.stdin.resume().once('end', () => server.close())
