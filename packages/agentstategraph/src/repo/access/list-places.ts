/**
 * The paths by which changes of lists are authorized.
 *
 * An element that is inserted, removed or moved shifts the elements behind it. Such a change is authorized as a change of the
 * list, so a grant for one element does not allow to shift the others.
 */

import { isIndex, parseKnownPath } from '../../core/index.ts'
import type { Journal, Work } from '../../store/index.ts'
import { containerOfChild, diff, familyOf, findEntry } from '../../tree/index.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import { rootOfPath } from '../state/state.ts'

type Roots = ProposedChange['after']

const DIGIT_NINE = 57

/** The changed paths, where a path into a list whose elements shifted is replaced by the path of the list. */
export function* authorizedPlaces(
  journal: Journal,
  before: Roots | undefined,
  after: Roots,
  changed: readonly (readonly string[])[],
): Work<readonly (readonly string[])[]> {
  if (before === undefined || !changed.some(path => path.some(isListIndex))) return changed
  const known = new Map<string, boolean>()
  const judged = new Map<string, readonly string[]>()
  for (const path of changed) {
    const place = yield* authorizedPlace(journal, before, after, path, known)
    judged.set(JSON.stringify(place), place)
  }
  return [...judged.values()]
}

function isListIndex(segment: string): boolean {
  const first = segment.charCodeAt(0)
  return first <= DIGIT_NINE && (segment === '-' || isIndex(segment))
}

function* authorizedPlace(
  journal: Journal,
  before: Roots,
  after: Roots,
  path: readonly string[],
  known: Map<string, boolean>,
): Work<readonly string[]> {
  for (const [i, segment] of path.entries()) {
    if (!isListIndex(segment)) continue
    const list = path.slice(0, i)
    const name = JSON.stringify(list)
    const isShifted = known.get(name) ?? (yield* hasShifted(journal, before, after, list))
    known.set(name, isShifted)
    if (isShifted) return list
  }
  return path
}

function* hasShifted({ context }: Journal, before: Roots, after: Roots, path: readonly string[]): Work<boolean> {
  if (path.length === 0) return false
  const a = (yield* findEntry(context, rootOfPath(before, path), path))?.child
  const b = (yield* findEntry(context, rootOfPath(after, path), path))?.child
  if (a === undefined || b === undefined) return false
  const [old, now] = [yield* containerOfChild(context, a), yield* containerOfChild(context, b)]
  if (old === undefined || now === undefined) return false
  if (familyOf(old).leaf !== 'list' || familyOf(now).leaf !== 'list') return false
  const changes = yield* diff(context, a, b, path)
  return changes.some(({ op, path: at }) => op !== 'change' && parseKnownPath(at).length === path.length + 1)
}
