/** Migrations: the version of a branch, and migrating it. The migrations themselves are code of the app. */
import type { Repository } from 'agentstategraph'
import { type Migrations, migrations } from 'agentstategraph/schema'
import { z } from 'zod'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import { serverError } from '../../wire/errors.ts'
import { branchField, idField, whyFields, whyFrom } from '../../wire/fields.ts'
import { pacedMap } from '../../wire/pace/paced-value.ts'
import { migrationReportSchema, versionCheckSchema, wireMigrationReport, wireVersionCheck } from '../../wire/schema.ts'
import { inGroup, type Operation, type OperationContext, operation, reading } from '../operation.ts'

/** Repositories that the app's migrations were registered with. */
const registered = new WeakSet<object>()

/** The migrations of a repository, with those of the app. */
function migrationsOf(repo: Repository, { apps }: OperationContext): Migrations {
  const given = apps?.migrations
  if (given === undefined) throw serverError('app-missing', { what: 'migrations' })
  const { shared } = repo.handle
  const found = migrations(repo)
  // A store that was opened with its migrations has them registered already.
  if (shared.migrations !== undefined || registered.has(shared)) return found
  for (const migration of given) found.register(migration)
  registered.add(shared)
  return found
}

const checkMigrations = operation({
  name: 'check_migrations',
  summary: 'Show the version of a branch and the pending migrations',
  guidance: 'Needs an app with migrations. run_migrations migrates the branch to the latest version.',
  ...reading,
  input: () => ({ ref: branchField }),
  output: () => versionCheckSchema,
  route: 'GET /api/migrations',
  command: 'migrate check',
  examples: [{ title: 'is main up to date?', input: {} }],
  run: async (repo, { ref }, context) => wireVersionCheck(await migrationsOf(repo, context).check(ref)),
})

const runMigrations = operation({
  name: 'run_migrations',
  summary: 'Migrate branches to the latest version',
  guidance: 'Each migration lands as its own commit. Try dry_run first: it shows every change and writes nothing.',
  capability: 'migrate',
  effect: 'write',
  idempotent: true,
  input: () => ({
    refs: z.array(idField).min(1).max(1000).default(['main']).describe('The branches'),
    dry_run: z.boolean().default(false).describe('Only show what would change'),
  }),
  output: () => z.strictObject({ reports: z.array(migrationReportSchema) }),
  route: 'POST /api/migrations/run',
  command: 'migrate run [refs...]',
  runsIn: 'main',
  cost: 'maintenance',
  examples: [{ title: 'what would it do?', input: { dry_run: true } }],
  async run(repo, { refs, dry_run }, context) {
    const reports = await migrationsOf(repo, context).run(refs, { dryRun: dry_run })
    return { reports: await pacedMap(reports, report => wireMigrationReport(report, context.pace), context.pace) }
  },
})

const rollbackMigrations = operation({
  name: 'rollback_migrations',
  summary: 'Undo migrations down to a version',
  guidance: 'Later writes stay where they do not conflict. A conflict changes nothing.',
  capability: 'migrate',
  effect: 'write',
  idempotent: true,
  input: () => ({
    to: z.number().int().min(0).describe('The version to go back to'),
    ref: branchField,
    ...whyFields,
  }),
  output: () => commitSchema,
  route: 'POST /api/migrations/rollback',
  command: 'migrate rollback <to>',
  runsIn: 'main',
  cost: 'maintenance',
  examples: [{ title: 'back to version 1', input: { to: 1, ref: 'migrated', description: 'Readers are old' } }],
  run: async (repo, { to, ref, ...why }, context) =>
    wireCommit(await migrationsOf(repo, context).rollback(ref, to, whyFrom(why))),
})

const stampVersion = operation({
  name: 'stamp_version',
  summary: 'Set the version of a branch that has none',
  guidance: 'Use it for a state that is older than its migrations. A branch that already has a version is refused.',
  capability: 'migrate',
  effect: 'write',
  input: () => ({
    version: z.number().int().min(1).describe('The version'),
    ref: branchField,
  }),
  output: () => commitSchema,
  route: 'POST /api/migrations/stamp',
  command: 'migrate stamp <version>',
  runsIn: 'main',
  examples: [{ title: 'it is at version 1', input: { version: 1 } }],
  run: async (repo, { version, ref }) => wireCommit(await migrations(repo).stamp(ref, version)),
  again: async (repo, _input, { commit }) => wireCommit(await repo.at(commit!).head()),
})

export const migrationOperations: readonly Operation[] = inGroup('schema', [
  checkMigrations,
  runMigrations,
  rollbackMigrations,
  stampVersion,
])
