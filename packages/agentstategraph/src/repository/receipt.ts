/**
 * What a writer is told of a commit: as much of it as he may see, for it may be somebody else's when nothing changed; and its
 * receipt, a signed head for those who want to prove later that they were told it was there.
 */

import { type Handle, seenWritten, type Written } from '../repo/index.ts'

/** The commit as it is told, with its receipt when the repository gives receipts. */
export async function receipted<T extends Written>(handle: Handle, written: T): Promise<T> {
  const { shared, journal, identity } = handle
  const seen = identity === undefined ? written : await journal.run(seenWritten(handle, written))
  const { signing } = shared
  if (signing === undefined || !signing.receipts) return seen
  return { ...seen, receipt: await signing.headAt(seen.seq) }
}
