/** What a repository with a key does in addition: it signs heads, and the high-water mark follows its journal. */

import type { Journal } from '../../store/index.ts'
import type { MarkPlace, Signer, Signing } from '../records/signing.ts'
import { followWithMark, isHigher } from './high-water-mark.ts'
import { checkedSigner, signedHead } from './signed-head.ts'

export async function startSigning(
  journal: Journal,
  signer: Signer,
  receipts: boolean,
  place: MarkPlace | undefined,
): Promise<Signing> {
  const headAt = (size: number): Promise<string> => signedHead(journal, [signing.signer], size)
  const mark = place === undefined ? undefined : followWithMark(journal, place, headAt, isHigher)
  const signing: Signing = { signer: checkedSigner(signer), receipts, mark, place, headAt }
  return signing
}
