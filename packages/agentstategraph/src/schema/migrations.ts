/**
 * The API of migrations: the version of each branch, dry runs, runs and rollbacks.
 *
 * The version is stored under `/_meta/version` and changes in the same commit as the state. So an interrupted run continues where it
 * stopped, and of two concurrent runs each step is done by one.
 */

import { checkOptions, hexOfId, optionsOf } from '../core/index.ts'
import {
  assertWritable,
  findVersion,
  getBranchHead,
  type Handle,
  landRoots,
  mergedRoots,
  type Restored,
  type Roots,
  receipted,
  repoError,
  requestOf,
  stamp,
  stateBefore,
  type Why,
  type Written,
} from '../repo/index.ts'
import { whyOptions } from '../repository/call-options.ts'
import type { Repository } from '../repository/index.ts'
import { readCommit, type StoredCommit, type Work } from '../store/index.ts'
import { schemaError } from './errors.ts'
import { assertCategory } from './meta-category.ts'
import { type MigrationReport, runMigrations } from './migration-run.ts'
import { type Migration, type MigrationRegistry, migrationRegistry } from './registry.ts'
import { type VersionCheck, versionCheck, versionOn } from './version.ts'

/** The migrations of a repository. */
export interface Migrations {
  register(migration: Migration): Migrations
  /** Compares the version of a branch with the migrations. */
  check(ref: string): Promise<VersionCheck>
  /** Migrates branches to the last version, each migration as one commit; with `dryRun`, only returns the changes. */
  run(refs: string | readonly string[], options?: MigrateOptions): Promise<readonly MigrationReport[]>
  /** Rolls migrations back, down to a version, and keeps later writes. A conflict is thrown, as by `merge`. */
  rollback(ref: string, to: number, why: Why): Promise<Written>
  /** Sets the version of a branch that has none. */
  stamp(ref: string, version: number): Promise<Written>
}

/** Options of `run` of migrations. */
export interface MigrateOptions {
  dryRun?: boolean | undefined
}

const runOptions = optionsOf<MigrateOptions>('run of migrations', { dryRun: true })
const rollbackWhy = whyOptions('rollback of migrations')

const registries = new WeakMap<object, MigrationRegistry>()

/** The migrations of a repository: those it was opened with, and those registered here. */
export function migrations(repo: Pick<Repository, 'handle'>): Migrations {
  const { handle } = repo
  const { journal, shared } = handle
  const registry = registryOf(handle)

  function on(branch: string): Handle {
    if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
    return { ...handle, branch }
  }

  function writableOn(branch: string, operation: string): Handle {
    assertWritable(shared, operation)
    return on(branch)
  }

  const found: Migrations = {
    register(migration) {
      registry.register(migration)
      return found
    },
    async check(ref) {
      return journal.run(versionCheck(on(ref), registry))
    },
    async run(refs, options = {}) {
      checkOptions(runOptions, options)
      const { dryRun = false } = options
      const reports: MigrationReport[] = []
      for (const ref of typeof refs === 'string' ? [refs] : refs) {
        const target = dryRun ? on(ref) : writableOn(ref, 'migrations.run')
        reports.push(await runMigrations(target, registry, dryRun))
      }
      return reports
    },
    async rollback(ref, to, why) {
      if (typeof why !== 'string') checkOptions(rollbackWhy, why)
      const target = writableOn(ref, 'migrations.rollback')
      return receipted(handle, await journal.run(rollback(target, to, why)))
    },
    async stamp(ref, version) {
      const target = writableOn(ref, 'migrations.stamp')
      return receipted(handle, await journal.run(stampUnversioned(target, version)))
    },
  }
  return found
}

function registryOf({ shared }: Handle): MigrationRegistry {
  const given = shared.migrations
  // The option of `open` needs only a version, so it may be an object that is no registry.
  const own = given !== undefined && 'chain' in given ? (given as MigrationRegistry) : undefined
  const known = own ?? registries.get(shared) ?? migrationRegistry()
  registries.set(shared, known)
  return known
}

function* stampUnversioned(handle: Handle, version: number): Work<Written> {
  if (!Number.isSafeInteger(version) || version < 1) {
    throw schemaError('version-corrupt', { ref: handle.branch, found: version })
  }
  const at = yield* versionOn(handle, yield* getBranchHead(handle))
  if (at !== undefined) throw schemaError('version-stamped', { ref: handle.branch, version: at })
  return (yield* stamp(handle, version, false))!
}

/** Undoes the changes of each migration to the state and to `/_meta`, newest first. */
function* rollback(handle: Handle, to: number, why: Why): Work<Written> {
  assertCategory(why, 'Rollback')
  const request = requestOf(handle, why, 'migrations.rollback', [to])
  const rootsOn = function* (head: StoredCommit): Work<Roots> {
    let roots: Roots = head
    let from = head
    for (;;) {
      const version = (yield* versionOn(handle, roots)) ?? 0
      if (version === to) return roots
      const unreachable = schemaError('version-unreachable', { ref: handle.branch, version, to })
      const migrated = version < to ? undefined : yield* findMigrated(handle, from, version)
      if (migrated === undefined) throw unreachable
      const before = yield* stateBefore(handle, migrated)
      roots = yield* mergedRoots(handle, migrated, roots, before, hexOfId(migrated.id))
      if (migrated.parents.length === 0) return roots
      from = yield* readCommit(handle.journal, migrated.parents[0]!)
    }
  }
  return yield* landRoots(handle, request, function* (head): Work<Restored> {
    return { roots: yield* rootsOn(head), why, category: 'Rollback', changesMeta: true }
  })
}

/** The newest commit that raised the state to a version. For a merge, the merged commit that did. */
function* findMigrated({ journal }: Handle, head: StoredCommit, version: number): Work<StoredCommit | undefined> {
  let commit = head
  for (;;) {
    const [first, second] = commit.parents
    if (first === undefined) return undefined
    const before = yield* readCommit(journal, first)
    const isRaised =
      (yield* findVersion(journal, commit.system)) === version &&
      (((yield* findVersion(journal, before.system)) ?? 0) as number) < version
    if (isRaised && second === undefined) return commit
    commit = isRaised ? yield* readCommit(journal, second!) : before
  }
}
