/** Paths that may be named to a reader who may not read their content. */

import type { BranchScope } from './read-scope.ts'

/** The path itself or its nearest ancestor that is readable in part; the root when there is none. */
export function nearestReadable(scope: BranchScope, path: readonly string[]): readonly string[] {
  let length = path.length
  while (length > 0 && scope.readability(path.slice(0, length)) === 'none') length--
  return path.slice(0, length)
}
