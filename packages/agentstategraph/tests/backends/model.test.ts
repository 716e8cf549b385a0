/** Any script of operations gives the same answers on every backend as on the one in memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { availableSqliteDrivers, kvBackend, memory, sqlite } from '../../src/backends/index.ts'
import type { Append, Backend, Log } from '../../src/store/contract/backend.ts'
import { memoryKV, sampleCommitId, sampleEntry, sampleNote, samplePart } from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-model-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const backends: [string, () => Backend][] = [
  ['key-value', () => kvBackend(memoryKV())],
  ...availableSqliteDrivers().map((driver): [string, () => Backend] => [
    `sqlite with ${driver}`,
    () => sqlite(join(folder, `${files++}.db`), { driver }),
  ]),
]

const columns = ['text', 'commit', 'part'] as const
const seq = fc.integer({ min: 1, max: 8 })
const label = fc.integer({ min: 0, max: 30 })
const refName = fc.constantFrom('main', 'side', 'tag/é')
const entry = fc.oneof(
  label.map(sampleNote),
  label.map(n => sampleEntry(n)),
  label.map(n => sampleEntry(n, [samplePart(0, n), samplePart(3, n), samplePart(8, n)])),
)

/** Mostly batches that could pass, because a script of refusals says little. */
const append: fc.Arbitrary<Append> = fc.record({
  time: fc.integer({ min: 0, max: 3 }),
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }).chain(entries => fc.constantFrom(entries, () => entries)),
  moves: fc.uniqueArray(
    fc.record({
      name: refName,
      expect: fc.option(seq),
      to: fc.oneof(fc.option(seq), fc.constant({ entry: 0 })),
    }),
    { maxLength: 2, selector: move => move.name },
  ),
  keys: fc.uniqueArray(fc.record({ key: fc.constantFrom('k1', 'k2', 'k3'), entry: fc.constant(0) }), {
    maxLength: 1,
    selector: ({ key }) => key,
  }),
  needs: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(seq, { maxLength: 2 })),
})

type Operation = (log: Log, backend: Backend) => Promise<unknown>

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: append.map(
      (batch): Operation =>
        log =>
          log.append(batch),
    ),
  },
  {
    weight: 4,
    arbitrary: append.map(
      (batch): Operation =>
        async log => {
          const moves = await Promise.all(
            batch.moves.map(async move => ({ ...move, expect: await log.ref(move.name) })),
          )
          return log.append({ ...batch, time: 3, moves })
        },
    ),
  },
  fc.tuple(seq, seq, fc.subarray([...columns])).map(
    ([from, to, asked]): Operation =>
      log =>
        log.entries(from, to, asked),
  ),
  fc.array(fc.record({ seq, index: fc.integer({ min: 0, max: 10 }) }), { maxLength: 4 }).map(
    (pointers): Operation =>
      log =>
        log.parts(pointers),
  ),
  fc.tuple(label, fc.constantFrom(0, 1, 12, 13, 64), fc.integer({ min: 1, max: 4 })).map(
    ([n, length, limit]): Operation =>
      log =>
        log.find(sampleCommitId(n).slice(0, length), limit),
  ),
  refName.map(
    (name): Operation =>
      log =>
        log.ref(name),
  ),
  fc.constantFrom('', 'm', 'tag/').map(
    (prefix): Operation =>
      log =>
        log.refs(prefix),
  ),
  fc.constant<Operation>(log => log.head()),
  fc.option(fc.record({ first: label, seq, leaf: label })).map(
    (seen): Operation =>
      log =>
        log.check(
          seen === null
            ? undefined
            : { first: sampleEntry(seen.first).leaf, seq: seen.seq, leaf: sampleEntry(seen.leaf).leaf },
        ),
  ),
  fc.tuple(fc.array(seq, { maxLength: 3 }), fc.constantFrom(0, 0, 0, 1)).map(
    ([seqs, behind]): Operation =>
      async log => {
        const checked = await log.check(undefined)
        const newest = (checked.kind === 'same' && checked.newest) || { first: '', seq: 0, leaf: '' }
        return log.dropPacks(seqs, { ...newest, seq: newest.seq - behind })
      },
  ),
  fc.constant<Operation>((_log, backend) => backend.namespaces()),
  fc.constantFrom('a', 'b').map(
    (name): Operation =>
      (_log, backend) =>
        backend.dropNamespace(name),
  ),
)

const script = fc.array(fc.tuple(fc.constantFrom('a', 'b'), operation), { minLength: 10, maxLength: 30 })

async function answers(backend: Backend, steps: readonly (readonly [string, Operation])[]): Promise<unknown[]> {
  const given: unknown[] = []
  for (const [namespace, run] of steps) given.push(await run(backend.namespace(namespace), backend))
  for (const namespace of ['a', 'b']) {
    const log = backend.namespace(namespace)
    given.push(await log.head(), await log.refs(''), await log.find('', 99), await log.entries(1, 99, columns))
  }
  return given.map(plain)
}

/** Bytes as numbers, so that drivers may use their own class for them. */
function plain(answer: unknown): unknown {
  if (answer instanceof Uint8Array) return Array.from(answer)
  if (Array.isArray(answer)) return answer.map(plain)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, plain(value)]))
}

describe.each(backends)('%s', (_name, open) => {
  it('answers as memory does', async () => {
    await fc.assert(
      fc.asyncProperty(script, async steps => {
        await using reference = memory()
        await using backend = open()
        expect(await answers(backend, steps)).toEqual(await answers(reference, steps))
      }),
      { numRuns: 60 },
    )
  })
})
