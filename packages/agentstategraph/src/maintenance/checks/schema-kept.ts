/**
 * Checks that a commit conforms to its schemas, as every commit that lands here does.
 *
 * A received commit did not land here. So its state is checked, it has to name the schemas in force, and its category
 * has to be one that may change `/_meta`. Only signatures show who made it. The state of a stored commit was checked
 * when it landed, and cannot be checked again after an erasure; whether it names its schemas can always be checked.
 */

import { isStateError } from '../../core/index.ts'
import { findReservedKey, findSchemas, type Handle, isSameMeta, judgeState } from '../../repo/index.ts'
import type { Candidate, StoredCommit, Work } from '../../store/index.ts'

/** The categories of commits that change `/_meta` with one parent. */
const keepers: readonly string[] = ['Migrate', 'Rollback']

const unnamed = 'it does not name the schemas in force'

/** What is wrong when a stored commit names other schemas than its system root has; undefined when nothing is. */
export function* findSchemaFault(
  { journal }: Handle,
  { record, system }: Pick<StoredCommit, 'record' | 'system'>,
): Work<string | undefined> {
  try {
    return (yield* findSchemas(journal, system))?.id === record.schema ? undefined : unnamed
  } catch (error) {
    // Another version of the library may have written it, and can read it.
    if (isStateError(error, 'schema-unreadable')) return undefined
    throw error
  }
}

/** The rule that a commit violates, in words; undefined when it violates none. */
export function* findBrokenRule({ journal }: Handle, candidate: Candidate): Work<string | undefined> {
  const { parents, record, system } = candidate
  const [first] = parents
  // The first commit of a history may begin with any `/_meta`.
  if (parents.length === 1 && !keepers.includes(record.intent.category)) {
    if (!(yield* isSameMeta(journal, first!.system, system))) return 'it changes /_meta, and is no migration'
  }
  const reserved = yield* findReservedKey(journal, candidate.tree)
  if (reserved !== undefined) return `its state has the key ${reserved}, which belongs to the system`
  try {
    const { schema } = yield* judgeState(journal, first, candidate)
    return record.schema === schema ? undefined : unnamed
  } catch (error) {
    if (isStateError(error, 'schema-violation') || isStateError(error, 'schema-unreadable')) return error.message
    throw error
  }
}
