/**
 * Whether a commit keeps its schemas, as every commit made here does.
 *
 * One from elsewhere was not landed here, so nothing is taken for granted: its state is asked, it has to name the schemas in
 * force, and a change of `/_meta` has to be one that those who keep it could have made. Who made it is a question for
 * signatures. One that lies here was asked when it landed, and can no longer be where something was erased since; that it
 * names its schemas can always be looked at.
 */

import { isStateError } from '../../core/index.ts'
import { findReservedKey, findSchemas, type Handle, isSameMeta, judgeState } from '../../repo/index.ts'
import type { Candidate, StoredCommit, Work } from '../../store/index.ts'

/** The categories of commits that change `/_meta` with one parent. */
const keepers: readonly string[] = ['Migrate', 'Rollback']

const unnamed = 'it does not name the schemas in force'

/** What is wrong when a commit that lies here names other schemas than its system root has; undefined when it does not. */
export function* findSchemaFault(
  { journal }: Handle,
  { record, system }: Pick<StoredCommit, 'record' | 'system'>,
): Work<string | undefined> {
  try {
    return (yield* findSchemas(journal, system))?.id === record.schema ? undefined : unnamed
  } catch (error) {
    // Another version of the library may know it, and wrote it whole.
    if (isStateError(error, 'schema-unreadable')) return undefined
    throw error
  }
}

/** What a commit breaks, in words; undefined when it breaks nothing. */
export function* findBrokenRule({ journal }: Handle, candidate: Candidate): Work<string | undefined> {
  const { parents, record, system } = candidate
  const [first] = parents
  // The first commit of a history changes nothing: it begins with what it has.
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
