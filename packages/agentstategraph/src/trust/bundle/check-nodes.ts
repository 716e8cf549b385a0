/**
 * Checks that the nodes of a bundle are exactly those that its commits need. It does not know entries or refs.
 *
 * Access states are needed apart from all other trees: a node that came for another tree does not count for them, and one
 * that both need comes twice, first for them. So whoever judges by them keeps their nodes, and no others.
 */

import { hashText } from '../../core/index.ts'
import type { Scratch } from '../../store/contract/scratch.ts'
import type { CommitRecord } from '../../store/index.ts'
import type { AccessNodes } from './authority/access-nodes.ts'
import type { BundleFault } from './fault.ts'
import type { Profile } from './format.ts'
import { findNodeShape, type NodeShape } from './node-shape.ts'
import {
  accessOpening,
  accessPatterns,
  type NeededNodes,
  neededNodes,
  type Opening,
  openingOf,
  openingsBelow,
  type Patterns,
} from './openings.ts'

/** Makes a fault that names the entry being read. */
export type EntryFault = (check: BundleFault['check'], detail: string) => BundleFault

export class NodeChecker {
  readonly #profile: Profile
  readonly #patterns: Patterns | undefined
  readonly #access: AccessNodes
  readonly #fault: EntryFault
  readonly #needed: NeededNodes
  readonly #neededOfAccess: NeededNodes

  constructor(
    profile: Profile,
    patterns: Patterns | undefined,
    access: AccessNodes,
    fault: EntryFault,
    scratch: Scratch,
  ) {
    this.#needed = neededNodes(scratch)
    this.#neededOfAccess = neededNodes(scratch)
    this.#profile = profile
    this.#patterns = patterns
    this.#access = access
    this.#fault = fault
  }

  /** Needs the states of a commit, as far as they did not come before. */
  need({ tree, system, detail }: CommitRecord, isDecision: boolean): void {
    if (isDecision) this.needAccess(tree)
    if (this.#profile !== 'full') return
    if (!isDecision) this.#needed.need(tree, openingOf(this.#patterns))
    this.#needed.need(system, 'all')
    if (detail !== undefined) this.#needed.need(detail, 'all')
  }

  /** Needs an access state. */
  needAccess(tree: string): void {
    this.#neededOfAccess.need(tree, accessOpening(this.#profile, this.#patterns))
  }

  /** Takes a node that is needed, and needs its children. Returns its id. */
  take(text: string): string {
    const shape = findNodeShape(text)
    if (shape === undefined) throw this.#fault('node', 'a text is not one that a node has')
    const id = hashText(text)
    const ofAccess = this.#neededOfAccess.take(id)
    if (ofAccess !== undefined) {
      this.#access.add(id, text)
      needBelow(this.#neededOfAccess, accessPatterns, shape, ofAccess)
      return id
    }
    const opening = this.#needed.take(id)
    if (opening === undefined) throw this.#fault('unneeded-node', `the node ${id} is not needed`)
    needBelow(this.#needed, this.#patterns, shape, opening)
    return id
  }

  assertNoneMissing(): void {
    const missing = this.#neededOfAccess.firstMissing() ?? this.#needed.firstMissing()
    if (missing !== undefined) throw this.#fault('missing-node', `the node ${missing} is not there`)
  }
}

function needBelow(needed: NeededNodes, patterns: Patterns | undefined, shape: NodeShape, opening: Opening): void {
  const below = openingsBelow(patterns, shape, opening)
  for (const [i, child] of shape.ids.entries()) needed.need(child, below[i]!)
}
