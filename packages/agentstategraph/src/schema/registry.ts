/**
 * An ordered chain of migrations, each from one version to a later one.
 *
 * A version is a whole number; a state without one has version 0. A registry is independent of repositories and can be shared.
 */

import { checkOptions, optionsOf } from '../core/index.ts'
import type { Transaction } from '../repository/index.ts'
import { schemaError } from './errors.ts'
import type { AttachOptions, GivenSchema } from './given-schema.ts'

/** The schemas of the state, changed in the same commit as the state. */
export interface SchemaEdits {
  attach(pattern: string, schema: GivenSchema, options?: AttachOptions): SchemaEdits
  detach(pattern: string): SchemaEdits
}

/** One step from a version of a state to the next. */
export interface Migration {
  readonly from: number
  readonly to: number
  readonly name: string
  /** The reason, which becomes the reasoning of the commit. */
  readonly describe?: string | undefined
  /** Changes the state and the schemas. It runs again when another writer moves the branch first. */
  readonly migrate: (tx: Transaction, schemas: SchemaEdits) => unknown
}

const migrationOptions = optionsOf<Migration>('a migration', {
  from: true,
  to: true,
  name: true,
  describe: true,
  migrate: true,
})

/** Migrations in order, from the first version to the last. */
export interface MigrationRegistry {
  /** The version that the migrations lead to; 0 without any. */
  readonly version: number
  register(migration: Migration): MigrationRegistry
  /** All migrations in order. Throws when one between them is missing. */
  chain(): readonly Migration[]
}

/** Makes a registry that begins with these migrations. */
export function migrationRegistry(...migrations: readonly Migration[]): MigrationRegistry {
  const known: Migration[] = []
  const registry: MigrationRegistry = {
    get version() {
      return registry.chain().at(-1)?.to ?? 0
    },
    register(migration) {
      assertMigration(migration)
      const other = known.find(({ from, to }) => from < migration.to && migration.from < to)
      if (other !== undefined) throw schemaError('migration-ambiguous', { first: other.name, second: migration.name })
      known.push(migration)
      known.sort((a, b) => a.from - b.from)
      return registry
    },
    chain() {
      for (const [i, { from }] of known.entries()) {
        const last = known[i - 1]?.to ?? from
        if (last !== from) throw schemaError('migration-missing', { from: last, to: from })
      }
      return known
    },
  }
  for (const migration of migrations) registry.register(migration)
  return registry
}

function assertMigration(migration: Migration): void {
  const { from, to, name, migrate } = migration ?? ({} as Migration)
  const fail = (reason: string): Error => schemaError('migration-invalid', { name: String(name), reason })
  if (typeof name !== 'string' || name.trim() === '') throw fail('it has no name')
  for (const version of [from, to]) {
    if (!Number.isSafeInteger(version) || version < 0) throw fail(`${version} is no version`)
  }
  if (to <= from) throw fail(`${to} does not come after ${from}`)
  if (typeof migrate !== 'function') throw fail('there is no function that migrates')
  checkOptions(migrationOptions, migration)
}
