/**
 * The details of a proposed change that rules can select by: what is removed, what changes its kind, how many places change.
 *
 * They come from a diff of the states before and after, so they are the same for every way of writing. The diff is made only
 * when a rule selects by details, and once for all rules.
 */

import { isTagged, parseKnownPath, type Stored } from '../../core/index.ts'
import type { Journal, Work } from '../../store/index.ts'
import { decrypted, diff, type Encryption, rootOf, type StoredChange } from '../../tree/index.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import type { ChangeKind } from './rule.ts'

export interface ChangeDetail {
  readonly path: readonly string[]
  readonly kinds: readonly ChangeKind[]
  /** How many places change: a container that is added or removed counts every place in it. */
  readonly places: number
}

export function* detailsOfChange(
  { context }: Journal,
  { before, after }: ProposedChange,
): Work<readonly ChangeDetail[]> {
  const nothing = rootOf(context, {}, 0)
  const changes = [
    ...(yield* diff(context, before?.tree ?? nothing, after.tree)),
    ...(yield* diff(context, before?.system ?? nothing, after.system)),
  ]
  return changes.flatMap(change => changesFrom(context.encryption, change))
}

function changesFrom(encryption: Encryption | undefined, change: StoredChange): readonly ChangeDetail[] {
  const path = parseKnownPath(change.path)
  const schema: readonly ChangeKind[] = path[0] === '_meta' ? ['schema'] : []
  switch (change.op) {
    case 'add':
      return [{ path, kinds: schema, places: placesIn(decrypted(encryption, change.after)) }]
    case 'remove':
      return [{ path, kinds: [...schema, 'destructive'], places: placesIn(decrypted(encryption, change.before)) }]
    case 'move':
      return [
        { path, kinds: schema, places: 1 },
        { path: parseKnownPath(change.from), kinds: schema, places: 0 },
      ]
    case 'change': {
      const [before, after] = [decrypted(encryption, change.before), decrypted(encryption, change.after)]
      const kinds = [...schema]
      if (kindOf(before) !== kindOf(after)) kinds.push('type')
      // Replacing a container removes what was in it.
      if (isContainer(before) && Object.keys(before).length > 0) kinds.push('destructive')
      return [{ path, kinds, places: Math.max(1, placesIn(before), placesIn(after)) }]
    }
  }
}

/** The number of leaves; an empty container counts as one. */
function placesIn(value: Stored): number {
  if (!isContainer(value)) return 1
  const parts = Object.values(value) as readonly Stored[]
  return parts.length === 0 ? 1 : parts.reduce<number>((sum, part) => sum + placesIn(part), 0)
}

function isContainer(value: Stored): value is Stored & object {
  return typeof value === 'object' && value !== null && !isTagged(value)
}

/** The JSON type of a value, or its tag. */
function kindOf(value: Stored): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return 'list'
  return isTagged(value) ? Object.keys(value)[0]! : 'map'
}
