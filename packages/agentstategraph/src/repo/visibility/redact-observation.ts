/** The redaction of observations: only those of readable commits, without what was found at unreadable paths. */

import { parseKnownPath } from '../../core/index.ts'
import { findCommits, readCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { Observation } from '../records/observation.ts'
import { branchScopeOfCommit } from './names-of-commit.ts'
import type { BranchScope } from './read-scope.ts'
import { isReadableCommit } from './readable-commit.ts'

export interface ObservedCommit {
  /** The id of the commit, in hex. */
  readonly commit: string
  readonly observation: Observation
}

/** Undefined when the commit is not readable. */
export function* findReadableObservation(handle: Handle, observed: ObservedCommit): Work<ObservedCommit | undefined> {
  if (handle.identity === undefined) return observed
  const [found] = yield* findCommits(observed.commit, 1)
  if (found === undefined) return undefined
  const commit = yield* readCommit(handle.journal, found.seq)
  const scope = yield* branchScopeOfCommit(handle, commit)
  if (!(yield* isReadableCommit(handle.journal, commit, scope))) return undefined
  return { ...observed, observation: redactObservation(observed.observation, scope) }
}

/** The observation without what was found at unreadable paths. */
export function redactObservation<O extends Observation>(observation: O, scope: BranchScope | undefined): O {
  if (scope === undefined || observation.observed === undefined) return observation
  const observed = observation.observed.filter(({ path }) => scope.readability(parseKnownPath(path)) === 'all')
  return { ...observation, observed }
}
