/**
 * How tree functions ask for nodes.
 *
 * A tree function is written once, as a generator that yields the links it needs and gets their nodes. Driven by
 * `walkSync` it never leaves the call; driven by `walk` it waits for a store that answers with promises. A list of links
 * is a hint: they will be needed soon, and a store may fetch them together; nothing comes back for it.
 */

import type { Link, Node } from './node.ts'

export type Need = Link | readonly Link[]
export type Walk<T> = Generator<Need, T, Node | undefined>

/** Where nodes are found that are in memory already. */
export interface Nodes {
  find(link: Link): Node | undefined
}

/** The node behind a link. */
export function* nodeOf(nodes: Nodes, link: Link): Walk<Node> {
  return link.fresh?.node ?? nodes.find(link) ?? ((yield link) as Node)
}

/** Says which nodes come next, when several do and some are not in memory. */
export function* expectSoon(nodes: Nodes, links: readonly Link[]): Walk<void> {
  const absent = links.filter(link => link.fresh === undefined && nodes.find(link) === undefined)
  if (absent.length > 1) yield absent
}

/** Whether links are only announced, and no answer is waited for. */
export function isHint(need: Need): need is readonly Link[] {
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

/** Runs a tree function on a store that answers at once. */
export function walkSync<T>(steps: Walk<T>, loader: SyncLoader): T {
  let step = steps.next()
  while (step.done !== true) {
    if (isHint(step.value)) {
      loader.loadAll(step.value)
      step = steps.next()
    } else {
      step = steps.next(loader.load(step.value))
    }
  }
  return step.value
}

/** Runs a tree function on a store that answers later. */
export async function walk<T>(steps: Walk<T>, loader: Loader): Promise<T> {
  let step = steps.next()
  while (step.done !== true) {
    if (isHint(step.value)) {
      await loader.loadAll(step.value)
      step = steps.next()
    } else {
      step = steps.next(await loader.load(step.value))
    }
  }
  return step.value
}
