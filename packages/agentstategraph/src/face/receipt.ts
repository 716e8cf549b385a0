/** Receipts: a signed head with each commit, for those who want to prove later that they were told it was there. */

import type { Handle, Written } from '../repo/index.ts'

/** Adds the receipt of a commit, when the repository gives receipts. */
export async function receipted<T extends Written>({ shared }: Handle, written: T): Promise<T> {
  const { signing } = shared
  if (signing === undefined || !signing.receipts) return written
  return { ...written, receipt: await signing.headAt(written.seq) }
}
