/**
 * The derived index of a namespace.
 *
 * The entries of a block that have a term are one row. Whoever changes the index holds the row of its mark, and writes a fresh
 * token into it; a search whose statements found different tokens starts over. A shared lock on the namespace keeps it from being
 * dropped meanwhile, and appends pass it.
 */
import { randomBytes } from 'node:crypto'
import type { HashBatch, IndexBatch, IndexCount, IndexSearch, LogIndex } from '../../store/contract/index-log.ts'
import { addedPlaces, placesByBlock } from '../index-places.ts'
import { searchInSteps } from '../search-steps.ts'
import { bytesArray, eachOf, keyBytes, nameBytes, nameOf, numbersArray } from './literals.ts'
import { bytesOf } from './read.ts'
import type { Ask, Session } from './session.ts'
import { assertFormat } from './tables.ts'

/** How many blocks a search reads at most with one statement. */
const mostBlocks = 1024

type Kind = 'terms' | 'hashes'

interface Mark {
  readonly mark: number
  readonly token: string
}

/** Returns the index of a namespace. */
export function postgresIndex(session: Session, namespace: Uint8Array, isFixed: boolean): LogIndex {
  const { tables, read } = session
  const { marks, heads } = tables

  /** Changes the index and moves a mark, if the namespace is there and the mark where `from` says. */
  function advance(kind: Kind, from: number, to: number, change: (ask: Ask) => Promise<void>): Promise<boolean> {
    return session.transact(async ask => {
      if (!(await lockMark(ask, kind, from))) return { result: false, isWritten: false }
      await change(ask)
      await setMark(ask, kind, to)
      return { result: true, isWritten: true }
    })
  }

  async function lockMark(ask: Ask, kind: Kind, from: number | undefined): Promise<boolean> {
    const text = `SELECT 1 FROM ${heads} WHERE namespace = $1 AND seq > 0 FOR KEY SHARE`
    if ((await ask(text, [namespace])).length === 0) return false
    const insert = `INSERT INTO ${marks} (namespace, kind, mark, token) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING`
    await ask(insert, [namespace, kind, randomBytes(16)])
    const locked = `SELECT mark::float8 FROM ${marks} WHERE namespace = $1 AND kind = $2 FOR UPDATE`
    const [row] = await ask(locked, [namespace, kind])
    return from === undefined || row?.[0] === from
  }

  /** Ends a change of the index, which must not be of tables that a newer version has changed meanwhile. */
  async function setMark(ask: Ask, kind: Kind, mark: number): Promise<void> {
    const text = `UPDATE ${marks} SET mark = $3::bigint, token = $4 WHERE namespace = $1 AND kind = $2
      RETURNING (SELECT version::float8 FROM ${tables.format})`
    const [row] = await ask(text, [namespace, kind, mark, randomBytes(16)])
    assertFormat(session.place, row![0] as number)
  }

  async function markOf(kind: Kind): Promise<Mark> {
    const text = `SELECT mark::float8, encode(token, 'hex') FROM ${marks} WHERE namespace = $1 AND kind = $2`
    const [row] = await read(text, [namespace, kind])
    return { mark: (row?.[0] as number | undefined) ?? 0, token: (row?.[1] as string | undefined) ?? '' }
  }

  return {
    isFixed,
    mark: async () => (await markOf('terms')).mark,
    add: batch => advance('terms', batch.from, batch.to, ask => addRows(ask, session, namespace, batch)),
    async search(search) {
      for (;;) {
        const { mark, token } = await markOf('terms')
        const seqs = await searchUntil(session, namespace, search, mark)
        // A batch between the statements may have given terms to entries before the mark.
        if ((await markOf('terms')).token === token) return { mark, seqs }
      }
    },
    counts: groups => countsOf(session, namespace, groups),
    hashes: {
      mark: async () => (await markOf('hashes')).mark,
      add: batch => advance('hashes', batch.from, batch.to, ask => addHashes(ask, session, namespace, batch)),
      async read(places) {
        if (places.length === 0) return []
        const rows = await read(
          `SELECT asked.n, hash FROM unnest($2::text::int[], $3::text::bigint[]) WITH ORDINALITY AS asked (level, place, n)
          JOIN ${tables.hashes} h ON h.namespace = $1 AND h.level = asked.level AND h.place = asked.place`,
          [namespace, numbersArray(places.map(({ level }) => level)), numbersArray(places.map(({ index }) => index))],
        )
        const found = new Array<Uint8Array | undefined>(places.length).fill(undefined)
        for (const [n, hash] of rows) found[Number(n) - 1] = bytesOf(hash)
        return found
      },
    },
    clear: () =>
      session.transact(async ask => {
        if (!(await lockMark(ask, 'terms', undefined))) return { result: undefined, isWritten: false }
        await lockMark(ask, 'hashes', undefined)
        for (const table of [tables.terms, tables.counts, tables.hashes]) {
          await ask(`DELETE FROM ${table} WHERE namespace = $1`, [namespace])
        }
        await setMark(ask, 'terms', 0)
        await setMark(ask, 'hashes', 0)
        return { result: undefined, isWritten: true }
      }),
  }
}

