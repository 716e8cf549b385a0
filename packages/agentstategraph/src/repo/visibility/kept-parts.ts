/**
 * The readable parts of large containers that were made lately.
 *
 * Making one looks at every entry, and one call can ask for the same again and again: a walk over commits that left it alone.
 */

import type { Child } from '../../tree/index.ts'

export interface KeptParts {
  find(key: string): { readonly part: Child | undefined } | undefined
  keep(key: string, part: Child | undefined): void
}

/** How many are kept. Of a part, its own nodes stay in memory: those that are not in the state. */
const MOST = 16

export function keptParts(): KeptParts {
  const kept = new Map<string, { readonly part: Child | undefined }>()
  return {
    find(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    keep(key, part) {
      kept.set(key, { part })
      if (kept.size > MOST) kept.delete(kept.keys().next().value as string)
    },
  }
}
