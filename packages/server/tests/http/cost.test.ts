/**
 * No single request over HTTP keeps a server from answering others: every operation, with inputs of hostile sizes, against a server in
 * a process of its own that is asked for its health meanwhile.
 *
 * Each request is answered without a failure of the server, and others are served. For long (ASG_SOAK), the processor time of the
 * server's own thread between a question about its health and the answer is measured too, where the system tells it. Such an answer
 * takes up to three turns of the event loop.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestOf } from '../../src/cli/client/remote-client.ts'
import { readCommandEntries } from '../../src/cli/parse/command-entry.ts'
import { openHost } from '../../src/host/store-host.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { addLimited, fill, hostileRequest, knownRequests, sizesOf } from '../operations/support/hostile-requests.ts'
import { mainThreadMs } from '../operations/support/thread-time.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const sizes = sizesOf(isSoak ? 1 / 4 : 1 / 80)
const REQUESTS = isSoak ? 1000 : 60
const BAR_MS = 30
const TURNS = 3
const token = 'a-token-of-our-own'
const entries = readCommandEntries()
const program = fileURLToPath(new URL('../../bin/asg.mjs', import.meta.url))

let folder: string
let server: ChildProcess
let url: string
/** The key of who may not read everything. */
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cost-'))
  const store = join(folder, 'state.db')
  const host = await openHost(store)
  const repo = await host.context({}).repo()
  await fill(repo, sizes)
  key = await addLimited(repo)
  await host.close()
  const options = ['serve', '--store', store, '--port', '0', '--json', '--reads', '100000', '--writes', '100000']
  server = spawn(process.execPath, [program, ...options], {
    env: { ...process.env, ASG_TOKEN: token },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface(server.stdout!), 'line')
  url = JSON.parse(line).url
})

afterAll(async () => {
  const ended = once(server, 'exit')
  server.kill()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request; gives its status when it is answered. Of a stream it reads the beginning. */
async function statusOf(operation: Operation, input: Record<string, unknown>, isLimited: boolean): Promise<number> {
  const headers = { authorization: `Bearer ${isLimited ? key : token}`, 'content-type': 'application/json' }
  const entry = entries.find(({ name }) => name === operation.name)!
  const { url: address, method, body } = requestOf(url, entry, input)
  const left = new AbortController()
  const response = await fetch(address, { method, headers, body, signal: left.signal } as RequestInit)
  if (operation.stream === undefined) await response.arrayBuffer()
  else await response.body?.cancel()
  left.abort()
  return response.status
}

const threadMs = (): number => mainThreadMs(server.pid!) ?? 0

/** The most processor time that the server took to tell that it is well while some work was done. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  do {
    const before = threadMs()
    const { status } = await fetch(`${url}/healthz`)
    expect(status).toBe(200)
    longest = Math.max(longest, threadMs() - before)
  } while (!isDone)
  await done
  return longest
}

/** What is to be told of a request that kept the server too long. */
async function tried(
  operation: Operation,
  input: Record<string, unknown>,
  isLimited: boolean,
): Promise<readonly string[]> {
  const answered = statusOf(operation, input, isLimited)
  const ms = await longestWait(answered)
  const told = `${operation.name} ${JSON.stringify(input).slice(0, 200)}${isLimited ? ', limited' : ''}`
  expect(await answered, told).not.toBe(500)
  return isSoak && ms > TURNS * BAR_MS ? [`${Math.round(ms)} ms: ${told}`] : []
}

test('a server answers others while it is asked for what once stopped it', async () => {
  const late: string[] = []
  for (const [, name, input] of knownRequests(sizes)) {
    for (const isLimited of [false, true]) {
      late.push(...(await tried(operations.find(one => one.name === name)!, input, isLimited)))
    }
  }
  expect(late).toEqual([])
})

test('a server answers others while it is asked for anything, in any size', async () => {
  const late: string[] = []
  for (const { operation, input, isLimited } of fc.sample(hostileRequest, REQUESTS)) {
    late.push(...(await tried(operation, input, isLimited)))
  }
  expect(late).toEqual([])
})
