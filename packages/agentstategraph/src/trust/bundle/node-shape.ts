/**
 * Reads from the text of a node what a bundle needs: its shape, and the ids it links to.
 *
 * Unlike the reader of the tree layer, this one accepts untrusted texts: any text may have the right hash.
 */

import type { Node } from '../../tree/index.ts'
import { readCanonical } from '../strict-text.ts'
import { fieldsOf, isInteger, isText } from './format.ts'
import { isIdText } from './texts.ts'

/** The links of a node, and how paths lead to them. */
export type NodeShape =
  | { readonly kind: 'map'; readonly keys: readonly string[]; readonly ids: readonly string[] }
  /** `keys` are the first keys of the children. */
  | { readonly kind: 'maps'; readonly keys: readonly string[]; readonly ids: readonly string[] }
  | { readonly kind: 'list' | 'lists' | 'pieces'; readonly ids: readonly string[] }

const none: NodeShape = { kind: 'pieces', ids: [] }

/** The shape of a node that the tree layer read. */
export function shapeOf(node: Node): NodeShape {
  if ('entries' in node) {
    const linked = node.entries.flatMap(({ key, child }) => (child.kind === 'link' ? [{ key, id: child.id }] : []))
    const ids = linked.map(({ id }) => id)
    return node.kind === 'map' ? { kind: 'map', keys: linked.map(({ key }) => key), ids } : { kind: 'list', ids }
  }
  if (!('items' in node)) return none
  const ids = node.items.map(({ link }) => link.id)
  if (node.kind === 'maps') return { kind: 'maps', keys: node.items.map(({ first }) => first), ids }
  return { kind: node.kind === 'lists' ? 'lists' : 'pieces', ids }
}

/** The shape of a node's text; undefined when the text is not a node. */
export function findNodeShape(text: string): NodeShape | undefined {
  const json = readCanonical(text)
  if (!Array.isArray(json)) return undefined
  const [kind, first, second] = json as readonly unknown[]
  switch (kind) {
    case 'map':
      return json.length === 3 ? mapShape(first, second) : undefined
    case 'list':
      return json.length === 3 ? listShape(first, second) : undefined
    case 'value':
      return json.length === 2 ? none : undefined
    case 'text':
    case 'bytes':
      return json.length === 2 && isText(first) ? none : undefined
    case 'maps':
    case 'lists':
    case 'texts':
    case 'bytess':
    case 'values':
      return json.length === 3 && isInteger(first) && first >= 1 ? branchShape(kind, second) : undefined
    default:
      return undefined
  }
}

function mapShape(links: unknown, inline: unknown): NodeShape | undefined {
  const [linked, held] = [fieldsOf(links), fieldsOf(inline)]
  if (linked === undefined || held === undefined) return undefined
  const keys = Object.keys(linked)
  const ids: string[] = []
  for (const key of keys) {
    const id = linked[key]
    if (!isIdText(id) || Object.hasOwn(held, key)) return undefined
    ids.push(id)
  }
  return { kind: 'map', keys, ids }
}

function listShape(links: unknown, inline: unknown): NodeShape | undefined {
  const linked = fieldsOf(links)
  if (linked === undefined || !Array.isArray(inline)) return undefined
  const ids: string[] = []
  for (const place of Object.keys(linked)) {
    const id = linked[place]
    const isPlace = /^(0|[1-9]\d{0,8})$/.test(place) && Number(place) < inline.length && inline[Number(place)] === 0
    if (!isPlace || !isIdText(id)) return undefined
    ids.push(id)
  }
  return { kind: 'list', ids }
}

function branchShape(kind: 'maps' | 'lists' | 'texts' | 'bytess' | 'values', rows: unknown): NodeShape | undefined {
  if (!Array.isArray(rows) || rows.length === 0) return undefined
  const keys: string[] = []
  const ids: string[] = []
  for (const row of rows as readonly unknown[]) {
    if (!Array.isArray(row) || row.length !== (kind === 'maps' ? 3 : 2)) return undefined
    const [id, count] = row.slice(-2) as readonly unknown[]
    if (!isIdText(id) || !isInteger(count) || count < 1) return undefined
    ids.push(id)
    if (kind !== 'maps') continue
    const [first] = row as readonly unknown[]
    if (!isText(first) || (keys.length > 0 && keys.at(-1)! >= first)) return undefined
    keys.push(first)
  }
  if (kind === 'maps') return { kind, keys, ids }
  return { kind: kind === 'lists' ? kind : 'pieces', ids }
}
