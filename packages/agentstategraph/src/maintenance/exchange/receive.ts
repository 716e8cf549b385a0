/**
 * Receives commits of another repository: each is rebuilt, checked against its parents, and added.
 *
 * Sequence numbers of the source are translated by commit ids, which are equal in both repositories. The input is not
 * trusted: ids are computed, writers are compared with the definition, and a commit that does not match is refused
 * before it is added.
 */

import { hexOfId, isStateError, type Stored } from '../../core/index.ts'
import { type Handle, repoError, type Via } from '../../repo/index.ts'
import {
  ask,
  candidateOf,
  commitId,
  type ForeignCommit,
  findCommits,
  importCommits,
  parseCommit,
  readCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { isMisfit } from '../checks/damage.ts'
import { checkProvenance } from '../checks/provenance.ts'
import { findBrokenRule } from '../checks/schema-kept.ts'
import { findForeignHand } from './may-receive.ts'

/** Several entries can hold one commit, when its pack was dropped and the commit was received again. */
const SAME_COMMIT = 16

/** The entry of a commit whose nodes are here; undefined when there is none. */
export function* findCommit(id: string): Work<number | undefined> {
  const found = yield* findCommits(id, SAME_COMMIT)
  for (const { seq } of found) {
    const [row] = yield* ask(log => log.entries(seq, seq, ['part']))
    if (row?.part !== undefined) return seq
  }
  return undefined
}

/** Adds a commit of another repository. `seqHere` translates a sequence number of the source. */
export function* receive(
  handle: Handle,
  commit: ForeignCommit,
  seqHere: (seq: number) => number,
  via: Via,
): Work<StoredCommit> {
  const { journal } = handle
  const refuse = (reason: string, cause?: Error): Error =>
    repoError('commit-refused', { id: hexOfId(commitId(commit.text)), reason }, cause === undefined ? {} : { cause })
  try {
    const parents: StoredCommit[] = []
    for (const id of parseCommit(commit.text).parents) {
      const seq = yield* findCommit(hexOfId(id))
      if (seq === undefined) throw refuse('one of its parents is not here')
      parents.push(yield* readCommit(journal, seq))
    }
    const foreign = findForeignHand(handle, commit.text)
    if (foreign !== undefined) throw refuse(foreign)
    const candidate = candidateOf(commit, parents, seqHere)
    const faults: string[] = []
    yield* checkProvenance(handle, candidate, parents, fault => faults.push(fault))
    if (faults[0] !== undefined) throw refuse(faults[0])
    const broken = yield* findBrokenRule(handle, candidate)
    if (broken !== undefined) throw refuse(broken)
    return yield* importCommits(journal, candidate, { via: { ...via } } as Stored)
  } catch (error) {
    if (isMisfit(error)) throw refuse(error.message, error)
    // A pointer without a target is a fault of the source: the entries of this journal are intact.
    if (isStateError(error, 'pack-dropped') || isStateError(error, 'object-corrupt')) throw refuse(error.message, error)
    throw error
  }
}
