/**
 * The nodes of the access states in a bundle, and reading them: tables by name, records as values.
 *
 * The nodes have the right hashes, but may come from any maker. So reading is bounded: a node counts once in a table, and a
 * record has a limited number of nodes. docs/bundle.md has the same limits, because all verifiers must read alike.
 */

import { type Stored, userKey } from '../../../core/index.ts'
import { fieldsOf } from '../format.ts'

/** What a key of a table leads to: a node, or a value that is written in its parent. */
export type Child = { readonly link: string } | { readonly value: unknown }

export type Table = ReadonlyMap<string, Child>

/** How many nodes lie on one way down. */
const MAX_LEVELS = 32
/** How many nodes a record has. */
const MAX_NODES = 1000
/** How many tables are kept. Two states after one another share most of theirs. */
const MAX_TABLES = 16

type Node = readonly [kind: string, ...parts: readonly unknown[]]

export class AccessNodes {
  readonly #nodes = new Map<string, Node>()
  readonly #tables = new Map<string, Table>()

  /** Adds a node whose shape was checked. */
  add(id: string, text: string): void {
    this.#nodes.set(id, JSON.parse(text) as Node)
  }

  /** The table at a child; empty when there is none. */
  tableOf(child: Child | undefined): Table {
    if (child === undefined) return new Map()
    if (!('link' in child)) return new Map(inlineEntries(child.value))
    const known = this.#tables.get(child.link)
    if (known !== undefined) return known
    const table = new Map<string, Child>()
    this.#collect(child.link, MAX_LEVELS, new Set(), table)
    if (this.#tables.size >= MAX_TABLES) this.#tables.delete(this.#tables.keys().next().value!)
    this.#tables.set(child.link, table)
    return table
  }

  /** The value of a child; undefined when it has too many nodes. Keys inside it stay as they are stored. */
  valueOf(child: Child): unknown {
    return 'link' in child ? this.#value(child.link, MAX_LEVELS, { left: MAX_NODES }) : child.value
  }

  #collect(id: string, levels: number, seen: Set<string>, table: Map<string, Child>): void {
    const node = this.#nodes.get(id)
    if (node === undefined || levels === 0 || seen.has(id)) return
    seen.add(id)
    if (node[0] === 'maps')
      for (const [, below] of node[2] as [string, string][]) this.#collect(below, levels - 1, seen, table)
    if (node[0] !== 'map') return
    for (const [key, link] of Object.entries(node[1] as Record<string, string>)) put(table, userKey(key), { link })
    for (const [key, value] of inlineEntries(node[2])) put(table, key, value)
  }

  #value(id: string, levels: number, budget: { left: number }): unknown {
    const node = this.#nodes.get(id)
    if (node === undefined || levels === 0 || budget.left-- <= 0) return undefined
    const [kind, first, second] = node
    const below = (link: string): unknown => this.#value(link, levels - 1, budget)
    switch (kind) {
      case 'map':
        return this.#map(first as Record<string, string>, second as Record<string, unknown>, below)
      case 'list': {
        const links = first as Record<string, string>
        return whole((second as unknown[]).map((item, i) => (Object.hasOwn(links, i) ? below(links[i]!) : item)))
      }
      case 'lists': {
        const parts = whole((second as [string][]).map(([link]) => below(link)))
        return parts?.every(Array.isArray) ? parts.flat(1) : undefined
      }
      case 'texts': {
        const parts = whole((second as [string][]).map(([link]) => below(link)))
        return parts?.every(part => typeof part === 'string') ? parts.join('') : undefined
      }
      case 'text':
      case 'value':
        return first
      default:
        return undefined
    }
  }

  #map(
    links: Readonly<Record<string, string>>,
    inline: Readonly<Record<string, unknown>>,
    below: (link: string) => unknown,
  ): Readonly<Record<string, unknown>> | undefined {
    const linked = Object.entries(links).map(([key, link]) => [key, below(link)] as const)
    if (linked.some(([, value]) => value === undefined)) return undefined
    return Object.fromEntries([...Object.entries(inline), ...linked])
  }
}

/** The first one counts, where several nodes of a table have one key. */
function put(table: Map<string, Child>, key: string, child: Child): void {
  if (!table.has(key)) table.set(key, child)
}

function inlineEntries(value: unknown): readonly (readonly [string, Child])[] {
  return Object.entries(fieldsOf(value) ?? {}).map(([key, one]) => [userKey(key), { value: one }])
}

function whole(parts: readonly unknown[]): readonly Stored[] | undefined {
  return parts.includes(undefined) ? undefined : (parts as readonly Stored[])
}
