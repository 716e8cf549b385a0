/**
 * A server in a process of its own, for load from another: ours on a file, or a bare route of Node that answers the same bytes.
 *
 * It takes its orders as JSON in its argument and tells its address. It answers the message `memory` with the memory it uses after
 * everything that can go is gone, `cpu` with the CPU time that it used, and `gap` with the longest gap of its event loop since that was last asked.
 */
import { createServer } from 'node:http'
import { keepHeapSmall } from '../packages/server/dist/host/small-heap.js'
import { serve } from '../packages/server/lib/index.js'
import { threadSeconds } from './thread-seconds.mjs'

const { kind, store, token, answer, limits } = JSON.parse(process.argv[2])

process.send({ url: kind === 'ours' ? await startOurs() : await startBare() })
let takeGap
process.on('message', asked => {
  if (asked === 'memory') return process.send(memory())
  if (asked === 'cpu') return process.send(process.cpuUsage())
  takeGap ??= watchGaps()
  process.send(takeGap())
})

function memory() {
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapUsed, external, rss }
}

const LOOK_MS = 5

/** Looks at every turn that is due. A gap has seconds by the clock, and seconds in which this thread was on a processor. */
function watchGaps() {
  const none = { clock: 0, worked: 0 }
  let longest = none
  let clock = performance.now() / 1000
  let worked = threadSeconds()
  setInterval(() => {
    const now = performance.now() / 1000
    const nowWorked = threadSeconds()
    longest = {
      clock: Math.max(longest.clock, now - clock - LOOK_MS / 1000),
      worked: Math.max(longest.worked, nowWorked - worked),
    }
    clock = now
    worked = nowWorked
  }, LOOK_MS)
  return () => {
    const taken = longest
    longest = none
    return taken
  }
}

async function startOurs() {
  const unlimited = { readsPerSecond: 1e9, writesPerSecond: 1e9 }
  const { url } = await serve({ store, token, port: 0, limits: { ...unlimited, ...limits }, log: () => {} })
  // As `asg serve` does.
  keepHeapSmall()
  return url
}

function startBare() {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(answer)
    })
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
}
