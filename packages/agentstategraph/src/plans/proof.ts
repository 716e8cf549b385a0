/**
 * Proofs that tasks are done: checked when a task is completed, and again by `verify`.
 *
 * A commit is verified here: it must be reachable from a branch or a tag. Files, tests and texts are only checked for their form
 * unless the caller passes a verifier.
 */

import { hexOfId, isStateError, isWellFormed, leastOf, utf8Length } from '../core/index.ts'
import { ancestry, branchPrefix, type Handle, listRefs, resolve, tagPrefix } from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'

/** Evidence that a task is done. */
export interface Proof {
  kind: 'commit' | 'file' | 'test' | 'text'
  /** The commit's id, the file's name, the test's, or the text. */
  value: string
  note?: string | undefined
  /** SHA-256 of the content, in hex; a file needs one. */
  hash?: string | undefined
}

/** Whether a proof still holds. */
export type Verdict = 'verified' | 'decayed' | 'unverifiable'

/** Checks proofs that the repository cannot check itself. */
export interface Verifier {
  verify(proof: Proof): Promise<Verdict>
}

/** What a verifier says of a proof. */
export interface Judgement {
  readonly status: Verdict
  readonly detail?: string
}

const kinds: readonly string[] = ['commit', 'file', 'test', 'text']
const MAX_TEXT_BYTES = 1024

/** Why a proof is malformed; undefined when it is not. */
export function formFault(proof: Proof): string | undefined {
  const { kind, value, note, hash } = proof ?? {}
  if (!kinds.includes(kind)) return `its kind is none of ${kinds.join(', ')}`
  if (typeof value !== 'string' || value.trim() === '') return 'its value is empty'
  for (const [field, text] of Object.entries({ value, note })) {
    if (text === undefined) continue
    if (typeof text !== 'string' || !isWellFormed(text)) return `its ${field} is not a text`
    if (utf8Length(text) > MAX_TEXT_BYTES) return `its ${field} has more than ${MAX_TEXT_BYTES} bytes`
  }
  if (hash !== undefined && (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)))
    return 'its hash is not a SHA-256 in 64 hex digits'
  return kind === 'file' && hash === undefined ? 'a file needs the hash of its content' : undefined
}

/** The proof as it is stored. A commit is stored by its full id, because refs move. */
export function* pinned(handle: Handle, { kind, value, note, hash }: Proof): Work<Proof | { readonly fault: string }> {
  const rest = { ...(note === undefined ? {} : { note }), ...(hash === undefined ? {} : { hash }) }
  if (kind !== 'commit') return { kind, value, ...rest }
  const commit = yield* findCommit(handle, value)
  if (commit === undefined) return { fault: `there is no commit ${value}` }
  if (!(yield* reachable(handle, [commit.seq])).has(commit.seq))
    return { fault: `no branch and no tag leads to commit ${value}` }
  return { kind, value: hexOfId(commit.id), ...rest }
}

function* findCommit(handle: Handle, value: string): Work<StoredCommit | undefined> {
  try {
    return yield* resolve(handle, value)
  } catch (error) {
    if (isStateError(error, 'ref-not-found') || isStateError(error, 'pack-dropped')) return undefined
    throw error
  }
}

/** The commits that are reachable from branches and tags. One walk for all, no further back than the oldest. */
function* reachable(handle: Handle, seqs: readonly number[]): Work<ReadonlySet<number>> {
  const wanted = new Set(seqs)
  const found = new Set<number>()
  const heads: number[] = []
  for (const prefix of [branchPrefix, tagPrefix]) for (const { seq } of yield* listRefs(prefix)) heads.push(seq)
  const oldest = leastOf(seqs)
  const walk = ancestry(
    handle,
    heads.filter(seq => seq >= oldest),
    false,
  )
  while (found.size < wanted.size) {
    const commit = yield* walk.next()
    if (commit === undefined || commit.seq < oldest) break
    if (wanted.has(commit.seq)) found.add(commit.seq)
  }
  return found
}

/** The status of commits that are proofs, by id. */
export function* judgeCommits(handle: Handle, ids: readonly string[]): Work<ReadonlyMap<string, Judgement>> {
  const commits = new Map<string, StoredCommit>()
  for (const id of new Set(ids)) {
    const commit = yield* findCommit(handle, id)
    if (commit !== undefined) commits.set(id, commit)
  }
  const seqs = [...commits.values()].map(({ seq }) => seq)
  const there = seqs.length === 0 ? new Set<number>() : yield* reachable(handle, seqs)
  const judgementOf = (id: string): Judgement => {
    const commit = commits.get(id)
    if (commit === undefined) return { status: 'decayed', detail: 'the commit is gone' }
    if (there.has(commit.seq)) return { status: 'verified' }
    return { status: 'decayed', detail: 'no branch and no tag leads to the commit any more' }
  }
  return new Map(ids.map(id => [id, judgementOf(id)]))
}

/** The verdict of a verifier. A verifier that throws leaves the proof unverifiable. */
export async function judgeBy(verifier: Verifier | undefined, proof: Proof): Promise<Judgement> {
  if (verifier === undefined) return { status: 'unverifiable', detail: `no verifier for proofs of kind ${proof.kind}` }
  try {
    return { status: await verifier.verify(proof) }
  } catch (error) {
    return { status: 'unverifiable', detail: `the verifier failed: ${String(error)}` }
  }
}
