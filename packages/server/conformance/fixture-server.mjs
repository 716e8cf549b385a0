/**
 * The server as people start it, over HTTP on this machine, with the fixtures of the conformance suite beside its own tools and
 * without a key, because the suite sends none. Prints its address.
 */
import { serve } from '../dist/http/serve.js'
import { elicitationCodec } from '../dist/mcp/elicitation.js'
import { mcpMount } from '../dist/mcp/http-mount.js'
import { toolSet } from '../dist/mcp/tool-set.js'
import { addFixtures } from './fixtures.mjs'

const codec = elicitationCodec()
const unlimited = { perSecond: 1000, burst: 10_000 }
const server = await serve({
  port: 0,
  authentication: 'none',
  limits: { reads: unlimited, writes: unlimited },
  log: () => undefined,
  mounts: host => [
    mcpMount({
      host,
      tools: toolSet('standard'),
      codec,
      onUnexpected: (what, error) => process.stderr.write(`${what}: ${error?.message}\n`),
      ...(process.argv.includes('--plain') ? {} : { extend: added => addFixtures(added, codec) }),
    }),
  ],
})
process.stdout.write(`${server.url}\n`)
process.on('SIGTERM', async () => {
  await server.close()
  process.exit(0)
})
