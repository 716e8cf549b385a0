/**
 * What a write returns: the commit redacted to the read scope, since it is another agent's when nothing changed; and its
 * receipt, a signed head that proves later that the commit was acknowledged.
 */

import { type Handle, redactWritten, type Written } from '../repo/index.ts'

/** The commit as it is told, with its receipt when the repository gives receipts. */
export async function receipted<T extends Written>(handle: Handle, written: T): Promise<T> {
  const { shared, journal, identity } = handle
  const seen = identity === undefined ? written : await journal.run(redactWritten(handle, written))
  const { signing } = shared
  if (signing === undefined || !signing.receipts) return seen
  return { ...seen, receipt: await signing.headAt(seen.seq) }
}
