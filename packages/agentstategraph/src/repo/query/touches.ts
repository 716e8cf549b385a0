/**
 * Whether a commit changed something that a pattern matches.
 *
 * The paths in an entry tell most of it. Where one of them stands for all that is below it (a whole that was put there,
 * taken away or replaced, or many paths folded into one), the two states tell the rest.
 */

import { couldMatchBelow, type Glob, matchesGlob, type Path, parseKnownPath } from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { diff, isSameContent, type StoredChange } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { changedPath } from '../records/changed-path.ts'
import { findKept } from '../records/find-kept.ts'
import { type Roots, stateBefore } from '../state/roots.ts'
import { findChild, listBelow } from '../state/state.ts'
import { type BranchScope, readScopeOf } from '../visibility/read-scope.ts'
import { readableAt, readableState } from '../visibility/readable-state.ts'
import { type PathFilter, placeFilter } from './path-filter.ts'

/** Whether a commit that landed on a branch changed a place or something below it, as far as a handle may read it there. */
export function* commitTouches(handle: Handle, seq: number, branch: string, path: Path): Work<boolean> {
  const commit = yield* findKept(handle.journal, seq)
  if (commit === undefined) return false
  const view = (yield* readScopeOf(handle))?.on([branch])
  return yield* isTouched(handle, commit, placeFilter(path), view)
}

/** Only what may be read in a view counts. */
export function* isTouched(
  handle: Handle,
  commit: StoredCommit,
  { glob, place }: PathFilter,
  view: BranchScope | undefined,
): Work<boolean> {
  const changed = (commit.entry.changed ?? [])
    .map(changedPath)
    .filter(({ segments }) => view?.readability(segments) !== 'none')
  const isWhole = (path: readonly string[]): boolean => view === undefined || view.readability(path) === 'all'
  // Where all below a match matches too, what was folded into a path matches with it.
  const takesFolded = glob.parts.at(-1)?.kind === 'any'
  const isPlain = changed.some(
    ({ segments, isFolded }) => (!isFolded || takesFolded) && isWhole(segments) && matchesGlob(glob, segments),
  )
  if (isPlain) return true
  const wholes = changed.filter(({ segments }) => matchesGlob(glob, segments) || couldMatchBelow(glob, segments))
  if (wholes.length === 0) return false
  if (place !== undefined) return yield* isChangedAt(handle, commit, place, view)
  return yield* isChangedIn(handle, commit, wholes, glob, view)
}

/** Whether what may be read at a place is not what it was before a commit. */
function* isChangedAt(
  handle: Handle,
  commit: StoredCommit,
  place: readonly string[],
  view: BranchScope | undefined,
): Work<boolean> {
  const { context } = handle.journal
  const before = yield* readableAt(context, yield* stateBefore(handle, commit), place, view)
  const after = yield* readableAt(context, commit, place, view)
  return before === undefined || after === undefined ? before !== after : !isSameContent(before, after)
}

/** Whether one of the differences within some wholes is at a place that a pattern matches. */
function* isChangedIn(
  handle: Handle,
  commit: StoredCommit,
  wholes: readonly { readonly segments: readonly string[] }[],
  glob: Glob,
  view: BranchScope | undefined,
): Work<boolean> {
  const { context } = handle.journal
  const before = yield* readableState<Roots>(context, yield* stateBefore(handle, commit), view)
  const after = yield* readableState<Roots>(context, commit, view)
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
