/**
 * A server in a process of its own, for load from another: ours on a file, or a bare hono route that answers the same bytes.
 *
 * It takes its orders as JSON in its argument, tells its address, and answers every message with the memory it uses after
 * everything that can go is gone.
 */
import { serve as listen } from '@hono/node-server'
import { Hono } from 'hono'
import { serve } from '../packages/server/dist/http/serve.js'

const { kind, store, token, answer } = JSON.parse(process.argv[2])

process.send({ url: kind === 'ours' ? await startOurs() : await startBare() })
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  process.send({ heapUsed, rss })
})

async function startOurs() {
  const limits = { readsPerSecond: 1e9, writesPerSecond: 1e9 }
  return (await serve({ store, token, port: 0, limits, log: () => {} })).url
}

function startBare() {
  const app = new Hono()
  app.get('/read', c => c.body(answer, 200, { 'Content-Type': 'application/json' }))
  app.post('/write', async c => {
    await c.req.json()
    return c.body(answer, 200, { 'Content-Type': 'application/json' })
  })
  return new Promise(resolve => {
    listen({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })
}
