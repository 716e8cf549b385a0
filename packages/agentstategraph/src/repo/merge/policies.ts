/** The merge policies of a repository: kept in the system root under `/_meta/policies`, so that every process has them. */

import { decode, encode } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { edit, type Policies, type Policy, type PolicyTable, policyTable, valueOfChild } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { reasonOf } from '../records/info.ts'
import { branchRef } from '../records/ref-names.ts'
import { hintedPolicies } from '../schema/merge-hints.ts'
import { emptyRoot } from '../state/roots.ts'
import { findSchemas } from '../state/schemas.ts'
import { findChild } from '../state/state.ts'
import { landOn } from '../write/land-with-retry.ts'
import type { Prepared } from '../write/prepared.ts'

const path = ['_meta', 'policies']

/**
 * What holds for a merge into a commit. Above all stands what was given for this merge, the first of several first; below it
 * what was given to `open`, then what the repository keeps, then what its schemas hint at.
 */
export function* policiesOn(
  handle: Handle,
  ours: StoredCommit | undefined,
  ...given: readonly (Policies | undefined)[]
): Work<PolicyTable> {
  const { journal, shared } = handle
  const sources = [...given.filter(one => one !== undefined), shared.policies]
  if (ours === undefined) return policyTable(...sources)
  const child = yield* findChild(journal.context, ours, path)
  const kept = child === undefined ? {} : (decode(yield* valueOfChild(journal.context, child)) as Policies)
  return policyTable(...sources, kept, hintedPolicies(yield* findSchemas(journal, ours.system)))
}

/** Keeps policies in the repository, when they are not what it has. Functions cannot be kept; they hold in this process. */
export function* keepPolicies(handle: Handle, policies: Policies): Work<void> {
  policyTable(policies)
  const { journal, branch } = handle
  const kept = Object.fromEntries(Object.entries(policies).filter(([, policy]) => isPlain(policy)))
  if (Object.keys(kept).length === 0) return
  yield* landOn(handle, branchRef(branch), function* (head): Work<Prepared<undefined>> {
    const system = head?.system ?? emptyRoot(journal)
    const { root, changed } = yield* edit(journal.context, system, [{ op: 'set', path, value: encode(kept) }])
    if (changed.length === 0) return { kind: 'unchanged', result: undefined }
    const { info } = reasonOf(handle, 'Set the merge policies', 'Migrate')
    const landing = { tree: head?.tree ?? emptyRoot(journal), system: root, info, changesMeta: true }
    return { kind: 'landing', landing, result: undefined }
  })
}

function isPlain(policy: Policy): boolean {
  return typeof policy !== 'function'
}
