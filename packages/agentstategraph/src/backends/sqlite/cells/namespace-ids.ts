/**
 * The numbers of namespaces.
 *
 * The table and its unique index hold every name, in two trees, and the row that says where a journal ends has a checksum over
 * the name of its namespace. So a namespace that is damaged or hidden is never taken for another, nor for one that does not
 * exist.
 */
import { backendError } from '../../errors.ts'
import type { SqliteDatabase } from '../module.ts'
import { maxNamespaces } from '../tables.ts'
import { checkedValue, markLiteral, markName, nameOf, type Space } from './row-form.ts'

/** A namespace, and the newest entry of its journal. */
export interface FoundNamespace {
  readonly id: number
  readonly newest: number
}

export interface NamespaceIds {
  /** Undefined when there is no such namespace. */
  find(space: Space): FoundNamespace | undefined
  /** Its number, also when it is not known where its journal ends. */
  idOf(space: Space): number | undefined
  /** Gives a number to a namespace that has none. */
  add(space: Space): number
  /** All names, sorted. */
  names(): readonly string[]
}

interface ReadNamespace {
  readonly id: number
  readonly name: unknown
}

/** Prepares the statements. */
export function namespaceIds(database: SqliteDatabase, file: string): NamespaceIds {
  const found = database.prepare(`
    SELECT n.id, r.value, r.checksum FROM namespaces n
    LEFT JOIN refs r ON r.namespace = n.id AND r.name = ${markLiteral} WHERE n.name = ?`)
  const scanned = database.prepare('SELECT id FROM namespaces NOT INDEXED WHERE name = ?')
  const table = database.prepare('SELECT id, name FROM namespaces NOT INDEXED')
  const index = database.prepare('SELECT id, name FROM namespaces INDEXED BY sqlite_autoindex_namespaces_1')
  const newest = database.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM namespaces')
  const used = database.prepare('SELECT 1 FROM refs WHERE namespace = ? LIMIT 1')
  const insert = database.prepare('INSERT INTO namespaces VALUES (?, ?)')

  function damaged(): Error {
    return backendError('store-damaged', { file, reason: 'its list of namespaces is not what was written' })
  }

  function textOf({ id, name }: ReadNamespace): string {
    if (!(name instanceof Uint8Array)) throw damaged()
    return `${nameOf(name)}\n${id}`
  }

  return {
    find(space) {
      const row = found.get(space.bytes) as { id: number; value: unknown; checksum: unknown } | undefined
      if (row !== undefined)
        return { id: row.id, newest: checkedValue(space, 'refs', markName, row.value, row.checksum) }
      if (scanned.get(space.bytes) !== undefined && found.get(space.bytes) === undefined) throw damaged()
      return undefined
    },
    idOf(space) {
      const [inTable, inIndex] = [scanned, found].map(
        statement => statement.get(space.bytes) as { id: number } | undefined,
      )
      if (inTable?.id !== inIndex?.id) throw damaged()
      return inTable?.id
    },
    add(space) {
      const { id } = newest.get() as { id: number }
      if (id > maxNamespaces) throw backendError('namespaces-full', { file, max: maxNamespaces })
      if (used.get(id) !== undefined) throw damaged()
      insert.run(id, space.bytes)
      return id
    },
    names() {
      const [inTable, inIndex] = [table, index].map(statement =>
        (statement.all() as ReadNamespace[]).map(textOf).sort(),
      )
      if (JSON.stringify(inTable) !== JSON.stringify(inIndex)) throw damaged()
      return inTable!.map(text => text.slice(0, text.lastIndexOf('\n'))).sort()
    },
  }
}
