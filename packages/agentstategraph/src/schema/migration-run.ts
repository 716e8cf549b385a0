/**
 * Runs the migrations that a branch still needs, each as one commit, or all of them in memory.
 *
 * A migration receives the state as a transaction. Its changes, the schemas that it changed and the new version land
 * together. When another writer moves the branch first, the migration runs again on the new head.
 */

import {
  assertReadsBranch,
  branchRef,
  changesFrom,
  detailLink,
  getBranchHead,
  type Handle,
  judgeState,
  keepOpaque,
  landOnce,
  newTransaction,
  type Roots,
  reasonOf,
  type Written,
  withVersion,
  writtenFrom,
} from '../repo/index.ts'
import type { Change } from '../repository/index.ts'
import { transactionOn } from '../repository/transaction.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { diff, edit } from '../tree/index.ts'
import { schemaError } from './errors.ts'
import { prepareSchema } from './given-schema.ts'
import type { Migration, MigrationRegistry, SchemaEdits } from './registry.ts'
import { type SchemaChange, withSchemas } from './schema-edit.ts'
import { versionOn } from './version.ts'

/** One migration that ran, with its changes and commit. */
export interface MigrationStep {
  readonly name: string
  readonly from: number
  readonly to: number
  /** What it changes, including `/_meta`. */
  readonly changes: readonly Change[]
  /** Absent in a dry run. */
  readonly commit?: Written
}

/** What migrations did on a branch. */
export interface MigrationReport {
  readonly ref: string
  readonly isDryRun: boolean
  readonly steps: readonly MigrationStep[]
}

export async function runMigrations(
  handle: Handle,
  registry: MigrationRegistry,
  isDryRun: boolean,
): Promise<MigrationReport> {
  const { journal, branch } = handle
  const steps: MigrationStep[] = []
  await journal.run(assertReadsBranch(handle, branch))
  let head = await journal.run(getBranchHead(handle))
  for (;;) {
    const version = (await journal.run(versionOn(handle, head))) ?? 0
    const migration = nextMigration(branch, registry, version)
    if (migration === undefined) return { ref: branch, isDryRun, steps }
    const { name, from, to } = migration
    const done = await named(handle, migration, async () => {
      const made = await makeState(handle, migration, head)
      const changes = await journal.run(changesOf(handle, head, made))
      if (!isDryRun) return { changes, commit: await journal.run(landStep(handle, migration, head, made)) }
      await journal.run(judgeState(journal, head, made))
      head = { ...head, ...made }
      return { changes }
    })
    if (!isDryRun) head = await journal.run(getBranchHead(handle))
    // Another writer moved the branch, which may have another version now: it is read again.
    if ('commit' in done && done.commit === undefined) continue
    steps.push({ name, from, to, ...(done as Pick<MigrationStep, 'changes' | 'commit'>) })
  }
}

function nextMigration(ref: string, registry: MigrationRegistry, version: number): Migration | undefined {
  const chain = registry.chain()
  const latest = registry.version
  if (version === latest) return undefined
  if (version > latest) throw schemaError('version-newer', { ref, found: version, latest })
  const next = chain.find(({ from }) => from === version)
  if (next !== undefined) return next
  throw schemaError('migration-missing', { from: version, to: chain.find(({ to }) => to > version)!.to })
}

/** Adds the migration to an error that is thrown in it. */
async function named<T>({ branch }: Handle, { name, from, to }: Migration, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw schemaError('migration-failed', { ref: branch, name, from, to, reason }, { cause })
  }
}

/** Runs a migration on a state, in memory. */
async function makeState(handle: Handle, { migrate, to }: Migration, head: StoredCommit): Promise<Roots> {
  const { journal } = handle
  const draft = newTransaction(head)
  const schemas: SchemaChange[] = []
  const edits: SchemaEdits = {
    attach(pattern, schema, options = {}) {
      const prepared = prepareSchema(pattern, schema, options, journal.ids)
      const { record, opaque } = prepared
      if (opaque !== undefined && 'opaque' in record) keepOpaque(journal, record.opaque.id, opaque)
      schemas.push({ attach: prepared })
      return edits
    },
    detach(pattern) {
      schemas.push({ detach: pattern })
      return edits
    },
  }
  await migrate(transactionOn(handle, draft), edits)
  draft.isOver = true
  return journal.run(
    (function* (): Work<Roots> {
      const { root } = yield* edit(journal.context, head.tree, draft.edits)
      const system = yield* withSchemas(journal, head.system, schemas)
      return { tree: root, system: yield* withVersion(journal, system, to) }
    })(),
  )
}

function* changesOf({ journal: { context } }: Handle, before: Roots, after: Roots): Work<readonly Change[]> {
  const state = yield* diff(context, before.tree, after.tree)
  const beside = yield* diff(context, before.system, after.system)
  return yield* changesFrom(context, [...state, ...beside])
}

/** The commit of a migration; undefined when the branch has moved. */
function* landStep(
  handle: Handle,
  { name, to, describe }: Migration,
  head: StoredCommit,
  made: Roots,
): Work<Written | undefined> {
  const { branch } = handle
  const why = { description: `Migrate to version ${to}: ${name}`, reasoning: describe }
  const { info, ...reason } = reasonOf(handle, why, 'Migrate')
  const ref = branchRef(branch)
  const landing = { ref, head, ...made, info, ...detailLink(handle, reason), changesMeta: true }
  const outcome = yield* landOnce(handle, landing)
  return outcome.kind === 'done' ? yield* writtenFrom(handle, outcome.commit, true) : undefined
}
