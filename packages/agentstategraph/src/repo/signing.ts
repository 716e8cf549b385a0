/** What a repository that was opened with a key does beside writing: it signs heads, and lets the mark follow. */

import type { Journal, Marks } from '../store/index.ts'
import { followWithMark, type MarkFollower } from './high-water-mark.ts'
import { checkedSigner, type Signer, signedHead } from './signed-head.ts'

export interface Signing {
  /** The key that signs. It changes when another takes its place. */
  signer: Signer
  /** Whether every commit is answered with a signed head. */
  readonly receipts: boolean
  /** The mark beside the store, where the place has one and this repository writes. */
  readonly mark: MarkFollower | undefined
  /** Where it lies. */
  readonly place: MarkPlace | undefined
  /** The signed head over the first entries. */
  headAt(size: number): Promise<string>
}

export interface MarkPlace {
  readonly marks: Marks
  readonly namespace: string
}

export function startSigning(
  journal: Journal,
  signer: Signer,
  receipts: boolean,
  place: MarkPlace | undefined,
): Signing {
  const headAt = (size: number): Promise<string> => signedHead(journal, [signing.signer], size)
  const mark = place === undefined ? undefined : followWithMark(place.marks, place.namespace, headAt)
  const signing: Signing = { signer: checkedSigner(signer), receipts, mark, place, headAt }
  if (mark !== undefined) journal.onAppend = mark.grown
  return signing
}
