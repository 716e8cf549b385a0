/** Every error of schemas and migrations that the layers below do not know: its code, what it carries, and its words. */

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
    `The schema for "${pattern}" cannot be enforced ${JSON.stringify(found) ?? String(found)}.`,
    'Say strict (the default), warn or off.',
  ],
  'migration-invalid': ({ name, reason }) => [
    `The migration "${name}" is refused: ${reason}.`,
    'A migration leads from a whole number to a larger one, and has a name and a function.',
  ],
  'migration-ambiguous': ({ first, second }) => [
    `There are two ways to one version: "${first}" and "${second}".`,
    'Keep one of them. Versions are passed one after the other, so each is led to by one migration.',
  ],
  'migration-missing': ({ from, to }) => [
    `No migration leads from version ${from} to version ${to}.`,
    from === 0
      ? 'What has no version counts as 0. Register a migration from 0, or say with stamp which version it is.'
      : 'Register the one that is missing.',
  ],
  'migration-failed': ({ ref, name, from, to, reason }) => [
    `The migration "${name}" of "${ref}" from version ${from} to ${to} failed: ${reason}`,
    `"${ref}" is at version ${from}, as before. Run again when the cause is gone: what was done before it stays.`,
  ],
  'version-corrupt': ({ ref, found }) => [
    `What "${ref}" has as its version is none: ${JSON.stringify(found) ?? String(found)}.`,
    'Go back to a commit before it was written, or write from a process that keeps versions.',
  ],
  'version-newer': ({ ref, found, latest }) => [
    `"${ref}" is at version ${found}, and the migrations here end at ${latest}.`,
    'Use the newer program, or take the migration back with rollback in it.',
  ],
  'version-unreachable': ({ ref, version, to }) => [
    `"${ref}" is at version ${version} and was never brought from version ${to} to it.`,
    'Only migrations that are in the history of the branch can be taken back.',
  ],
  'version-stamped': ({ ref, version }) => [
    `"${ref}" is at version ${version} already.`,
    'Only what has no version can be told which it is.',
  ],
})
