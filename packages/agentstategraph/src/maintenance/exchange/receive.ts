/**
 * Receives commits of another repository: each is rebuilt, checked against its parents, and added.
 *
 * Sequence numbers of the source are translated by commit ids, which are equal in both repositories. The input is not
 * trusted: ids are computed, writers are compared with the definition, and a commit that does not match is refused
 * before it is added.
 */

import { hexOfId, isStateError, type Stored } from '../../core/index.ts'
import { type Handle, repoError, type Via } from '../../repo/index.ts'
import { ifStored } from '../../repo/records/find-kept.ts'
import {
  type Candidate,
  candidateOf,
  commitId,
  type ForeignCommit,
  importCommits,
  isTrimmedNode,
  parseCommit,
  readCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { isMisfit } from '../checks/damage.ts'
import { checkProvenance } from '../checks/provenance.ts'
import { findBrokenRule } from '../checks/schema-kept.ts'
import { findTrimmedFault } from '../checks/trimmed-commit.ts'
import type { KnownCommits } from './known-commits.ts'
import { findForeignHand } from './may-receive.ts'

/** Who receives commits, and what is known of those that are here. */
export interface Receiver {
  readonly handle: Handle
  readonly known: KnownCommits
}

/**
 * Adds a commit of another repository. `seqHere` translates a sequence number of the source. `isChecked` says that it and all
 * it leads to were received before, by a repository that has the same packs.
 */
export function* receive(
  { handle, known }: Receiver,
  commit: ForeignCommit,
  seqHere: (seq: number) => number,
  via: Via,
  isChecked = false,
): Work<StoredCommit> {
  const { journal } = handle
  const refuse = (reason: string, cause?: Error): Error =>
    repoError('commit-refused', { id: hexOfId(commitId(commit.text)), reason }, cause === undefined ? {} : { cause })
  try {
    const parents: StoredCommit[] = []
    for (const id of parseCommit(commit.text).parents) {
      const seq = yield* known.find(id)
      if (seq === undefined) throw refuse('one of its parents is not here')
      parents.push(yield* readCommit(journal, seq))
    }
    const foreign = findForeignHand(handle, commit.text)
    if (foreign !== undefined) throw refuse(foreign)
    const candidate = candidateOf(commit, parents, seqHere)
    const fault = isChecked ? undefined : yield* findFault(handle, candidate, parents)
    if (fault !== undefined) throw refuse(fault)
    const received = yield* importCommits(journal, candidate, { via: { ...via } } as Stored)
    known.note(received.id, received.seq)
    return received
  } catch (error) {
    if (isMisfit(error)) throw refuse(error.message, error)
    // A pointer without a target is a fault of the source: the entries of this journal are intact.
    if (isStateError(error, 'pack-dropped') || isStateError(error, 'object-corrupt')) throw refuse(error.message, error)
    throw error
  }
}

function* findFault(handle: Handle, candidate: Candidate, parents: readonly StoredCommit[]): Work<string | undefined> {
  const isWhole = !candidate.links.some(isTrimmedNode)
  const found = isWhole ? yield* ifStored(faultsOf(handle, candidate, parents)) : undefined
  if (found !== undefined) return found[0]
  if (handle.identity !== undefined) {
    return 'its state or one before it was dropped by retention, so who wrote what cannot be checked; only the operator can bring it'
  }
  return yield* findTrimmedFault(handle, candidate, parents)
}

function* faultsOf(handle: Handle, candidate: Candidate, parents: readonly StoredCommit[]): Work<readonly string[]> {
  const faults: string[] = []
  yield* checkProvenance(handle, candidate, parents, fault => faults.push(fault))
  const broken = faults.length > 0 ? undefined : yield* findBrokenRule(handle, candidate)
  return broken === undefined ? faults : [broken]
}
