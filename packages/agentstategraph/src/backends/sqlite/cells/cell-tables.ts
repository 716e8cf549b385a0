/** The tables of names with a number each, of one connection. */

import type { SqliteDatabase } from '../module.ts'
import { type NamedValues, namedValues } from './named-values.ts'
import { type NamespaceIds, namespaceIds } from './namespace-ids.ts'
import type { NamedTable } from './row-form.ts'

export interface CellTables extends Readonly<Record<NamedTable, NamedValues>> {
  readonly namespaces: NamespaceIds
}

/** Prepares the statements of all tables. */
export function cellTables(database: SqliteDatabase, file: string): CellTables {
  const namespaces = namespaceIds(database, file)
  const valuesOf = (table: NamedTable): NamedValues => namedValues(database, table, namespaces)
  return {
    namespaces,
    refs: valuesOf('refs'),
    keys: valuesOf('keys'),
    ids: valuesOf('ids'),
    counts: valuesOf('counts'),
  }
}
