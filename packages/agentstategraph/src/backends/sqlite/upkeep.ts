/**
 * Finds damage in what a SQLite store keeps beside the entries of a namespace, and makes it again.
 *
 * SQLite checks the structure of the file; the checksums check what is in it. Where the structure of derived tables is
 * damaged, the file is written anew before they are filled: SQLite then copies all rows into new trees.
 */
import { setImmediate } from 'node:timers/promises'
import { isStateError } from '../../core/index.ts'
import type { HashPlace } from '../../store/contract/index-log.ts'
import { nowOrWhenFree } from '../../store/contract/lock.ts'
import type { DerivedCells, LogUpkeep, RebuiltCell, UpkeepFault } from '../../store/contract/upkeep.ts'
import { backendError } from '../errors.ts'
import type { CellTables } from './cells/cell-tables.ts'
import { isCount, markName, nameBytes, namedTables, nameOf, type Space, spaceOf, sumOfValue } from './cells/row-form.ts'
import type { Connection } from './connection.ts'
import { hashChecker } from './index/hashes.ts'
import { placesChecker, type TermPlace } from './index/term-places.ts'
import { namespaceSpan } from './tables.ts'

/** The tables that nothing else can give back. */
const journalTables = ['namespaces', 'entries', 'parts']

/** Prepares the statements; returns the upkeep of a namespace. `onWrote` is called after a rebuild. */
export function sqliteUpkeep(
  connection: Connection,
  tables: CellTables,
  onWrote: () => void,
): (namespace: string) => LogUpkeep {
  const { database, file, lock, read, readTogether, vacuum, write } = connection
  const { namespaces } = tables
  const checkTerms = placesChecker(database)
  const checkHashes = hashChecker(database)
  const newest = database.prepare(`
    SELECT id & ${namespaceSpan - 1} AS seq FROM entries WHERE id BETWEEN ?1 AND ?1 + ${namespaceSpan - 1}
    ORDER BY entries.id DESC LIMIT 1`)
  const rows = { refs: rowsOf('refs'), keys: rowsOf('keys') }
  const clear = [...namedTables, 'terms', 'hashes'].map(table =>
    database.prepare(`DELETE FROM ${table} WHERE namespace = ?`),
  )

  function rowsOf(table: 'refs' | 'keys'): (id: number) => unknown[] {
    const statement = database.prepare(
      `SELECT name, CAST(value AS REAL) AS value, checksum FROM ${table} WHERE namespace = ?`,
    )
    return id => statement.all(id)
  }

  /** What SQLite finds wrong with the structure of some tables, or of the whole file. */
  function structureFaults(table?: string): readonly string[] {
    const found = read(() =>
      database.prepare(`PRAGMA store.integrity_check${table === undefined ? '' : `(${table})`}`).all(),
    )
    return (found as { integrity_check: string }[]).map(row => row.integrity_check).filter(text => text !== 'ok')
  }

  async function* findFaults(space: Space): AsyncGenerator<UpkeepFault> {
    for (const what of structureFaults()) yield { where: 'file', what }
    readTogether(namespaces.names)
    const id = readTogether(() => namespaces.idOf(space))
    if (id === undefined) return
    for (const table of namedTables) {
      yield* faultsIn<Uint8Array>(table, from => tables[table].checkAfter(space, id, from))
    }
    yield* faultsIn<TermPlace>('terms', from => checkTerms(space, id, from))
    yield* faultsIn<HashPlace>('hashes', from => checkHashes(space, id, from))
  }

  /** Checks a table piece by piece, each in a snapshot of its own, so that other work can be done in between. */
  async function* faultsIn<From>(
    table: string,
    check: (from: From | undefined) => From | undefined,
  ): AsyncGenerator<UpkeepFault> {
    try {
      for (let from: From | undefined; ; ) {
        from = readTogether(() => check(from))
        if (from === undefined) return
        await setImmediate()
      }
    } catch (error) {
      if (!isStateError(error)) throw error
      const { what, reason } = error.data as { readonly what?: string; readonly reason?: string }
      if (error.code === 'derived-corrupt') yield { where: what!, what: reason! }
      else if (error.code === 'store-damaged') yield { where: `table ${table}`, what: reason! }
      else throw error
    }
  }

  function mendStructure(): void {
    if (structureFaults().length === 0) return
    const faults = journalTables.flatMap(structureFaults)
    if (faults.length > 0) throw backendError('store-damaged', { file, reason: faults[0]! })
    vacuum()
  }

  function replace(space: Space, cells: DerivedCells): readonly RebuiltCell[] | undefined {
    const id = namespaces.idOf(space)
    if (id === undefined) return []
    const last = newest.get(id * namespaceSpan) as { seq: number }
    if (last.seq !== cells.newest) return undefined
    const changed = (['refs', 'keys'] as const).flatMap(table => changesOf(space, table, rows[table](id), cells[table]))
    for (const statement of clear) statement.run(id)
    for (const table of ['refs', 'keys'] as const) {
      for (const { name, seq } of cells[table]) tables[table].put(space, id, nameBytes(name), seq)
    }
    tables.refs.put(space, id, markName, cells.newest)
    return changed
  }

  return namespace => {
    const space = spaceOf(namespace)
    return {
      async inspect() {
        const found: UpkeepFault[] = []
        try {
          for await (const fault of findFaults(space)) found.push(fault)
        } catch (error) {
          if (!isStateError(error, 'store-damaged')) throw error
          found.push({ where: 'file', what: error.message })
        }
        return found
      },
      async rebuild(cells) {
        const changed = await nowOrWhenFree(lock, () => {
          mendStructure()
          return write('FULL', () => replace(space, cells))
        })
        onWrote()
        return changed
      },
    }
  }
}

/** The cells of a table that were not what they are going to be. */
function changesOf(
  space: Space,
  table: 'refs' | 'keys',
  stored: readonly unknown[],
  cells: DerivedCells['refs'],
): readonly RebuiltCell[] {
  const kind = table === 'refs' ? 'ref' : 'key'
  const old = new Map<string, number | undefined>()
  for (const { name, value, checksum } of stored as { name: unknown; value: number; checksum: unknown }[]) {
    if (!(name instanceof Uint8Array) || name.length === 1) continue
    const isWhole = isCount(value) && checksum === sumOfValue(space, table, name, value)
    old.set(nameOf(name), isWhole ? value : undefined)
  }
  const changed = cells.flatMap(({ name, seq }): RebuiltCell[] => {
    const from = old.has(name) ? old.get(name) : null
    old.delete(name)
    return from === seq ? [] : [{ kind, name, from, to: seq }]
  })
  return [...changed, ...[...old].map(([name, from]): RebuiltCell => ({ kind, name, from, to: null }))]
}
