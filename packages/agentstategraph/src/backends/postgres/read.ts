/** Reads a namespace. Each call is one statement, and so one snapshot. */
import type {
  Checked,
  Column,
  FoundCommit,
  Head,
  PartPointer,
  RefCell,
  RefPart,
  Seen,
  StoredEntry,
  StoredPart,
} from '../../store/contract/backend.ts'
import type { Row } from './connection.ts'
import { nameBytes, nameOf, numbersArray } from './literals.ts'
import type { Session } from './session.ts'

/** Numbers beyond this are not compared as numbers of entries. */
export const largestSeq: number = Number.MAX_SAFE_INTEGER

/** The entries of a range, with the requested columns. */
export async function entriesOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  from: number,
  to: number,
  columns: readonly Column[],
): Promise<readonly StoredEntry[]> {
  const [hasText, hasCommit, hasPart] = (['text', 'commit', 'part'] as const).map(one => columns.includes(one))
  const rows = await read(
    `SELECT seq::float8, leaf, time, ${hasText ? 'text' : 'NULL'}, ${hasCommit ? 'commit_id, commit_text' : 'NULL, NULL'},
      ${hasPart ? 'part' : 'NULL'}
    FROM ${tables.entries} WHERE namespace = $1 AND seq BETWEEN $2::bigint AND $3::bigint ORDER BY seq`,
    [namespace, Math.max(from, 0), Math.min(to, largestSeq)],
  )
  return rows.map(entryOf)
}

/** An entry from a row of number, leaf, time, text, commit and first part. */
export function entryOf([seq, leaf, time, text, id, commitText, part]: Row): StoredEntry {
  return {
    seq: seq as number,
    leaf: leaf as string,
    time: time as number,
    text: text === null ? '' : nameOf(text),
    commit: id === null ? undefined : { id: id as string, text: nameOf(commitText) },
    part: part === null ? undefined : bytesOf(part),
  }
}

/** The part that holds each pointer's node. A part that several pointers lead to is sent once. */
export async function partsOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  pointers: readonly PartPointer[],
): Promise<readonly (StoredPart | undefined)[]> {
  if (pointers.length === 0) return []
  const rows = await read(
    `WITH asked AS (
      SELECT e.seq, coalesce(p.first, 0) AS first, array_agg(n) AS places
      FROM unnest($2::text::bigint[], $3::text::bigint[]) WITH ORDINALITY AS pointer (seq, index, n)
        JOIN ${tables.entries} e ON e.namespace = $1 AND e.seq = pointer.seq AND e.part IS NOT NULL
        LEFT JOIN LATERAL (
          SELECT first FROM ${tables.parts} later
          WHERE later.namespace = $1 AND later.seq = pointer.seq AND later.first <= pointer.index
          ORDER BY later.first DESC LIMIT 1
        ) p ON e.later <= pointer.index
      GROUP BY 1, 2
    )
    SELECT asked.seq::float8, asked.first, array_to_string(places, ','),
      CASE WHEN asked.first = 0 THEN
        (SELECT part FROM ${tables.entries} e WHERE e.namespace = $1 AND e.seq = asked.seq)
      ELSE
        (SELECT bytes FROM ${tables.parts} p WHERE p.namespace = $1 AND p.seq = asked.seq AND p.first = asked.first)
      END
    FROM asked`,
    [namespace, numbersArray(pointers.map(({ seq }) => seq)), numbersArray(pointers.map(({ index }) => index))],
  )
  const found = new Array<StoredPart | undefined>(pointers.length).fill(undefined)
  for (const [seq, first, places, bytes] of rows as [number, number, string, Uint8Array][]) {
    const part = { seq, first, bytes: bytesOf(bytes) }
    for (const place of places.split(',')) found[Number(place) - 1] = part
  }
  return found
}

