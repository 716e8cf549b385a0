/**
 * No single request within the limits stops a server: every operation of the table, with inputs of hostile sizes, on a store that is
 * large in every way.
 *
 * Each request ends with an answer or a refusal that is not a failure of the server. For long (ASG_SOAK), the processor time
 * between two turns of the event loop is measured too: only parsing and printing one value may take longer than the bar.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultCallLimits } from '../../src/host/call-limits.ts'
import { answerText, runLimited } from '../../src/host/limited-run.ts'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { LARGE_BODY_BYTES } from '../../src/http/call.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { faultOf } from '../../src/wire/faults/fault.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const SIZE = isSoak ? 10_000 : 2000
const REQUESTS = isSoak ? 2000 : 150
const STREAMED = 20
const BAR_MS = 30

/** Each gap, without the printing of the answer, and the request that it belongs to. */
const gaps: [ms: number, request: string][] = []
let printedMs = 0
let folder: string
let host: StoreHost

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cost-'))
  host = await openHost(join(folder, 'state.db'))
  const repo = await host.context({}).repo()
  await repo.set('/large', keysOf(SIZE, 0), 'Large')
  await repo.set(
    '/list',
    Array.from({ length: SIZE }, (_, n) => ({ n })),
    'Long',
  )
  const other = await repo.branch('other')
  await other.set('/large', keysOf(SIZE, 1), 'Differs there')
  for (let n = 0; n < SIZE / 20; n++) {
    await repo.set('/n', n, { description: `Count ${n}`, intent: { id: `intent-${n}` } })
  }
  await repo.set('/large', keysOf(SIZE, 2), 'Differs here')
})

afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

function keysOf(count: number, value: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))
}

/** Edits below a place that is not there yet. */
const manyEdits = Array.from({ length: SIZE / 4 }, (_, n) => ({ op: 'set', path: `/new/k${n}`, value: n }))
const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    n,
    n === 39 ? {} : { allOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }] },
  ]),
)
const why = { description: 'Try' }

/** Requests that once stopped a server, with what they are answered. */
const known: readonly (readonly [what: string, name: string, input: Record<string, unknown>, code?: string])[] = [
  [
    'a head with many lines and many keys',
    'check_head',
    { head: `log\n1\n${'A'.repeat(43)}=\n\n${'— log AAAAAAAA\n'.repeat(SIZE)}`, keys: [] },
  ],
  ['a bundle of many lines', 'verify_bundle', { bundle: '{"type":"header"}\n'.repeat(SIZE) }],
  ['many edits below a new key', 'commit', { edits: manyEdits, ...why }],
  [
    'a bigint of many digits',
    'set',
    { path: '/big', value: { $bigint: '9'.repeat(1_000_000) }, ...why },
    'value-refused',
  ],
  ['a merge with many conflicts', 'preview_merge', { source: 'other' }],
  [
    'an expression that backtracks',
    'attach_schema',
    { ...why, pattern: '/large', schema: { pattern: '^(a+)+$' } },
    'schema-invalid',
  ],
  [
    'references that double',
    'attach_schema',
    { ...why, pattern: '/large', schema: { $ref: '#/$defs/0', $defs: doubled } },
    'schema-invalid',
  ],
  ['a map of many keys', 'set', { path: '/more', value: keysOf(SIZE, 1), ...why }],
  ['a check of everything', 'verify', {}],
  ['a query that finds nothing', 'query', { ref: 'main', text: 'nowhere' }],
  ['the tree of intents', 'intent_tree', {}],
  ['an import that is none', 'import', { export: '{}\n'.repeat(SIZE) }, 'import-refused'],
]

/** Runs an operation as a surface does; gives the code of a refusal. */
async function codeOf(operation: Operation, given: Record<string, unknown>): Promise<string | undefined> {
  const ending = new AbortController()
  try {
    const input = operation.input.parse(given)
    const result = await runLimited(operation, defaultCallLimits, host.context({}, ending.signal), input)
    if (operation.stream === undefined) {
      const began = process.cpuUsage()
      answerText(operation, defaultCallLimits, result)
      printedMs = process.cpuUsage(began).user / 1000
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

/** The most processor time, in milliseconds, between two turns of the event loop while some work is done. */
async function longestGap(work: () => Promise<unknown>): Promise<number> {
  let before = process.cpuUsage()
  let most = 0
  let isDone = false
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before)
    most = Math.max(most, (user + system) / 1000)
    before = process.cpuUsage()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  await new Promise(setImmediate)
  return most
}

/** Runs a request; for long, its gaps are held against the bar and what its value takes to parse and its answer to print. */
async function tried(operation: Operation, input: Record<string, unknown>): Promise<string | undefined> {
  let code: string | undefined
  printedMs = 0
  const gap = await longestGap(async () => {
    code = await codeOf(operation, input)
  })
  const body = JSON.stringify(input)
  // A server does these in its worker.
  const isElsewhere = operation.runsIn === 'worker' || body.length > LARGE_BODY_BYTES
  if (isSoak && !isElsewhere) gaps.push([gap - printedMs, `${operation.name} ${body.slice(0, 200)}`])
  return code
}

it.each(known.map(([what, ...rest]) => [what, rest] as const))(
  '%s is answered or refused',
  async (_, [name, input, code]) => {
    const operation = operations.find(one => one.name === name)!
    const answered = await tried(operation, input)
    expect(answered).toBe(code)
  },
)

/** What a field may be given: sizes within the limits, in every shape. */
const hostile: readonly unknown[] = [
  '/large',
  '/**',
  `/${'**/a/'.repeat(8)}b`,
  '/x'.repeat(64),
  'other',
  'x'.repeat(5000),
  'word '.repeat(2000),
  '^(a+)+$',
  1000,
  Number.MAX_SAFE_INTEGER,
  true,
  keysOf(1000, 1),
  Array.from({ length: 1000 }, (_, n) => `/large/k${n}`),
  Array.from({ length: 1000 }, (_, n) => ({ op: 'set', path: `/large/k${n}`, value: n })),
  { $bigint: '9'.repeat(10_000) },
]

const request = fc
  .record({
    operation: fc.constantFrom(...operations),
    example: fc.nat(9),
    replaced: fc.array(fc.record({ field: fc.nat(30), value: fc.constantFrom(...hostile) }), { maxLength: 3 }),
  })
  .map(({ operation, example, replaced }) => {
    const input: Record<string, unknown> = { ...operation.examples[example % operation.examples.length]!.input }
    const fields = Object.keys(operation.input.shape).filter(name => name !== 'namespace' && name !== 'session')
    for (const { field, value } of replaced) {
      const name = fields[field % fields.length]
      if (name !== undefined) input[name] = value
    }
    return { operation, input }
  })

it('requests of hostile sizes, made by chance, are answered or refused', async () => {
  for (const { operation, input } of fc.sample(request, REQUESTS)) await tried(operation, input)
  const repo = await host.context({}).repo()
  expect(await repo.get('/list/0/n')).toBe(0)
})

it.runIf(isSoak)('none of them kept the event loop longer than the bar', () => {
  const late = gaps.filter(([ms]) => ms > BAR_MS).sort(([a], [b]) => b - a)
  expect(late.map(([ms, what]) => `${Math.round(ms)} ms: ${what}`).slice(0, 20)).toEqual([])
})
