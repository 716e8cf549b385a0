/** Moments as the access state keeps them. */

import type { Handle } from '../repo/index.ts'

export function timeNow({ journal }: Pick<Handle, 'journal'>): string {
  return new Date(journal.now()).toISOString()
}
