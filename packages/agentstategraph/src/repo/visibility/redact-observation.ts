/** What was observed of a commit, as a handle may see it: of commits that it may see, at places that it may read. */

import { parseKnownPath } from '../../core/index.ts'
import { ask, readCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { Observation } from '../records/observation.ts'
import { branchScopeOfCommit } from './names-of-commit.ts'
import type { BranchScope } from './read-scope.ts'
import { isSeen } from './redact-commit.ts'

export interface Observed {
  /** The id of the commit, in hex. */
  readonly commit: string
  readonly observation: Observation
}

/** Undefined when the commit may not be seen. */
export function* seenObservation(handle: Handle, observed: Observed): Work<Observed | undefined> {
  if (handle.identity === undefined) return observed
  const [found] = yield* ask(log => log.find(observed.commit, 1))
  if (found === undefined) return undefined
  const commit = yield* readCommit(handle.journal, found.seq)
  const view = yield* branchScopeOfCommit(handle, commit)
  if (!(yield* isSeen(handle.journal, commit, view))) return undefined
  return { ...observed, observation: observationIn(observed.observation, view) }
}

/** An observation without what was found at places that may not be read. */
export function observationIn(observation: Observation, view: BranchScope | undefined): Observation {
  if (view === undefined || observation.observed === undefined) return observation
  const observed = observation.observed.filter(({ path }) => view.sees(parseKnownPath(path)) === 'all')
  return { ...observation, observed }
}