async function addRows(
  ask: Ask,
  { tables }: Session,
  namespace: Uint8Array,
  { rows, counts }: IndexBatch,
): Promise<void> {
  for (const [block, terms] of placesByBlock(rows)) {
    const keys = [...terms.keys()].map(keyBytes)
    const kept = new Map<string, Uint8Array>()
    const stored = `SELECT places FROM ${tables.terms} WHERE namespace = $1 AND block = $2::bigint AND term = asked`
    const text = `SELECT asked, places FROM ${eachOf('$3::text::bytea[]', stored)}`
    for (const [term, places] of await ask(text, [namespace, block, bytesArray(keys)])) {
      kept.set(latin(term), bytesOf(places))
    }
    const added = [...terms.values()].map((places, i) => addedPlaces(kept.get(latin(keys[i]!)), places))
    await ask(
      `INSERT INTO ${tables.terms} (namespace, block, term, places)
      SELECT $1, $2::bigint, term, places FROM unnest($3::text::bytea[], $4::text::bytea[]) AS new (term, places)
      ON CONFLICT (namespace, block, term) DO UPDATE SET places = excluded.places`,
      [namespace, block, bytesArray(keys), bytesArray(added)],
    )
  }
  const sums = new Map<string, IndexCount>()
  for (const one of counts) {
    const key = JSON.stringify([one.group, one.name])
    sums.set(key, { ...one, count: (sums.get(key)?.count ?? 0) + one.count })
  }
  if (sums.size === 0) return
  const all = [...sums.values()]
  await ask(
    `INSERT INTO ${tables.counts} AS kept (namespace, counted, key, name, count)
    SELECT $1, counted, key, name, count
    FROM unnest($2::text::bytea[], $3::text::bytea[], $4::text::bytea[], $5::text::bigint[]) AS new (counted, key, name, count)
    ON CONFLICT (namespace, counted, key) DO UPDATE SET count = kept.count + excluded.count`,
    [
      namespace,
      bytesArray(all.map(({ group }) => keyBytes(group))),
      bytesArray(all.map(({ name }) => keyBytes(name))),
      bytesArray(all.map(({ name }) => nameBytes(name))),
      numbersArray(all.map(({ count }) => count)),
    ],
  )
}

async function addHashes(ask: Ask, { tables }: Session, namespace: Uint8Array, { hashes }: HashBatch): Promise<void> {
  if (hashes.length === 0) return
  await ask(
    `INSERT INTO ${tables.hashes} (namespace, level, place, hash)
    SELECT $1, level, place, hash FROM unnest($2::text::int[], $3::text::bigint[], $4::text::bytea[]) AS new (level, place, hash)
    ON CONFLICT (namespace, level, place) DO UPDATE SET hash = excluded.hash`,
    [
      namespace,
      numbersArray(hashes.map(({ level }) => level)),
      numbersArray(hashes.map(({ index }) => index)),
      bytesArray(hashes.map(({ hash }) => hash)),
    ],
  )
}

function searchUntil(session: Session, namespace: Uint8Array, search: IndexSearch, mark: number): Promise<number[]> {
  return searchInSteps(
    search,
    mark,
    () => mostBlocks,
    async (terms, from, to) => {
      const keys = new Map(terms.map(term => [term, keyBytes(term)]))
      const cells = await readTerms(session, namespace, [...keys.values()], from, to)
      return (term, block) => cells.get(`${block} ${latin(keys.get(term)!)}`)
    },
  )
}

async function readTerms(
  { read, tables }: Session,
  namespace: Uint8Array,
  keys: readonly Uint8Array[],
  from: number,
  to: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (keys.length === 0) return new Map()
  const rows = await read(
    `SELECT at::float8, asked, places FROM generate_series($2::bigint, $3::bigint) AS at CROSS JOIN ${eachOf(
      '$4::text::bytea[]',
      `SELECT places FROM ${tables.terms} WHERE namespace = $1 AND block = at AND term = asked`,
    )}`,
    [namespace, from, to, bytesArray(keys)],
  )
  return new Map(rows.map(([block, term, places]) => [`${block} ${latin(term)}`, bytesOf(places)]))
}

/** The names of some groups with their counts, group by group, sorted by name. */
async function countsOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  groups: readonly string[],
): Promise<readonly IndexCount[]> {
  const keys = groups.map(keyBytes)
  const rows = await read(
    `SELECT asked, name, count FROM ${eachOf(
      '$2::text::bytea[]',
      `SELECT name, count::float8 FROM ${tables.counts} WHERE namespace = $1 AND counted = asked`,
    )}`,
    [namespace, bytesArray(keys)],
  )
  const found = rows.map(([counted, name, count]) => ({
    counted: latin(counted),
    name: nameOf(name),
    count: count as number,
  }))
  return groups.flatMap((group, i) =>
    found
      .filter(({ counted }) => counted === latin(keys[i]!))
      .map(({ name, count }) => ({ group, name, count }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
}

/** Bytes as a text that can be compared. */
function latin(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString('latin1')
}
