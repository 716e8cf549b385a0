/** The changed paths of an entry. */

import { parseKnownPath } from '../../core/index.ts'

/** A changed path as an entry lists it; a folded one stands for paths below it. */
export function changedPath(path: string): { readonly segments: readonly string[]; readonly isFolded: boolean } {
  const isFolded = path.endsWith('/**')
  return { segments: parseKnownPath(isFolded ? path.slice(0, -3) : path), isFolded }
}
