/**
 * No single request within the limits stops a server: every operation of the table, with inputs of hostile sizes, on a store that is
 * large in every way.
 *
 * Each request ends with an answer or a refusal that is not a failure of the server. For long (ASG_SOAK), the processor time
 * of the thread between two turns of the event loop is measured too, with reading the input and printing the answer. A request that is
 * about one map of very many keys may hold it as long as `JSON.parse` takes for that map: an engine makes and lists the keys of one
 * object in single steps.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultCallLimits } from '../../src/host/call-limits.ts'
import { answerText, runLimited } from '../../src/host/limited-run.ts'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { LARGE_BODY_BYTES } from '../../src/http/forward.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { faultOf } from '../../src/wire/faults/fault.ts'
import {
  addLimited,
  fill,
  hostileRequest,
  keysOf,
  knownRequests,
  LARGEST_MAP,
  sizesOf,
} from './support/hostile-requests.ts'
import { ownThreadMs } from './support/thread-time.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const sizes = sizesOf(isSoak ? 1 : 1 / 40)
const REQUESTS = isSoak ? 2000 : 150
const STREAMED = 20
/** A machine that is busy takes long for the work of a call; what it is answered must not depend on that. Its processor time is judged. */
const limits = { ...defaultCallLimits, workMs: 60 * defaultCallLimits.workMs }
const BAR_MS = 30
/** How often a read that kept the event loop too long is asked. */
const TIMES = 3

/** The longest gap of each request and all its time, each beside what it may be. */
const taken: { readonly ms: number; readonly most: number; readonly request: string }[] = []
let folder: string
let host: StoreHost
/** The key of who may not read everything. */
let key: string
/** The requests that are about the largest map, and how long one of them may keep the event loop. */
const ofLargestMap = new Set([
  'a map of many keys',
  'a large value that came',
  // It differs in that map too, once that is there.
  'a difference in many places',
  'everything at once',
])
let ofLargestMapMs = BAR_MS

beforeAll(async () => {
  if (isSoak) ofLargestMapMs = Math.max(BAR_MS, parseMs(JSON.stringify(keysOf(LARGEST_MAP * sizes.part, 1))))
  folder = mkdtempSync(join(tmpdir(), 'cost-'))
  host = await openHost(join(folder, 'state.db'))
  const repo = await host.context({}).repo()
  await fill(repo, sizes)
  key = await addLimited(repo)
})

afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs an operation as a surface does; gives the code of a refusal. */
async function codeOf(
  operation: Operation,
  given: Record<string, unknown>,
  isLimited: boolean,
): Promise<string | undefined> {
  const ending = new AbortController()
  try {
    const input = operation.input.parse(given)
    const result = await runLimited(operation, limits, host.context(isLimited ? { key } : {}, ending.signal), input)
    if (operation.stream === undefined) {
      await answerText(operation, limits, result)
      return undefined
    }
    // Events go on for ever.
    if (operation.stream === 'events') setImmediate(() => ending.abort())
    let items = 0
    for await (const _ of result as AsyncIterable<unknown>) if (++items >= STREAMED) break
    return undefined
  } catch (error) {
    const { code, kind } = faultOf(error)
    if (kind === 'internal') throw error
    return code
  } finally {
    ending.abort()
  }
}

/** The processor time, in milliseconds, that some work takes, and the most of it between two turns of the event loop. */
async function timesOf(work: () => Promise<unknown>): Promise<{ readonly gap: number; readonly all: number }> {
  const began = ownThreadMs()
  let before = began
  let gap = 0
  let isDone = false
  const turn = (): void => {
    gap = Math.max(gap, ownThreadMs() - before)
    before = ownThreadMs()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  await new Promise(setImmediate)
  return { gap, all: before - began }
}

/** The least processor time of some that parsing a text takes. */
function parseMs(text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TIMES; n++) {
    const before = ownThreadMs()
    JSON.parse(text)
    least = Math.min(least, ownThreadMs() - before)
  }
  return least
}

/** Runs a request; for long, its times are held against the bar and against what a call may cost. */
async function tried(
  operation: Operation,
  input: Record<string, unknown>,
  isLimited = false,
  most = BAR_MS,
): Promise<string | undefined> {
  let code: string | undefined
  const times = () =>
    timesOf(async () => {
      code = await codeOf(operation, input, isLimited)
    })
  let { gap, all } = await times()
  const body = JSON.stringify(input)
  // A server does these in its worker.
  const isElsewhere = operation.runsIn === 'worker' || body.length > LARGE_BODY_BYTES
  if (!isSoak || isElsewhere) return code
  const request = `${operation.name} ${body.slice(0, 200)}${isLimited ? ', limited' : ''}`
  // In some request the garbage of those before is collected, and a busy machine delays any. What a read does itself, it does each time.
  for (let n = 1; n < TIMES && gap > most && operation.effect === 'read'; n++) gap = Math.min(gap, (await times()).gap)
  taken.push({ ms: gap, most, request })
  if (operation.cost === undefined)
    taken.push({ ms: all, most: defaultCallLimits.workMs, request: `all of ${request}` })
  return code
}

function barOf(what: string): number {
  return ofLargestMap.has(what) ? ofLargestMapMs : BAR_MS
}

it.each(knownRequests(sizes).map(([what, ...rest]) => [what, rest] as const))(
  '%s is answered or refused',
  async (what, [name, input, code]) => {
    const operation = operations.find(one => one.name === name)!
    const answered = await tried(operation, input, false, barOf(what))
    expect(answered).toBe(code)
  },
)

it.each(knownRequests(sizes).map(([what, ...rest]) => [what, rest] as const))(
  '%s is answered or refused when it comes from who may not read everything',
  async (what, [name, input]) => {
    await tried(operations.find(one => one.name === name)!, input, true, barOf(what))
  },
)

it('requests of hostile sizes, made by chance, are answered or refused', async () => {
  for (const { operation, input, isLimited } of fc.sample(hostileRequest, REQUESTS)) {
    await tried(operation, input, isLimited)
  }
  const repo = await host.context({}).repo()
  expect(await repo.get('/list/0/n')).toBe(0)
})

it.runIf(isSoak)('none of them kept the event loop longer than the bar, nor worked longer than a call may', () => {
  const late = taken.filter(({ ms, most }) => ms > most).sort((a, b) => b.ms - a.ms)
  expect(late.map(({ ms, request }) => `${Math.round(ms)} ms: ${request}`).slice(0, 20)).toEqual([])
})
