/**
 * Receives commits of another repository: each is rebuilt, checked against its parents, and added, several in one append.
 *
 * Sequence numbers of the source are translated by commit ids, which are equal in both repositories. The input is not
 * trusted: ids are computed, writers are compared with the definition, and a commit that does not match is refused
 * before any of those with it is added.
 */

import { hexOfId, isStateError, type Stored } from '../../core/index.ts'
import { type Handle, repoError, type Via } from '../../repo/index.ts'
import { ifStored } from '../../repo/records/find-kept.ts'
import {
  addImported,
  appendImported,
  assertLinksStored,
  type Candidate,
  candidateOf,
  closeImport,
  commitId,
  type ForeignCommit,
  type ImportBatch,
  isTrimmedNode,
  openImport,
  parseCommit,
  pausePoint,
  readCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import type { Link } from '../../tree/index.ts'
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

/** A commit of another repository. */
export interface Incoming {
  /** Its entry in the source. */
  readonly seq: number
  readonly commit: ForeignCommit
  readonly via: Via
  /** Whether it and all it leads to were received before, by a repository that has the same packs. */
  readonly isChecked: boolean
}

/**
 * Adds commits in one append, and returns their sequence numbers. Each may build on those before it. `seqHere` translates a
 * sequence number of the source that is not one of theirs.
 */
export function* receive(
  receiver: Receiver,
  incoming: readonly Incoming[],
  seqHere: (seq: number) => number,
): Work<readonly number[]> {
  // Once more when retention drops states meanwhile, which may be among those that the commits stand on.
  for (let mustCheckLinks = false; ; mustCheckLinks = true) {
    const batch = openImport(receiver.handle.journal)
    try {
      const taken = takenInto(batch)
      for (const one of incoming) {
        yield pausePoint
        yield* take(receiver, taken, one, seq => taken.seqs.get(seq) ?? seqHere(seq), mustCheckLinks)
      }
      const landed = yield* appendImported(batch)
      if (landed === undefined) continue
      for (const { id, seq } of landed) receiver.known.note(id, seq)
      return landed.map(({ seq }) => seq)
    } finally {
      closeImport(batch)
    }
  }
}

/** The commits of a batch: by id, and their pending numbers by those of their entries in the source. */
interface Taken {
  readonly batch: ImportBatch
  readonly commits: Map<string, StoredCommit>
  readonly seqs: Map<number, number>
}

function takenInto(batch: ImportBatch): Taken {
  return { batch, commits: new Map(), seqs: new Map() }
}

function* take(
  { handle, known }: Receiver,
  { batch, commits, seqs }: Taken,
  { seq, commit, via, isChecked }: Incoming,
  seqHere: (seq: number) => number,
  mustCheckLinks: boolean,
): Work<void> {
  const refuse = (reason: string, cause?: Error): Error => refusal(commit, inNumbersOf(seqs, reason), cause)
  try {
    const parents: StoredCommit[] = []
    for (const id of parseCommit(commit.text).parents) {
      const parent = commits.get(id) ?? (yield* storedParent(handle, known, id))
      if (parent === undefined) throw refuse('one of its parents is not here')
      parents.push(parent)
    }
    const foreign = findForeignHand(handle, commit.text)
    if (foreign !== undefined) throw refuse(foreign)
    const candidate = candidateOf(commit, parents, seqHere)
    const fault = isChecked ? undefined : yield* findFault(handle, candidate, parents)
    if (fault !== undefined) throw refuse(fault)
    if (mustCheckLinks) yield* assertStored(handle, candidate)
    const stored = addImported(batch, candidate, { via: { ...via } } as Stored)
    commits.set(stored.id, stored)
    seqs.set(seq, stored.seq)
  } catch (error) {
    if (isMisfit(error)) throw refuse(error.message, error)
    // A pointer without a target is a fault of the source: the entries of this journal are intact.
    if (isStateError(error, 'pack-dropped') || isStateError(error, 'object-corrupt')) throw refuse(error.message, error)
    throw error
  }
}

function refusal({ text }: ForeignCommit, reason: string, cause: Error | undefined): Error {
  return repoError('commit-refused', { id: hexOfId(commitId(text)), reason }, cause === undefined ? {} : { cause })
}

/** A reason with the entries of a batch, which have no numbers here yet, as the source calls them. */
function inNumbersOf(seqs: Taken['seqs'], reason: string): string {
  return reason.replace(/\bentry (\d+)/g, (words, number) => {
    const there = [...seqs].find(([, here]) => here === Number(number))
    return there === undefined ? words : `entry ${there[0]}`
  })
}

function* storedParent({ journal }: Handle, known: KnownCommits, id: string): Work<StoredCommit | undefined> {
  const seq = yield* known.find(id)
  return seq === undefined ? undefined : yield* readCommit(journal, seq)
}

/** Throws unless the older nodes that a commit links to are stored. */
function* assertStored({ journal }: Handle, { links, tree, system }: Candidate): Work<void> {
  const own = links.filter((link): link is Link => !isTrimmedNode(link))
  yield* assertLinksStored(journal, own.length === links.length ? [tree, system] : [], own)
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
