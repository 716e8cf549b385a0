/** Every error of the repository layer: its code, what it carries, and its words. */

import { type ErrorMaker, errorsOf, type StateError } from '../core/index.ts'
import { type ClockWarning, defaultNamespace } from '../store/index.ts'
import type { Conflict } from './records/change.ts'
import type { Violation } from './records/violation.ts'

export interface RepoErrors {
  'path-not-found': { path: string; at: string }
  'path-reserved': { path: string }
  /** `at` is the moment at which the branch, which is there, had no commit yet. */
  'ref-not-found': { ref: string; known: readonly string[]; at?: string }
  'ref-exists': { ref: string; as?: 'branch' | 'tag' }
  'ref-protected': { ref: string; reason: string }
  'ref-name-invalid': { name: string; reason: string }
  'name-ambiguous': { name: string }
  'revision-ambiguous': { prefix: string; matches: readonly string[] }
  'precondition-failed': { path?: string; ref?: string; expected: unknown; actual: unknown }
  'merge-conflict': { source: string; into: string; conflicts: readonly Conflict[] }
  'histories-unrelated': { source: string; into: string }
  'speculation-gone': { id: string; status: 'committed' | 'discarded' | 'expired' }
  'nothing-to-undo': { agent: string; entry?: number; reason?: string }
  'undo-elsewhere': { entry: number; on: string; refs: readonly { ref: 'branch' | 'tag'; name: string }[] }
  'commit-refused': { id: string; reason: string }
  'import-refused': { line: number; reason: string }
  'refs-diverged': { refs: readonly string[] }
  'formats-differ': Record<string, never>
  'transaction-over': { paths: readonly string[] }
  'read-only': { operation: string }
  'compact-unsupported': Record<string, never>
  'backup-unsupported': Record<string, never>
  'backup-damaged': { namespace: string; damage: readonly string[] }
  'copy-damaged': { namespace: string; damage: readonly string[] }
  'copy-diverged': { namespace: string; entries: number }
  'meta-protected': { path: string }
  'versions-differ': { source: string; into: string; theirs: unknown; ours: unknown }
  'schema-violation': { violations: readonly Violation[] }
  'schema-unreadable': { pattern: string; reason: string }
  'schema-async': { pattern: string; vendor: string }
  'epoch-not-found': { epoch: string; known: readonly string[] }
  'history-lost': { size: number; marked: number }
  'history-short': { size: number; marked: number }
  'history-forked': { size: number; marked: number; reason: string }
  'signer-invalid': { reason: string }
  'key-retired': { key: string; entry: number }
  'idempotency-mismatch': { key: string }
  'already-done': { key: string; entry: number }
  'namespace-not-found': { namespace: string }
  'namespace-exists': { namespace: string }
  'namespace-kept': { namespace: string }
  'operator-only': { operation: string }
  closed: { what: string }
}

type WarningCode = 'history-lost' | 'history-short' | 'history-forked'

/** What is told and not thrown: an error with its code, message, hint and data. */
export type Warning = ClockWarning | { [C in WarningCode]: StateError<C, RepoErrors[C]> }[WarningCode]

