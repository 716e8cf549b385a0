/**
 * Makes again what a PostgreSQL store keeps beside the entries of a namespace, under the lock of its writers.
 *
 * No row has a checksum of ours: a server that was made with checksums of pages notices damage of its files by itself. What the entries
 * say differently is for the users of this contract to find out.
 */
import type { DerivedCell, DerivedCells, LogUpkeep, RebuiltCell } from '../../store/contract/upkeep.ts'
import { bytesArray, eachOf, nameBytes, nameOf, numbersArray } from './literals.ts'
import { recordToken } from './packs.ts'
import type { Session, Transaction } from './session.ts'

/** Returns the upkeep of a namespace. `onRebuild` is called before what was read of it is replaced. */
export function postgresUpkeep(session: Session, namespace: Uint8Array, onRebuild: () => void): LogUpkeep {
  const { tables } = session

  async function replace({ ask }: Transaction, kind: 'ref' | 'key', cells: readonly DerivedCell[]) {
    const table = kind === 'ref' ? tables.refs : tables.keys
    const rows = await ask(`SELECT name, seq::float8 FROM ${table} WHERE namespace = $1`, [namespace])
    const before = new Map(rows.map(([name, seq]) => [nameOf(name), seq as number]))
    const after = new Map(cells.map(({ name, seq }) => [name, seq]))
    const changed = [...new Set([...before.keys(), ...after.keys()])]
      .map((name): RebuiltCell => ({ kind, name, from: before.get(name) ?? null, to: after.get(name) ?? null }))
      .filter(({ from, to }) => from !== to)
    const gone = changed.filter(({ to }) => to === null)
    const put = changed.filter(({ to }) => to !== null)
    await ask(
      `DELETE FROM ${table} cell USING unnest($2::text::bytea[]) AS gone WHERE namespace = $1 AND cell.name = gone`,
      [namespace, bytesArray(gone.map(({ name }) => nameBytes(name)))],
    )
    await ask(
      `INSERT INTO ${table} (namespace, name, seq)
      SELECT $1, name, seq FROM unnest($2::text::bytea[], $3::text::bigint[]) AS new (name, seq)
      ON CONFLICT (namespace, name) DO UPDATE SET seq = excluded.seq`,
      [namespace, bytesArray(put.map(({ name }) => nameBytes(name))), numbersArray(put.map(({ to }) => to))],
    )
    return changed
  }

  async function rebuild(held: Transaction, { refs, keys }: DerivedCells): Promise<readonly RebuiltCell[]> {
    onRebuild()
    const changed = [...(await replace(held, 'ref', refs)), ...(await replace(held, 'key', keys))]
    for (const table of [tables.terms, tables.counts, tables.hashes, tables.marks]) {
      await held.ask(`DELETE FROM ${table} WHERE namespace = $1`, [namespace])
    }
    await held.ask(headText(session), [namespace, numbersArray([held.head.seq])])
    await recordToken(session, held, namespace)
    return changed
  }

  return {
    inspect: async () => [],
    rebuild: cells =>
      session.write(namespace, 'NO KEY UPDATE', async held => {
        if (held.head.seq !== cells.newest) return { result: undefined, isWritten: false }
        return { result: await rebuild(held, cells), isWritten: true }
      }),
  }
}

/** Sets what the row of a namespace says of its entries. The newest one is looked up by its number. */
const headText = ({ tables: { heads, entries, parts } }: Session): string => `
  UPDATE ${heads} h SET time = found.time, leaf = found.leaf,
    first_leaf = (SELECT leaf FROM ${entries} WHERE namespace = $1 AND seq = 1),
    pack_bytes = (SELECT coalesce(sum(octet_length(part)), 0) FROM ${entries} WHERE namespace = $1)
      + (SELECT coalesce(sum(octet_length(bytes)), 0) FROM ${parts} WHERE namespace = $1)
  FROM ${eachOf('$2::text::bigint[]', `SELECT time, leaf FROM ${entries} WHERE namespace = $1 AND seq = asked`)}
  WHERE h.namespace = $1`
