/**
 * Writes the packs of commits with very many nodes with pauses, where work may pause.
 *
 * The nodes are added in the order of `writePack`, so the pack is the same. They are in nobody else's hands meanwhile.
 */

import { type Link, type Node, type Nodes, pausePoint, type Walk } from '../../tree/index.ts'
import { type Bases, linkAtPlace } from './deltas.ts'
import { baseOf, newRecords, type Pack, type PackBuilding, packBuilding, type Roots, writePack } from './write-pack.ts'

/** A pack of so many nodes is written at once. */
const FEW_NODES = 64

/** The same as `writePack`. */
export function* pausedPack(
  nodes: Nodes,
  roots: Roots,
  parents: readonly number[],
  bases?: Bases,
  own = 0,
): Walk<Pack> {
  if (nodes.isPauseDue === undefined || !hasMany(roots)) return writePack(roots, parents, bases, own)
  const building = packBuilding(newRecords(), bases, own)
  yield* added(nodes, building, bases, roots.tree, bases?.tree)
  yield* added(nodes, building, bases, roots.system, bases?.system)
  if (roots.detail !== undefined) building.add(roots.detail, undefined)
  return building.finish(roots, parents)
}

function* added(
  nodes: Nodes,
  building: PackBuilding,
  bases: Bases | undefined,
  link: Link,
  below: Link | undefined,
): Walk<void> {
  if (link.fresh === undefined) return
  const { node } = link.fresh
  const base = bases && baseOf(bases.nodes, below)?.node
  for (const [index, child] of freshLinks(node)) {
    yield* added(nodes, building, bases, child, base && linkAtPlace(base, node, index))
  }
  if (nodes.isPauseDue?.() === true) yield pausePoint
  building.add(link, below)
}

function hasMany({ tree, system }: Roots): boolean {
  const stack = [tree, system].filter(isFresh)
  for (let count = 0; ; count++) {
    const link = stack.pop()
    if (link === undefined) return false
    if (count === FEW_NODES) return true
    for (const [, child] of freshLinks(link.fresh!.node)) stack.push(child)
  }
}

/** The links of a node to new nodes, with their index in it. */
function freshLinks(node: Node): (readonly [index: number, link: Link])[] {
  const found: (readonly [number, Link])[] = []
  if ('items' in node) {
    for (const [i, { link }] of node.items.entries()) if (isFresh(link)) found.push([i, link])
  } else if ('entries' in node) {
    for (const [i, { child }] of node.entries.entries())
      if (child.kind === 'link' && isFresh(child)) found.push([i, child])
  }
  return found
}

function isFresh({ fresh }: Link): boolean {
  return fresh !== undefined
}
