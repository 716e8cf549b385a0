/**
 * What two containers do not have in common, found without reading what they have.
 *
 * A node is shared when it is stored once for both: the same id at the same place. What lies in it then has the same
 * writers too. The order of things does not matter here; for each node that both have, one is left out on either side.
 */

import { type ContainerNode, type Entry, type Item, type Link, nodeOf, type TreeContext } from '../tree/index.ts'
import { partsOf } from '../tree/sequence.ts'
import type { Walk } from '../tree/walk.ts'

type Part = Entry | Item

export interface Unshared {
  readonly own: readonly Entry[]
  readonly before: readonly Entry[]
}

/** Told of every link that was met on either side. */
export interface OnLink {
  own(link: Link): void
  before(link: Link): void
}

/** The entries of `own` and of `before` that lie in nodes the other does not have. */
export function* unshared(
  context: TreeContext,
  own: ContainerNode,
  before: ContainerNode | undefined,
  onLink: OnLink,
): Walk<Unshared> {
  let mine = partsOf(own)
  let theirs = before === undefined ? [] : partsOf(before)
  let myLevel = levelOf(own)
  let theirLevel = before === undefined ? 0 : levelOf(before)
  while (myLevel > 0 || theirLevel > 0) {
    if (myLevel === theirLevel) {
      const shared = countedPlaces(mine as readonly Item[], theirs as readonly Item[])
      mine = withoutShared(mine as readonly Item[], new Map(shared))
      theirs = withoutShared(theirs as readonly Item[], new Map(shared))
    }
    const level = Math.max(myLevel, theirLevel)
    if (myLevel === level) {
      mine = yield* opened(context, mine as readonly Item[], onLink.own)
      myLevel--
    }
    if (theirLevel === level) {
      theirs = yield* opened(context, theirs as readonly Item[], onLink.before)
      theirLevel--
    }
  }
  const entries = { own: mine as readonly Entry[], before: theirs as readonly Entry[] }
  for (const { child } of entries.own) if (child.kind === 'link') onLink.own(child)
  for (const { child } of entries.before) if (child.kind === 'link') onLink.before(child)
  return entries
}

function levelOf(node: ContainerNode): number {
  return 'level' in node ? node.level : 0
}

/** For each place that occurs on both sides, how often it does on both. */
function countedPlaces(a: readonly Item[], b: readonly Item[]): Map<string, number> {
  const inA = new Map<string, number>()
  for (const { link } of a) inA.set(placeOf(link), (inA.get(placeOf(link)) ?? 0) + 1)
  const both = new Map<string, number>()
  for (const { link } of b) {
    const place = placeOf(link)
    const count = both.get(place) ?? 0
    if (count < (inA.get(place) ?? 0)) both.set(place, count + 1)
  }
  return both
}

function withoutShared(items: readonly Item[], shared: Map<string, number>): Item[] {
  return items.filter(({ link }) => {
    const count = link.fresh === undefined ? (shared.get(placeOf(link)) ?? 0) : 0
    if (count > 0) shared.set(placeOf(link), count - 1)
    return count === 0
  })
}

function placeOf({ id, at, fresh }: Link): string {
  return fresh === undefined ? `${id}@${at}` : ''
}

function* opened(context: TreeContext, items: readonly Item[], onLink: (link: Link) => void): Walk<readonly Part[]> {
  const parts: Part[] = []
  for (const { link } of items) {
    onLink(link)
    for (const part of partsOf((yield* nodeOf(context.nodes, link)) as ContainerNode)) parts.push(part)
  }
  return parts
}
