/** Places that may be named to somebody who may not read what is in them. */

import type { BranchScope } from './read-scope.ts'

/** The nearest place above that may be read at least in part; the root when there is none. */
export function nearestReadable(scope: BranchScope, path: readonly string[]): readonly string[] {
  let length = path.length
  while (length > 0 && scope.readability(path.slice(0, length)) === 'none') length--
  return path.slice(0, length)
}
