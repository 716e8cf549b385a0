/**
 * Whether a commit changed something that a pattern matches.
 *
 * The paths in an entry tell most of it. Where one of them stands for all that is below it (a whole that was put there,
 * taken away or replaced, or many paths folded into one), the two states tell the rest.
 */

import { couldMatchBelow, type Glob, matchesGlob, parseKnownPath } from '../core/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { diff, type StoredChange } from '../tree/index.ts'
import type { View } from './access/sight.ts'
import { visibleState } from './access/visible.ts'
import { type Roots, stateBefore } from './back.ts'
import { changedPath } from './filter.ts'
import type { Handle } from './handle.ts'
import { findChild, listBelow } from './state.ts'

/** Only what may be read in a view counts. */
export function* isTouched(handle: Handle, commit: StoredCommit, glob: Glob, view: View | undefined): Work<boolean> {
  const changed = (commit.entry.changed ?? [])
    .map(changedPath)
    .filter(({ segments }) => view?.sees(segments) !== 'none')
  const isWhole = (path: readonly string[]): boolean => view === undefined || view.sees(path) === 'all'
  const isPlain = changed.some(
    ({ segments, isFolded }) => !isFolded && isWhole(segments) && matchesGlob(glob, segments),
  )
  if (isPlain) return true
  const wholes = changed.filter(({ segments }) => matchesGlob(glob, segments) || couldMatchBelow(glob, segments))
  if (wholes.length === 0) return false
  const { context } = handle.journal
  const before = yield* visibleState<Roots>(context, yield* stateBefore(handle, commit), view)
  const after = yield* visibleState<Roots>(context, commit, view)
  for (const { segments } of wholes) {
    const [a, b] = [yield* findChild(context, before, segments), yield* findChild(context, after, segments)]
    for (const change of yield* diff(context, a, b, segments)) {
      if (yield* isMatched(handle, change, before, after, glob)) return true
    }
  }
  return false
}

function* isMatched(handle: Handle, change: StoredChange, before: Roots, after: Roots, glob: Glob): Work<boolean> {
  const places: [Roots, string][] = [[after, change.path]]
  places.push([before, change.op === 'move' ? change.from : change.path])
  for (const [state, path] of places) if (yield* isThere(handle, state, parseKnownPath(path), glob)) return true
  return false
}

/** Whether a pattern matches what a state has at a path, or something below it. */
function* isThere({ journal: { context } }: Handle, state: Roots, path: readonly string[], glob: Glob): Work<boolean> {
  const child = yield* findChild(context, state, path)
  if (child === undefined) return false
  if (matchesGlob(glob, path)) return true
  if (!couldMatchBelow(glob, path)) return false
  const below = yield* listBelow(context, child, path, Number.POSITIVE_INFINITY)
  return below.some(entry => matchesGlob(glob, parseKnownPath(entry.path)))
}
