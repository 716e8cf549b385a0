/** Migrations: the version of a branch, and migrating it. The migrations themselves are code of the app. */
import { type Migrations, migrations } from 'agentstategraph/schema'
import { z } from 'zod'
import { commitSchema, wireCommit } from '../../wire/commit.ts'
import { serverError } from '../../wire/errors.ts'
import { branchField, idField, namespaceField, whyFields, whyFrom } from '../../wire/fields.ts'
import { migrationReportSchema, versionCheckSchema, wireMigrationReport, wireVersionCheck } from '../../wire/schema.ts'
import { type Operation, type OperationContext, operation, reading } from '../operation.ts'

/** Repositories that the app's migrations were registered with. */
const registered = new WeakSet<object>()

/** The migrations of a namespace, with those of the app. */
async function migrationsOf({ repo, apps }: OperationContext, namespace: string | undefined): Promise<Migrations> {
  const given = apps?.migrations
  if (given === undefined) throw serverError('app-missing', { what: 'migrations' })
  const opened = await repo(namespace)
  const { shared } = opened.handle
  const found = migrations(opened)
  // A store that was opened with its migrations has them registered already.
  if (shared.migrations !== undefined || registered.has(shared)) return found
  for (const migration of given) found.register(migration)
  registered.add(shared)
  return found
}

const checkMigrations = operation({
  name: 'check_migrations',
  group: 'schema',
  summary: 'Show the version of a branch and the pending migrations',
  guidance: 'Needs an app with migrations. run_migrations migrates the branch to the latest version.',
  ...reading,
  input: z.strictObject({ ref: branchField, namespace: namespaceField }),
  output: versionCheckSchema,
  route: 'GET /api/migrations',
  command: 'migrate check',
  tools: 'all',
  examples: [{ title: 'is main up to date?', input: {} }],
  async run(context, { ref, namespace }) {
    return wireVersionCheck(await (await migrationsOf(context, namespace)).check(ref))
  },
})

const runMigrations = operation({
  name: 'run_migrations',
  group: 'schema',
  summary: 'Migrate branches to the latest version',
  guidance: 'Each migration lands as its own commit. Try dry_run first: it shows every change and writes nothing.',
  capability: 'migrate',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    refs: z.array(idField).min(1).max(1000).default(['main']).describe('The branches'),
    dry_run: z.boolean().default(false).describe('Only show what would change'),
    namespace: namespaceField,
  }),
  output: z.strictObject({ reports: z.array(migrationReportSchema) }),
  route: 'POST /api/migrations/run',
  command: 'migrate run [refs...]',
  tools: 'all',
  runsIn: 'main',
  examples: [{ title: 'what would it do?', input: { dry_run: true } }],
  async run(context, { refs, dry_run, namespace }) {
    const reports = await (await migrationsOf(context, namespace)).run(refs, { dryRun: dry_run })
    return { reports: reports.map(wireMigrationReport) }
  },
})

const rollbackMigrations = operation({
  name: 'rollback_migrations',
  group: 'schema',
  summary: 'Undo migrations down to a version',
  guidance: 'Later writes stay where they do not conflict. A conflict changes nothing.',
  capability: 'migrate',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    to: z.number().int().min(0).describe('The version to go back to'),
    ref: branchField,
    ...whyFields,
    namespace: namespaceField,
  }),
  output: commitSchema,
  route: 'POST /api/migrations/rollback',
  command: 'migrate rollback <to>',
  tools: 'all',
  runsIn: 'main',
  examples: [{ title: 'back to version 1', input: { to: 1, ref: 'migrated', description: 'Readers are old' } }],
  async run(context, { to, ref, namespace, ...why }) {
    return wireCommit(await (await migrationsOf(context, namespace)).rollback(ref, to, whyFrom(why)))
  },
})

const stampVersion = operation({
  name: 'stamp_version',
  group: 'schema',
  summary: 'Set the version of a branch that has none',
  guidance: 'Use it for a state that is older than its migrations. A branch that already has a version is refused.',
  capability: 'migrate',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    version: z.number().int().min(1).describe('The version'),
    ref: branchField,
    namespace: namespaceField,
  }),
  output: commitSchema,
  route: 'POST /api/migrations/stamp',
  command: 'migrate stamp <version>',
  tools: 'all',
  runsIn: 'main',
  examples: [{ title: 'it is at version 1', input: { version: 1 } }],
  async run({ repo }, { version, ref, namespace }) {
    return wireCommit(await migrations(await repo(namespace)).stamp(ref, version))
  },
})

export const migrationOperations: readonly Operation[] = [
  checkMigrations,
  runMigrations,
  rollbackMigrations,
  stampVersion,
]
