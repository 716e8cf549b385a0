/**
 * Whether a commit from elsewhere keeps its schemas, as every commit made here does.
 *
 * It was not landed here, so nothing is taken for granted: its state is asked, it has to name the schemas in force, and a
 * change of `/_meta` has to be one that those who keep it could have made. Who made it is a question for signatures.
 */

import { isStateError } from '../core/index.ts'
import { type Handle, isSameMeta, judgeState } from '../repo/index.ts'
import type { Candidate, Work } from '../store/index.ts'

/** The categories of commits that change `/_meta` with one parent. */
const keepers: readonly string[] = ['Migrate', 'Rollback']

/** What a commit breaks, in words; undefined when it breaks nothing. */
export function* findBrokenRule({ journal }: Handle, candidate: Candidate): Work<string | undefined> {
  const { parents, record, system } = candidate
  const [first] = parents
  if (parents.length < 2 && !keepers.includes(record.intent.category)) {
    if (!(yield* isSameMeta(journal, first?.system, system))) return 'it changes /_meta, and is no migration'
  }
  try {
    const { schema } = yield* judgeState(journal, first, candidate)
    return record.schema === schema ? undefined : 'it does not name the schemas in force'
  } catch (error) {
    if (isStateError(error, 'schema-violation') || isStateError(error, 'schema-unreadable')) return error.message
    throw error
  }
}
