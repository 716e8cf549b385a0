/** The access requests of a landing: which capability on which branch, at which paths. */

import type { Journal, Work } from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { SettledLanding } from '../landing.ts'
import type { AccessRequest, Capability } from '../records/capability.ts'
import { accessRef, branchPrefix, grantNameOf, mainBranch } from '../records/ref-names.ts'
import type { Authorization } from './admit.ts'
import { authorizedPlaces } from './list-places.ts'
import { nearestLanded, placesBetween } from './nearest-landed.ts'

export function* landingToAuthorize(journal: Journal, landing: SettledLanding): Work<Authorization> {
  const { ref, head, merged = [], info, tree, system } = landing
  if (ref === accessRef) throw repoError('ref-protected', { ref, reason: 'only decisions about access change it' })
  const branch = landing.branch ?? grantNameOf(ref)
  const capability: Capability = landing.capability ?? (merged.length > 0 ? 'merge' : 'commit')
  const [base] = merged
  // A new branch brings in what its base holds, unless that passed the gate before.
  const before = head ?? (base && (yield* nearestLanded(journal, base)))
  const isSettled = head !== undefined || before?.seq === base?.seq
  const places = isSettled ? landing.changed : yield* placesBetween(journal, before, { tree, system })
  const changed = yield* authorizedPlaces(journal, before, { tree, system }, places)
  // A commit on no branch can later be moved to any, so it needs a grant for all of them.
  const requests: AccessRequest[] =
    branch === undefined ? [{ capability, concernsAll: true }] : [...requestsAt(capability, branch, changed)]
  if (head === undefined && ref.startsWith(branchPrefix) && branch !== mainBranch) {
    requests.push({ capability: 'branch', branch })
  }
  const { agent, confidence } = info
  const { category } = info.intent
  const change = { branch: branch ?? ref, category, confidence, changed, before, after: { tree, system } }
  const isAside = grantNameOf(ref) === undefined
  return { agent, requests, changes: branch === undefined ? [] : [change], approved: landing.approved, isAside }
}

/** The requests for changing paths of a branch. Paths under `/_meta` need the capability `migrate`. */
export function requestsAt(
  capability: Capability,
  branch: string,
  changed: readonly (readonly string[])[],
): readonly AccessRequest[] {
  const meta = changed.filter(([key]) => key === '_meta')
  const others = changed.filter(([key]) => key !== '_meta')
  const requests: AccessRequest[] = []
  if (others.length > 0 || meta.length === 0) requests.push({ capability, branch, paths: others })
  if (meta.length > 0) requests.push({ capability: 'migrate', branch, paths: meta })
  return requests
}