/** The commits whose id begins with a prefix, oldest first. */
export async function commitsOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  prefix: string,
  limit: number,
): Promise<readonly FoundCommit[]> {
  if (!/^[0-9a-f]*$/.test(prefix)) return []
  // No digit comes after "f", so "g" is after every id that begins with the prefix.
  const rows = await read(
    `SELECT seq::float8, commit_id FROM ${tables.entries}
    WHERE namespace = $1 AND commit_id >= $2::text COLLATE "C" AND commit_id < $3::text COLLATE "C"
    ORDER BY seq LIMIT $4::bigint`,
    [namespace, prefix, `${prefix}g`, Math.min(limit, largestSeq)],
  )
  return rows.map(([seq, id]) => ({ seq: seq as number, id: id as string }))
}

/** The entry that a name of `refs` or `keys` leads to. */
export async function cellOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  table: 'refs' | 'keys',
  name: string,
): Promise<number | null> {
  const text = `SELECT seq::float8 FROM ${tables[table]} WHERE namespace = $1 AND name = $2`
  const [row] = await read(text, [namespace, nameBytes(name)])
  return (row?.[0] as number | undefined) ?? null
}

/** The refs whose names begin with a prefix, sorted by name. */
export async function refsOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  prefix: string,
  { after, limit }: RefPart = { limit: largestSeq },
): Promise<readonly RefCell[]> {
  // No byte of UTF-8 is 0xff, so this is after every name that begins with the prefix.
  const end = Buffer.concat([nameBytes(prefix), Buffer.of(0xff)])
  const rows = await read(
    `SELECT name, seq::float8 FROM ${tables.refs}
    WHERE namespace = $1 AND name >= $2 AND name < $3 AND ($4::bytea IS NULL OR name > $4::bytea)
    ORDER BY name LIMIT $5::bigint`,
    [namespace, nameBytes(prefix), end, after === undefined ? null : nameBytes(after), Math.min(limit, largestSeq)],
  )
  return rows.map(([name, seq]) => ({ name: nameOf(name), seq: seq as number }))
}

/** The newest entry. */
export async function headOf({ read, tables }: Session, namespace: Uint8Array): Promise<Head> {
  const [row] = await read(`SELECT seq::float8, time FROM ${tables.heads} WHERE namespace = $1`, [namespace])
  return { seq: (row?.[0] as number | undefined) ?? 0, time: (row?.[1] as number | undefined) ?? 0 }
}

/** Whether the journal holds what was seen of it, and its newest entry. */
export async function checkOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  seen: Seen | undefined,
): Promise<Checked> {
  const [row] = await read(
    `SELECT first_leaf, seq::float8, leaf,
      (SELECT leaf FROM ${tables.entries} e WHERE e.namespace = $1 AND e.seq = $2::bigint)
    FROM ${tables.heads} WHERE namespace = $1 AND seq > 0`,
    [namespace, seen?.seq ?? null],
  )
  if (row === undefined) return seen === undefined ? { kind: 'same', newest: undefined } : { kind: 'replaced' }
  const [first, seq, leaf, atSeen] = row as [string, number, string, string | null]
  if (seen !== undefined && (first !== seen.first || atSeen !== seen.leaf)) return { kind: 'replaced' }
  return { kind: 'same', newest: { first, seq, leaf } }
}

/** The bytes of the packs of a range of entries. */
export async function packBytesOf(
  { read, tables }: Session,
  namespace: Uint8Array,
  from: number,
  to: number,
): Promise<number> {
  const within = 'namespace = $1 AND seq BETWEEN $2::bigint AND $3::bigint'
  const [row] = await read(
    `SELECT ((SELECT coalesce(sum(octet_length(part)), 0) FROM ${tables.entries} WHERE ${within})
      + (SELECT coalesce(sum(octet_length(bytes)), 0) FROM ${tables.parts} WHERE ${within}))::float8`,
    [namespace, Math.max(from, 0), Math.min(to, largestSeq)],
  )
  return row![0] as number
}

/** A driver may give a part of a larger buffer, and a kept part would keep all of it. */
export function bytesOf(bytes: unknown): Uint8Array {
  return new Uint8Array(bytes as Uint8Array)
}