/** Makes the errors of this layer. */
export const repoError: ErrorMaker<RepoErrors> = errorsOf<RepoErrors>({
  'path-not-found': ({ path, at }) => [
    `There is nothing at "${path}" in ${at}`,
    'Use find for paths that may be absent, or list to see what is there.',
  ],
  'path-reserved': ({ path }) => [
    `"${path}" belongs to the system and cannot be written like state.`,
    'Choose another key: _meta and _plans at the root are kept for schemas, policies and plans.',
  ],
  'ref-not-found': ({ ref, known, at }) => [
    at === undefined ? `There is no branch, tag or commit "${ref}"` : `The branch "${ref}" had no commit at ${at}`,
    at !== undefined
      ? 'It was made later. Ask for a later moment.'
      : known.length > 0
        ? `Known: ${known.join(', ')}${/~\d*$/.test(ref) ? '. A history ends at its first commit' : ''}`
        : 'None is known here. In an empty repository the first write creates its branch.',
  ],
  'ref-exists': ({ ref, as }) =>
    as === undefined
      ? [`"${ref}" exists already.`, 'Choose another name, or delete it first.']
      : [
          `"${ref}" exists already as a ${as}.`,
          'A name is that of a branch or of a tag, never of both. Choose another name, or delete it first. Nothing was written.',
        ],
  'ref-protected': ({ ref, reason }) => [
    `"${ref}" is protected: ${reason}.`,
    'Nothing was changed. Choose another one.',
  ],
  'ref-name-invalid': ({ name, reason }) => [
    `${JSON.stringify(name)} is not a name for a branch or tag: ${reason}.`,
    'Use words separated by "/", such as feature/new-network.',
  ],
  'name-ambiguous': ({ name }) => [
    `"${name}" is both a branch and a tag, and they lead to different commits.`,
    'Name the commit by its id, or delete or rename one of the two.',
  ],
  'revision-ambiguous': ({ prefix, matches }) => [
    `"${prefix}" begins the ids of several commits.`,
    `Give more digits: ${matches.join(', ')}`,
  ],
  'precondition-failed': ({ path, ref, expected, actual }) => [
    `${(path ?? ref) === undefined ? 'The head' : `"${path ?? ref}"`} is not what the write expected: expected ${brief(expected)}, found ${brief(actual)}`,
    'Nothing was written. Read the current state before you try again.',
  ],
  'merge-conflict': ({ source, into, conflicts }) => [
    `"${source}" and "${into}" changed ${conflicts.length === 1 ? 'one place' : `${conflicts.length} places`} differently: ${pathsOf(conflicts)}`,
    'Nothing was merged. Pass resolutions for these paths, or a policy that decides.',
  ],
  'histories-unrelated': ({ source, into }) => [
    `"${source}" and "${into}" have no commit in common.`,
    'Only branches of one history can be merged.',
  ],
  'speculation-gone': ({ id, status }) => [
    status === 'discarded'
      ? `There is no open speculation ${id}.`
      : `The speculation ${id} is not open: it was ${status === 'expired' ? 'dropped when it expired' : status}.`,
    status === 'committed'
      ? 'What it changed is on its branch.'
      : 'It has ended, or there never was one. Speculate again, or list those that are open.',
  ],
  'nothing-to-undo': ({ agent, entry, reason }) =>
    entry === undefined
      ? [`There is no operation of ${agent} that could be undone.`, 'Give the number of the journal entry to undo.']
      : [`Entry ${entry} cannot be undone: ${reason}.`, 'Nothing was changed.'],
  'undo-elsewhere': ({ entry, on, refs }) => [
    `Entry ${entry} changed ${refs.map(({ ref, name }) => `the ${ref} "${name}"`).join(' and ')}, not "${on}".`,
    'Nothing was changed. To undo it all the same, name that branch or tag.',
  ],
  'commit-refused': ({ id, reason }) => [
    `Commit ${id} was refused: ${reason}`,
    'No branch was moved. Verify the repository that it comes from.',
  ],
  'import-refused': ({ line, reason }) => [
    `Line ${line} of the export cannot be imported: ${reason}`,
    'Nothing was imported. Export again, or fetch the file anew.',
  ],
  'refs-diverged': ({ refs }) => [
    `The export and this repository have diverged: ${refs.join(', ')}`,
    'Nothing was imported. Import into an empty namespace, and pull from it with merge.',
  ],
  'formats-differ': () => [
    'The two repositories have different limits for their trees, so equal states have different ids.',
    'Commits can only be transferred between repositories with the same limits.',
  ],
  'idempotency-mismatch': ({ key }) => [
    `The idempotency key ${JSON.stringify(key)} was used before, for another request.`,
    'Nothing was changed. Use a new key for a new request, and the same key only to repeat one.',
  ],
  'already-done': ({ key, entry }) => [
    `What was asked for under the idempotency key ${JSON.stringify(key)} was done before, in entry ${entry} of the journal.`,
    'It was not done again. Read what it made; its answer is not stored.',
  ],
  'transaction-over': ({ paths }) => [
    `The transaction had ended when ${paths.join(', ')} was to be changed.`,
    'Await everything inside the function that is given to commit.',
  ],
  'read-only': ({ operation }) => [
    `${operation} was refused: the repository was opened read-only.`,
    'Open it without readOnly to write.',
  ],
  'backup-unsupported': () => ['This store has no file to copy.', 'Export it, or use what its server has for backups.'],
  'backup-damaged': ({ namespace, damage }) => [
    `The copy of namespace "${namespace}" is damaged: ${damage[0]}${damage.length > 1 ? ` (and ${damage.length - 1} more)` : ''}`,
    'No copy was kept. Run verify on the store: it names all damage.',
  ],
  'copy-damaged': ({ namespace, damage }) => [
    `The copy of namespace "${namespace}" is damaged: ${damage[0]}${damage.length > 1 ? ` (and ${damage.length - 1} more)` : ''}`,
    'Run verify on the store that was copied: it names all damage. Drop the namespace of the copy before it is copied again.',
  ],
  'copy-diverged': ({ namespace, entries }) => [
    `The target holds ${entries} entries in namespace "${namespace}" that are not those of the source`,
    'Nothing of them was changed. Copy to a store without this namespace. To bring commits into a store with its own history, use pull or import.',
  ],
  'compact-unsupported': () => [
    'This store has no file to compact.',
    'Only a SQLite store has; other stores give room back when data is dropped from them.',
  ],
  'meta-protected': ({ path }) => [
    `"${path}" cannot be written directly.`,
    path === '/_meta/version'
      ? 'Use migrations(repo) of agentstategraph/schema: run goes up, rollback goes back.'
      : 'Use schemas(repo) of agentstategraph/schema to attach or detach, and open with policies to change those.',
  ],
  'versions-differ': ({ source, into, theirs, ours }) => [
    `"${source}" is at version ${versionText(theirs)} and "${into}" at version ${versionText(ours)}: their states have different structures.`,
    'Nothing was merged. Run the migrations on both first.',
  ],
  'schema-violation': ({ violations }) => [
    `The state would break its schema in ${violations.length === 1 ? 'one place' : `${violations.length} places`}: ${violationsText(violations)}`,
    'Nothing was written. schemas(repo).list() of agentstategraph/schema shows what is attached.',
  ],
  'schema-unreadable': ({ pattern, reason }) => [
    `The schema kept for "${pattern}" cannot be used: ${reason}.`,
    'Detach it, or attach it again, with a version of the library that can read it.',
  ],
  'schema-async': ({ pattern, vendor }) => [
    `The ${vendor} schema for "${pattern}" answers with a promise, and a write cannot wait for it.`,
    'Attach a schema that answers at once, or the JSON Schema of it.',
  ],
  'namespace-not-found': ({ namespace }) => [
    `There is no namespace ${JSON.stringify(namespace)} that you can see.`,
    'Create it first, or leave the field out for the default one.',
  ],
  'namespace-exists': ({ namespace }) => [
    `The namespace ${JSON.stringify(namespace)} exists already.`,
    'Use it as it is, or choose another name.',
  ],
  'namespace-kept': ({ namespace }) =>
    namespace === defaultNamespace
      ? [
          `The namespace ${JSON.stringify(namespace)} is the default one and cannot be deleted.`,
          'Nothing was changed. Only namespaces that were created can be deleted.',
        ]
      : [
          `The namespace ${JSON.stringify(namespace)} is the one that this repository is in, and cannot be deleted from there.`,
          'Nothing was changed. Delete it from the default one.',
        ],
  'operator-only': ({ operation }) => [
    `${operation} is for the operator of the store: a principal reaches its own namespace and no other.`,
    'Nothing was changed. Ask the operator of the store.',
  ],
  'epoch-not-found': ({ epoch, known }) => [
    `There is no epoch "${epoch}"`,
    known.length > 0 ? `Known: ${known.slice(0, SHOWN_EPOCHS).join(', ')}` : 'No epoch was created yet.',
  ],
  'history-lost': ({ size, marked }) => [
    `The journal has ${size} entries, and the mark beside the store says that it had ${marked}. The end was lost in a power failure, or the log beside the store was.`,
    'A note in the journal records it, and writing goes on. Restore a backup if the lost entries matter; durability "full" waits for the disk.',
  ],
  'history-short': ({ size, marked }) => [
    `The journal has ${size} entries, and the mark beside the store says that it had ${marked}. It is open for reading only.`,
    'Restore a backup that reaches the mark; or, to go on without what is lost, call acceptHistory of agentstategraph/trust.',
  ],
  'history-forked': ({ size, marked, reason }) => [
    `The journal (${size === 0 ? 'of unknown length' : `${size} entries`}) does not match the mark beside the store (${marked} entries): ${reason}. It is open for reading only.`,
    'Restore a backup of the right history; or, if this one is right, call acceptHistory of agentstategraph/trust.',
  ],
  'signer-invalid': ({ reason }) => [
    `The signer cannot sign heads: ${reason}.`,
    'A signer has a verifierKey (name+hash+base64), its keyId, and a sign that gives the 64 bytes of an Ed25519 signature.',
  ],
  'key-retired': ({ key, entry }) => [
    `The key ${key} was retired by entry ${entry}.`,
    'Open the repository with the key that took its place.',
  ],
  closed: ({ what }) => [`${what} is closed.`, 'Open it again to go on.'],
})

const SHOWN_PATHS = 5
const SHOWN_EPOCHS = 20

function pathsOf(conflicts: readonly Conflict[]): string {
  const shown = conflicts.slice(0, SHOWN_PATHS).map(({ path }) => path)
  return conflicts.length > SHOWN_PATHS
    ? `${shown.join(', ')} and ${conflicts.length - SHOWN_PATHS} more`
    : shown.join(', ')
}

function violationsText(violations: readonly Violation[]): string {
  const shown = violations
    .slice(0, SHOWN_PATHS)
    .map(({ path, rule, value, message }) => `${path || '/'} (${rule}) ${message}, found ${brief(value)}`)
  if (violations.length > SHOWN_PATHS) shown.push(`and ${violations.length - SHOWN_PATHS} more`)
  return shown.join('; ')
}

function versionText(version: unknown): string {
  return version === undefined ? 'none' : brief(version)
}

function brief(value: unknown): string {
  const readable = (_key: string, part: unknown): unknown => (typeof part === 'bigint' ? `${part}n` : part)
  const text = typeof value === 'string' ? value : (JSON.stringify(value, readable) ?? String(value))
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
