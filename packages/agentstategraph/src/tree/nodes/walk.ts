/**
 * How tree functions request nodes.
 *
 * A tree function is written once, as a generator that yields the links it needs and receives their nodes. The store
 * drives it, synchronously or with promises. A list of links is a hint that they will be needed soon, so that the store
 * can fetch them together; the driver answers it with nothing. A pause point is where other work may run meanwhile.
 */

import type { Steps } from '../../core/index.ts'
import type { Link, Node } from './node.ts'

/** A place in long work where other work may run before it goes on. What was read before may be out of date after it. */
export interface PausePoint {
  readonly pause: true
}

export const pausePoint: PausePoint = { pause: true }

export type Need = Link | readonly Link[] | PausePoint
export type Walk<T> = Generator<Need, T, Node | undefined>

/** The nodes that are in memory. */
export interface Nodes {
  find(link: Link): Node | undefined
  /** The same, or the text of a node without links that was read for its value and not parsed. */
  findRead?(link: Link): Node | string | undefined
  /** Whether work has to pause before it reads another node; absent while it may not pause there. */
  isPauseDue?: (() => boolean) | undefined
}

export function* nodeOf(nodes: Nodes, link: Link): Walk<Node> {
  if (nodes.isPauseDue?.() === true) yield pausePoint
  return link.fresh?.node ?? nodes.find(link) ?? ((yield link) as Node)
}

/** Takes steps to their end, with pauses where work may pause. After one that may have taken long, the clock is looked at. */
export function* pausedSteps<T>(nodes: Nodes, steps: Steps<T>): Walk<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (nodes.isPauseDue === undefined) continue
    if (step.value === 'long' || nodes.isPauseDue()) yield pausePoint
  }
}

/** Takes steps to their end at once. */
export function finished<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Hints that these nodes come next, when several of them are not in memory. */
export function* expectSoon(nodes: Nodes, links: readonly Link[]): Walk<void> {
  const absent = absentOf(nodes, links)
  if (absent.length > 1) yield absent
}

/** Hints that the values of these nodes come next: those that are not in memory are read, but not parsed. */
export function* expectAll(nodes: Nodes, links: readonly Link[]): Walk<void> {
  if (nodes.isPauseDue?.() === true) yield pausePoint
  const absent = absentOf(nodes, links)
  if (absent.length > 0) yield absent
}

function absentOf(nodes: Nodes, links: readonly Link[]): Link[] {
  return links.filter(link => link.fresh === undefined && findRead(nodes, link) === undefined)
}

function findRead(nodes: Nodes, link: Link): Node | string | undefined {
  return nodes.findRead === undefined ? nodes.find(link) : nodes.findRead(link)
}

export function isPausePoint(need: unknown): need is PausePoint {
  return need === pausePoint
}

export function isHint(need: unknown): need is readonly Link[] {
  return Array.isArray(need)
}

export interface SyncLoader {
  load(link: Link): Node
  loadAll(links: readonly Link[]): void
}

export interface Loader {
  load(link: Link): Promise<Node>
  loadAll(links: readonly Link[]): Promise<void>
}
