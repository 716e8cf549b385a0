/** Damage in what a backend answers, whatever the backend: it is noticed, named, and never becomes an answer. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { writer } from '../../src/repo/write/write.ts'
import { asyncLog } from '../../src/store/contract/async-log.ts'
import {
  type Backend,
  memoryBackend,
  openJournal,
  readCommit,
  type StoredEntry,
  type StoredPart,
} from '../../src/store/index.ts'
import { type Answers, expectNoticed, flipped, placesIn, readAll, writeSmallStore, written } from './support/damage.ts'
import { dropNow } from './support/drop-now.ts'
import { set } from './support/journals.ts'
import { wrapped } from './support/wrapped-backend.ts'

/** What can be damaged in the answers of a log about one entry, and how it looks as bytes. */
const fields: Readonly<Record<string, Field>> = {
  leaf: ofText(
    row => row.leaf,
    (row, leaf) => ({ ...row, leaf }),
  ),
  text: ofText(
    row => row.text,
    (row, text) => ({ ...row, text }),
  ),
  'commit id': ofText(
    row => row.commit?.id,
    (row, id) => ({ ...row, commit: { id, text: row.commit!.text } }),
  ),
  'commit text': ofText(
    row => row.commit?.text,
    (row, text) => ({ ...row, commit: { id: row.commit!.id, text } }),
  ),
  'first part': {
    bytes: ({ row }) => row.part,
    entry: (row, bytes) => ({ ...row, part: bytes }),
    part: (part, bytes) => (part.first === 0 ? { ...part, bytes } : part),
  },
  'second part': {
    bytes: ({ parts }) => parts[1]?.bytes,
    part: (part, bytes) => (part.first > 0 ? { ...part, bytes } : part),
  },
}

interface Kept {
  readonly row: StoredEntry
  readonly parts: readonly StoredPart[]
}

interface Field {
  bytes(kept: Kept): Uint8Array | undefined
  entry?(row: StoredEntry, bytes: Uint8Array): StoredEntry
  part?(part: StoredPart, bytes: Uint8Array): StoredPart
}

function ofText(
  get: (row: StoredEntry) => string | undefined,
  put: (row: StoredEntry, text: string) => StoredEntry,
): Field {
  return {
    bytes({ row }) {
      const text = get(row)
      return text === undefined ? undefined : new TextEncoder().encode(text)
    },
    // A column that was not asked for has nothing to damage.
    entry: (row, bytes) => (get(row) ? put(row, new TextDecoder().decode(bytes)) : row),
  }
}

/** The store seen with one field of one entry replaced. */
function damaged(backend: Backend, seq: number, field: Field, bytes: Uint8Array): Backend {
  const entry = field.entry ?? (row => row)
  const part = field.part ?? (one => one)
  return wrapped(backend, log => {
    const sync = log.sync!
    return asyncLog(
      {
        ...sync,
        entries: (from, to, columns) =>
          sync.entries(from, to, columns).map(row => {
            const isHidden = field.entry !== undefined && field.bytes({ row, parts: [] }) === undefined
            return row.seq !== seq || isHidden ? row : entry(row, bytes)
          }),
        parts: pointers =>
          sync.parts(pointers).map(one => (one === undefined || one.seq !== seq ? one : part(one, bytes))),
      },
      log,
    )
  })
}

let store: Backend
let right: Answers
beforeAll(async () => {
  store = memoryBackend()
  await writeSmallStore(store)
  right = await readAll(store, 1)
})

/** The fields that an entry has, with their bytes. */
async function fieldsOf(seq: number): Promise<readonly { name: string; field: Field; bytes: Uint8Array }[]> {
  const log = store.namespace('default')
  const [row] = await log.entries(seq, seq, ['text', 'commit', 'part'])
  const found = await log.parts([0, 1].map(index => ({ seq, index })))
  const parts = found.filter((part, i) => part !== undefined && (i === 0 || part.first > 0)) as StoredPart[]
  return Object.entries(fields).flatMap(([name, field]) => {
    const bytes = field.bytes({ row: row!, parts })
    return bytes === undefined ? [] : [{ name, field, bytes }]
  })
}

describe.each(Object.entries(written))('in entry "%s"', (_, seq) => {
  it('a changed byte anywhere is noticed, and named', async () => {
    for (const { name, field, bytes } of await fieldsOf(seq)) {
      for (const place of placesIn(bytes.length)) {
        const backend = damaged(store, seq, field, flipped(bytes, place))
        expectNoticed(await readAll(backend, seq), right.slice(seq - 1), seq, `${name}, byte ${place}`)
      }
    }
  })

  it('bytes that were cut off, added or replaced are noticed, and named', async () => {
    const all = await fieldsOf(seq)
    const damage = fc.record({
      which: fc.nat(all.length - 1),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.oneof(fc.nat(12), fc.nat(100_000)),
      put: fc.uint8Array({ maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ which, from, length, put }) => {
        const { name, field, bytes } = all[which]!
        const start = Math.floor(from * bytes.length)
        const replaced = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + length)])
        fc.pre(Buffer.compare(replaced, bytes) !== 0)
        expectNoticed(await readAll(damaged(store, seq, field, replaced), seq), right.slice(seq - 1), seq, name)
      }),
      { numRuns: 150 },
    )
  })
})

it('every kind of field is damaged somewhere', async () => {
  const names = (await Promise.all(Object.values(written).map(fieldsOf))).flat().map(({ name }) => name)
  expect(new Set(names)).toEqual(new Set(Object.keys(fields)))
})

it('a row whose time is damaged does not lend it to the next commit', async () => {
  const backend = memoryBackend()
  await writeSmallStore(backend)
  const ahead = wrapped(backend, log => {
    const append = (batch: Parameters<typeof log.append>[0]) => ({ kind: 'late', time: batch.time + 2 ** 50 }) as const
    const entries = (...args: Parameters<typeof log.entries>) =>
      log.sync!.entries(...args).map(row => (row.seq === written.ref ? { ...row, time: row.time + 2 ** 50 } : row))
    return asyncLog({ ...log.sync!, append, entries }, log)
  })
  const journal = await openJournal(ahead)
  await expect(set(writer(journal), 'branch/main', { '/a': 1 })).rejects.toMatchObject({
    code: 'object-corrupt',
    data: { seq: written.ref },
  })
})

it('a commit whose pack was dropped says so, and its entry can still be read', async () => {
  const backend = memoryBackend()
  await writeSmallStore(backend)
  const journal = await openJournal(backend)
  await dropNow(journal.log, [written.small])
  await expect(journal.run(readCommit(journal, written.small))).rejects.toMatchObject({
    code: 'pack-dropped',
    data: { seq: written.small },
  })
  // The third commit reuses nodes of the second.
  const answers = await readAll(backend, 1)
  const codes = answers.map(answer => (typeof answer === 'string' ? 'right' : (answer as { code?: string }).code))
  expect(codes).toEqual(['right', 'pack-dropped', 'pack-dropped', 'pack-dropped', 'right'])
})
