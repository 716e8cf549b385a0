/**
 * Watchers of one server: what each costs, whether each gets every event once, and whether the server goes on meanwhile.
 *
 * Memory is counted after a garbage collection, in the heap and outside it. One more watcher never reads: it is cut, and the others
 * are not delayed by it.
 */
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { amount, bytes, oursAtMost, span } from '../reach.mjs'
import { ask, callsOf, headers, startServer, stop } from '../server-child.mjs'

export const name = 'watchers'

export const reach = {
  small: oursAtMost(50_000, '≤ 50 KB'),
  gap: oursAtMost(0.03, '≤ 30 ms'),
  none: oursAtMost(0, 'none'),
}

const EVENTS = 20
const LARGE = 'x'.repeat(200_000)
const STALL_MS = 500

export async function run({ driver, makeFolder, size }) {
  const limits = { stallTimeoutMs: STALL_MS }
  const server = await startServer({ kind: 'ours', store: join(makeFolder(), 'state.db'), limits })
  const agent = new Agent()
  try {
    const count = size(500)
    const write = writer(server.url)
    for (let n = 0; n < EVENTS; n++) await write(`/n/${n % 4}`, n)
    const before = await memory(server)
    const watchers = await Promise.all(Array.from({ length: count }, () => watch(server.url, agent)))
    const opened = await memory(server)
    await ask(server, 'gap')
    const seqs = []
    const began = performance.now()
    for (let n = 0; n < EVENTS; n++) seqs.push(await write(`/n/${n % 4}`, n + EVENTS))
    await Promise.all(watchers.map(({ until }) => until(seqs.at(-1))))
    const seconds = (performance.now() - began) / 1000
    const { worked } = await ask(server, 'gap')
    const after = await memory(server)
    const wrong = watchers.filter(({ seen }) => String(seen) !== String(seqs)).length
    const end = await stalled(server.url, agent, write)
    return {
      rows: [
        { work: `memory of a watcher, of ${count} that wait`, ours: bytes((opened - before) / count), reach: 'small' },
        { work: `memory of a watcher, after ${EVENTS} events`, ours: bytes((after - before) / count), reach: 'small' },
        { work: `${EVENTS} events for ${count} watchers`, ours: span(seconds) },
        { work: 'the longest gap of the event loop meanwhile', ours: span(worked), reach: 'gap' },
        { work: 'watchers that did not see each event once', ours: amount(wrong), reach: 'none' },
        {
          work: 'watchers that do not read and are not told so',
          ours: amount(end === 'reader-stalled' ? 0 : 1),
          reach: 'none',
        },
      ],
      sides: [{ side: 'ours', driver: driver.name }],
    }
  } finally {
    agent.destroy()
    await stop(server)
  }
}

function writer(url) {
  const call = callsOf(url)
  return async (path, value) => {
    const fields = { path, value, description: 'Tell it' }
    return JSON.parse(await call('POST', '/api/state/main/set', fields)).seq
  }
}

async function memory(server) {
  const { heapUsed, external } = await ask(server, 'memory')
  return heapUsed + external
}

/** A stream of events, the numbers that it gave, and a promise for one of them. */
function watch(url, agent) {
  const seen = []
  let onEvent = () => {}
  const until = seq =>
    new Promise(resolve => {
      onEvent = () => {
        if (seen.at(-1) >= seq) resolve()
      }
      onEvent()
    })
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/watch?path=/n/**`, { agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
        const end = text.lastIndexOf('\n\n')
        for (const [, id] of text.slice(0, end + 1).matchAll(/^id: (\d+)$/gm)) seen.push(Number(id))
        text = text.slice(end + 2)
        resolve({ seen, until })
        onEvent()
      })
    })
    sent.on('error', error => (seen.length === 0 ? reject(error) : undefined))
    sent.end()
  })
}

/** The code with which a watcher is cut that does not read while much is written. */
async function stalled(url, agent, write) {
  const response = await new Promise((resolve, reject) =>
    request(`${url}/api/watch?path=/large`, { agent, headers }, resolve).on('error', reject).end(),
  )
  for (let n = 0; n < 40; n++) await write('/large', `${n} ${LARGE}`)
  await new Promise(resolve => setTimeout(resolve, 4 * STALL_MS))
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text = (text + chunk).slice(-4000)
  return /event: fault\ndata: .*"code":"([\w-]+)"/.exec(text)?.[1]
}
