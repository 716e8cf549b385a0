/** Packs that are stored anew or dropped, and namespaces that are dropped, each under the lock of the namespace. */
import type { NewPart, Repack, Seen } from '../../store/contract/backend.ts'
import { eachOf, nameBytes, numbersArray } from './literals.ts'
import type { Session, Transaction } from './session.ts'
import { assertFormat } from './tables.ts'

/** Stores packs anew; an entry without a pack stays as it is. Returns how many bytes more the packs then have. */
export async function storeAnew(
  { tables }: Session,
  { ask }: Transaction,
  namespace: Uint8Array,
  repacks: readonly Repack[],
): Promise<number> {
  let more = 0
  for (const { seq, parts } of repacks) {
    const sizes = await ask(
      `SELECT octet_length(part), (SELECT coalesce(sum(octet_length(bytes)), 0) FROM ${tables.parts}
        WHERE namespace = $1 AND seq = $2::bigint)
      FROM ${tables.entries} WHERE namespace = $1 AND seq = $2::bigint AND part IS NOT NULL`,
      [namespace, seq],
    )
    if (sizes[0] === undefined) continue
    more += sizeOf(parts) - Number(sizes[0][0]) - Number(sizes[0][1])
    await ask(`DELETE FROM ${tables.parts} WHERE namespace = $1 AND seq = $2::bigint`, [namespace, seq])
    const [part, ...others] = parts
    const update = `UPDATE ${tables.entries} SET part = $3, later = $4::int WHERE namespace = $1 AND seq = $2::bigint`
    await ask(update, [namespace, seq, part!.bytes, others[0]?.first ?? null])
    const insert = `INSERT INTO ${tables.parts} (namespace, seq, first, bytes) VALUES ($1, $2::bigint, $3::int, $4)`
    for (const { first, bytes } of others) await ask(insert, [namespace, seq, first, bytes])
  }
  return more
}

function sizeOf(parts: readonly NewPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

const dropText = ({ heads, entries, parts }: Session['tables']): string => `
  WITH gone AS (
    DELETE FROM ${parts} p USING unnest($2::text::bigint[]) AS asked
    WHERE namespace = $1 AND p.seq = asked RETURNING octet_length(bytes) AS size
  ), old AS (
    SELECT asked AS seq, size FROM ${eachOf(
      '$2::text::bigint[]',
      `SELECT octet_length(part) AS size FROM ${entries} WHERE namespace = $1 AND seq = asked AND part IS NOT NULL`,
    )}
  ), emptied AS (
    UPDATE ${entries} e SET part = NULL, later = NULL FROM old WHERE e.namespace = $1 AND e.seq = old.seq
  )
  UPDATE ${heads} SET pack_bytes = pack_bytes - (SELECT coalesce(sum(size), 0) FROM gone)
    - (SELECT coalesce(sum(size), 0) FROM old)
  WHERE namespace = $1`

/** Drops packs, if `newest` is the newest entry. */
export function dropPacks(
  session: Session,
  namespace: Uint8Array,
  seqs: readonly number[],
  newest: Seen,
): Promise<boolean> {
  return session.write(namespace, 'NO KEY UPDATE', async held => {
    const { head, ask } = held
    const isNewest = head.first === newest.first && head.seq === newest.seq && head.leaf === newest.leaf
    if (!isNewest || seqs.length === 0) return { result: isNewest, isWritten: false }
    await ask(dropText(session.tables), [namespace, numbersArray(seqs)])
    await recordToken(session, held, namespace)
    return { result: true, isWritten: true }
  })
}

/** Deletes a namespace. What its writers did last stays known, for those whose answer was lost. */
export async function dropNamespace(session: Session, name: string): Promise<void> {
  const namespace = nameBytes(name)
  const { heads, entries, parts, refs, keys, marks, terms, counts, hashes } = session.tables
  await session.write(namespace, 'UPDATE', async held => {
    if (held.head.seq === 0) return { result: undefined, isWritten: false }
    for (const table of [heads, entries, parts, refs, keys, marks, terms, counts, hashes]) {
      await held.ask(`DELETE FROM ${table} WHERE namespace = $1`, [namespace])
    }
    await recordToken(session, held, namespace)
    return { result: undefined, isWritten: true }
  })
}

/** Records the token of a transaction, which must not write to tables that a newer version has changed meanwhile. */
export async function recordToken(
  { tables, place }: Session,
  { ask, writer, token }: Transaction,
  namespace: Uint8Array,
): Promise<void> {
  const [row] = await ask(
    `INSERT INTO ${tables.writers} (namespace, writer, token, at) VALUES ($1, $2, $3::bigint, now())
    ON CONFLICT (namespace, writer) DO UPDATE SET token = excluded.token, at = excluded.at
    RETURNING (SELECT version::float8 FROM ${tables.format})`,
    [namespace, writer, token],
  )
  assertFormat(place, row![0] as number)
}
