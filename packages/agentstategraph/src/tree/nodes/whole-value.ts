/**
 * The whole value of a child, in its stored form or decoded.
 *
 * The text of a node without links holds its value as JSON, so such a node is read by one call of `JSON.parse`. When no
 * string in the text begins with `$`, there is nothing to decode either. Nodes with links, and nodes that are in memory
 * already, are read entry by entry.
 */

import { keepKeys, type Stored, setOwn, userKey } from '../../core/index.ts'
import type { TreeContext } from './context.ts'
import { longValue } from './long.ts'
import { type BranchNode, type Child, type ContainerNode, type Entry, isContainer, type Link } from './node.ts'
import { expectAll, nodeOf, type Walk } from './walk.ts'

/** Makes of a stored value what a caller sees. `at` is the path of the value. */
export type Decode = (stored: Stored, at: readonly string[]) => unknown

interface Reading {
  readonly context: TreeContext
  /** Absent when the stored form is wanted. */
  readonly decode: Decode | undefined
  /** The path of what is read. */
  readonly at: (string | number)[]
}

type ValueMap = { [key: string]: unknown }

/** The whole value of a child, in its stored form. */
export function valueOfChild(context: TreeContext, child: Child): Walk<Stored> {
  return readChild({ context, decode: undefined, at: [] }, child) as Walk<Stored>
}

/** The whole value of a child as a caller sees it. It shares no objects with the tree. */
export function decodedChild(context: TreeContext, child: Child, at: readonly string[], decode: Decode): Walk<unknown> {
  return readChild({ context, decode, at: [...at] }, child)
}

function* readChild(reading: Reading, child: Child): Walk<unknown> {
  const { nodes } = reading.context
  if (child.kind === 'link') yield* expectAll(nodes, [child])
  const value = readNow(reading, child)
  if (value !== notNow) return value
  const node = yield* nodeOf(nodes, child as Link)
  if (isContainer(node)) return yield* readContainer(reading, node)
  return decoded(reading, node.kind === 'value' ? node.value : yield* longValue(reading.context, node as BranchNode))
}

/** In place of a value that is not in its parent and not in one text. */
const notNow: unique symbol = Symbol('not now')

function readNow(reading: Reading, child: Child): unknown {
  if (child.kind === 'leaf') return decoded(reading, child.value)
  if (child.kind === 'held') return parsed(reading, child.text, JSON.parse(child.text) as Stored)
  const text = findText(reading, child)
  return text === undefined ? notNow : parsed(reading, text, storedIn(text))
}

function findText({ context }: Reading, link: Link): string | undefined {
  const read = link.fresh === undefined ? context.nodes.findRead?.(link) : undefined
  return typeof read === 'string' ? read : undefined
}

/** The value in the text of a node without links: all that follows its kind and, in a container, the empty `{}`. */
function storedIn(text: string): Stored {
  const from = text[2] === 'm' ? '["map",{},'.length : text[2] === 'l' ? '["list",{},'.length : '["value",'.length
  return JSON.parse(text.slice(from, -1)) as Stored
}

/** What was parsed from a text of this node's own; nothing else holds it. */
function parsed(reading: Reading, text: string, stored: Stored): unknown {
  return hasTags(text) ? decoded(reading, stored) : stored
}

/** Whether a text can hold tags or keys that were escaped: both are strings that begin with `$`. */
function hasTags(text: string): boolean {
  // One character is searched for much faster than two.
  return text.includes('$') && text.includes('"$')
}

function decoded({ decode, at }: Reading, stored: Stored): unknown {
  if (decode === undefined || typeof stored !== 'object' || stored === null) return stored
  return decode(stored, at.map(String))
}

function* readContainer(reading: Reading, node: ContainerNode): Walk<unknown> {
  if (node.kind === 'list' || node.kind === 'lists') {
    const list: unknown[] = []
    yield* readElements(reading, node, list)
    return list
  }
  const map: ValueMap = {}
  const isPaused = 'items' in node && reading.context.nodes.isPauseDue !== undefined
  const names: string[] | undefined = isPaused ? [] : undefined
  yield* readFields(reading, node, map, names)
  if (names !== undefined) keepKeys(map, names)
  return map
}

function* readElements(reading: Reading, node: ContainerNode, list: unknown[]): Walk<void> {
  const { nodes } = reading.context
  if ('items' in node) {
    yield* expectAll(
      nodes,
      node.items.map(({ link }) => link),
    )
    for (const { link } of node.items) {
      yield* expectAll(nodes, [link])
      const text = findText(reading, link)
      if (text === undefined) yield* readElements(reading, (yield* nodeOf(nodes, link)) as ContainerNode, list)
      else
        for (const stored of storedIn(text) as readonly Stored[])
          list.push(readPart(reading, text, list.length, stored))
    }
    return
  }
  yield* expectAll(nodes, linksOf(node.entries))
  for (const { child } of node.entries) {
    reading.at.push(list.length)
    const value = readNow(reading, child)
    list.push(value === notNow ? yield* readChild(reading, child) : value)
    reading.at.pop()
  }
}

/** Adds the fields below a node to a map, and their names to a list. */
function* readFields(reading: Reading, node: ContainerNode, map: ValueMap, names: string[] | undefined): Walk<void> {
  const { nodes } = reading.context
  if ('items' in node) {
    yield* expectAll(
      nodes,
      node.items.map(({ link }) => link),
    )
    for (const { link } of node.items) {
      yield* expectAll(nodes, [link])
      const text = findText(reading, link)
      if (text === undefined) yield* readFields(reading, (yield* nodeOf(nodes, link)) as ContainerNode, map, names)
      else
        for (const [key, stored] of Object.entries(storedIn(text) as { readonly [key: string]: Stored })) {
          const name = nameOf(reading, key)
          names?.push(name)
          setOwn(map, name, readPart(reading, text, name, stored))
        }
    }
    return
  }
  yield* expectAll(nodes, linksOf(node.entries))
  for (const { key, child } of node.entries) {
    const name = nameOf(reading, key)
    names?.push(name)
    reading.at.push(name)
    const value = readNow(reading, child)
    setOwn(map, name, value === notNow ? yield* readChild(reading, child) : value)
    reading.at.pop()
  }
}

/** One entry of a leaf that was read from its text. */
function readPart(reading: Reading, text: string, segment: string | number, stored: Stored): unknown {
  reading.at.push(segment)
  const value = parsed(reading, text, stored)
  reading.at.pop()
  return value
}

function nameOf({ decode }: Reading, key: string): string {
  return decode === undefined ? key : userKey(key)
}

function linksOf(entries: readonly Entry[]): Link[] {
  const links: Link[] = []
  for (const { child } of entries) if (child.kind === 'link') links.push(child)
  return links
}
