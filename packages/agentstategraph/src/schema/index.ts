/** Schemas of states, and migrations. */

export type { Enforcement, SchemaWarning, Violation } from '../repo/index.ts'
export type { SchemaErrors } from './errors.ts'
export type { AttachOptions, GivenSchema } from './given-schema.ts'
export type { MigrationReport, MigrationStep } from './migration-run.ts'
export { type MigrateOptions, type Migrations, migrations } from './migrations.ts'
export { type Migration, type MigrationRegistry, migrationRegistry, type SchemaEdits } from './registry.ts'
export { type AttachedSchema, type SchemaReport, type Schemas, schemas } from './schemas.ts'
export type { VersionCheck, VersionStatus } from './version.ts'
