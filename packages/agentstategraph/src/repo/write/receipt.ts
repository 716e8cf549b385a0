/** The receipt of a write: a signed head that proves later that the commit was acknowledged. */

import type { Handle } from '../handle.ts'
import type { Written } from '../visibility/commit.ts'

/** The commit, with its receipt when the repository gives receipts. */
export async function receipted<T extends Written>(handle: Handle, written: T): Promise<T> {
  const { signing } = handle.shared
  if (signing === undefined || !signing.receipts) return written
  return { ...written, receipt: await signing.headAt(written.seq) }
}
