/** The results for many items, with a pause after some of them. */

import { pausePoint } from '../../tree/index.ts'
import type { Work } from './work.ts'

const ITEMS_BETWEEN = 256

export function* pausedMap<T, R>(items: readonly T[], resultOf: (item: T) => Work<R>): Work<R[]> {
  const results: R[] = []
  for (const [i, item] of items.entries()) {
    if (i % ITEMS_BETWEEN === ITEMS_BETWEEN - 1) yield pausePoint
    results.push(yield* resultOf(item))
  }
  return results
}
