/** Checks that the nodes of a bundle are exactly those that its commits need. It does not know entries or refs. */

import { hashText } from '../../core/index.ts'
import type { CommitRecord } from '../../store/index.ts'
import type { BundleFault } from './fault.ts'
import { findNodeShape } from './node-shape.ts'
import { neededNodes, openingOf, openingsBelow, type Patterns } from './openings.ts'

/** Makes a fault that names the entry being read. */
export type EntryFault = (check: BundleFault['check'], detail: string) => BundleFault

export class NodeChecker {
  readonly #patterns: Patterns | undefined
  readonly #fault: EntryFault
  readonly #needed = neededNodes()

  constructor(patterns: Patterns | undefined, fault: EntryFault) {
    this.#patterns = patterns
    this.#fault = fault
  }

  /** Needs the states of a commit, as far as they did not come before. */
  need({ tree, system, detail }: CommitRecord): void {
    this.#needed.need(tree, openingOf(this.#patterns))
    this.#needed.need(system, 'all')
    if (detail !== undefined) this.#needed.need(detail, 'all')
  }

  /** Takes a node that is needed, and needs its children. Returns its id. */
  take(text: string): string {
    const shape = findNodeShape(text)
    if (shape === undefined) throw this.#fault('node', 'a text is not one that a node has')
    const id = hashText(text)
    const opening = this.#needed.take(id)
    if (opening === undefined) throw this.#fault('unneeded-node', `the node ${id} is not needed`)
    const below = openingsBelow(this.#patterns, shape, opening)
    for (const [i, child] of shape.ids.entries()) this.#needed.need(child, below[i]!)
    return id
  }

  assertNoneMissing(): void {
    if (this.#needed.missing() === 0) return
    throw this.#fault('missing-node', `the node ${this.#needed.firstMissing()} is not there`)
  }
}
