/** The errors of schemas and migrations. */

import { type ErrorMaker, errorsOf } from '../core/index.ts'
import type {} from '../repository/errors.ts'

/** What each error code of schemas carries. */
export interface SchemaErrors {
  'schema-not-found': { pattern: string; known: readonly string[] }
  'schema-enforcement-invalid': { pattern: string; found: unknown }
  'migration-invalid': { name: string; reason: string }
  'migration-ambiguous': { first: string; second: string }
  'migration-missing': { from: number; to: number }
  'migration-failed': { ref: string; name: string; from: number; to: number; reason: string }
  'version-corrupt': { ref: string; found: unknown }
  'version-newer': { ref: string; found: number; latest: number }
  'version-unreachable': { ref: string; version: number; to: number }
  'version-stamped': { ref: string; version: number }
}

declare module '../repository/errors.ts' {
  interface StateErrorData extends SchemaErrors {}
}

export const schemaError: ErrorMaker<SchemaErrors> = errorsOf<SchemaErrors>({
  'schema-not-found': ({ pattern, known }) => [
    `No schema is attached to "${pattern}".`,
    known.length === 0 ? 'None is attached on this branch.' : `Attached on this branch: ${known.join(', ')}`,
  ],
  'schema-enforcement-invalid': ({ pattern, found }) => [
    `${JSON.stringify(found) ?? String(found)} is not an enforcement for the schema of "${pattern}".`,
    'Use strict (the default), warn or off.',
  ],
  'migration-invalid': ({ name, reason }) => [
    `The migration "${name}" is refused: ${reason}.`,
    'A migration leads from a whole number to a larger one, and has a name and a function.',
  ],
  'migration-ambiguous': ({ first, second }) => [
    `The migrations "${first}" and "${second}" overlap.`,
    'Remove one of them: migrations form one chain, and each has versions of its own.',
  ],
  'migration-missing': ({ from, to }) => [
    `No migration leads from version ${from} to version ${to}.`,
    from === 0
      ? 'A state without a version counts as 0. Register a migration from 0, or set the version with stamp.'
      : 'Register the missing migration.',
  ],
  'migration-failed': ({ ref, name, from, to, reason }) => [
    `The migration "${name}" of "${ref}" from version ${from} to ${to} failed: ${reason}`,
    `"${ref}" is still at version ${from}. Run the migrations again when the cause is fixed; earlier ones are kept.`,
  ],
  'version-corrupt': ({ ref, found }) => [
    `The version of "${ref}" is not valid: ${JSON.stringify(found) ?? String(found)}.`,
    'A version is a whole number of 1 or more. If an invalid one is stored, roll back to a commit before it.',
  ],
  'version-newer': ({ ref, found, latest }) => [
    `"${ref}" is at version ${found}, and the migrations here end at ${latest}.`,
    'Use the newer program, or roll the migration back with it.',
  ],
  'version-unreachable': ({ ref, version, to }) => [
    `"${ref}" is at version ${version}, and no migration in its history leads there from version ${to}.`,
    'Only migrations in the history of the branch can be rolled back.',
  ],
  'version-stamped': ({ ref, version }) => [
    `"${ref}" already has version ${version}.`,
    'stamp sets the version of a branch that has none.',
  ],
})
