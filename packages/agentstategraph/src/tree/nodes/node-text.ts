/**
 * The text of a node: what is hashed, stored and sent.
 *
 * The first element of a text is its kind, so that nodes of different kinds never share an id. docs/format.md shows each
 * form. Pointers and writers are not in the text; the record around it in a pack holds them, in the order in which
 * `provenanceOf` visits them.
 */

import { canonicalText, hashText, isTagged, quote, type Stored } from '../../core/index.ts'
import {
  type BranchKind,
  type Child,
  type Entry,
  entryOf,
  type Held,
  type Item,
  type Leaf,
  type Link,
  type ListNode,
  type MapNode,
  mapNode,
  type Node,
  type Patch,
  type Pointer,
  unstored,
  type Writer,
} from './node.ts'

export function nodeText(node: Node): string {
  // The nodes of most writes, without the lists of their lines.
  if (node.kind === 'map') return node.text ?? mapText(node)
  const { frame, sections } = textLines(node)
  return sections.reduce((text, lines, i) => text + lines.join(',') + frame[i + 1], frame[0]!)
}

/** The text of a node in lines: the sections stand between the pieces of the frame, their lines between commas. */
export interface TextLines {
  readonly frame: readonly string[]
  readonly sections: readonly (readonly string[])[]
}

export function textLines(node: Node): TextLines {
  switch (node.kind) {
    case 'map':
      return mapLines(node)
    case 'list':
      return listLines(node)
    case 'value':
      return { frame: ['["value",', ']'], sections: [[canonicalText(node.value)]] }
    case 'text':
      return { frame: ['["text",', ']'], sections: [[quote(node.piece)]] }
    case 'bytes':
      return { frame: ['["bytes","', '"]'], sections: [[node.piece]] }
    default:
      return {
        frame: [`["${node.kind}",${node.level},[`, ']]'],
        sections: [node.items.map(item => itemText(node.kind, item))],
      }
  }
}

/** A link to a node that no pack holds yet; `by` is the writer of everything in it, if that is one. */
export function freshLink(node: Node, by?: Writer, patch?: Patch): Link {
  const text = patch?.base.text === undefined ? nodeText(node) : patchedText(patch.base.text, node as MapNode, patch)
  return linkTo(node, text, by, patch)
}

/** The same for a node whose text is known. */
export function linkTo(node: Node, text: string, by?: Writer, patch?: Patch): Link {
  return { kind: 'link', id: hashText(text), at: unstored, fresh: { node, text, by, patch } }
}

const MAP_START = '["map",{'
const MAP_MIDDLE = '},{'

function mapText({ entries }: MapNode): string {
  let links = ''
  let inline = ''
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!
    if (entry.child.kind === 'link') links += links === '' ? lineOf(entry) : `,${lineOf(entry)}`
    else inline += inline === '' ? lineOf(entry) : `,${lineOf(entry)}`
  }
  return `${MAP_START}${links}${MAP_MIDDLE}${inline}}]`
}

/** How a map differs from a stored one in which another entry is at `index`; undefined where the lines do not correspond. */
export function findPatch(base: MapNode, index: number, entry: Entry): Patch | undefined {
  const { entries } = base
  const isLinked = entry.child.kind === 'link'
  if ((entries[index]!.child.kind === 'link') !== isLinked) return undefined
  let start = MAP_START.length
  let isFirst = true
  for (let i = 0; i < index; i++) {
    const before = entries[i]!
    if ((before.child.kind === 'link') === isLinked) start += lineOf(before).length + 1
    else if (!isLinked) {
      start += lineOf(before).length + (isFirst ? 0 : 1)
      isFirst = false
    }
  }
  if (isLinked) return { base, index, start }
  // The lines of all links are before those of the others.
  for (let i = index + 1; i < entries.length; i++) {
    const after = entries[i]!
    if (after.child.kind !== 'link') continue
    start += lineOf(after).length + (isFirst ? 0 : 1)
    isFirst = false
  }
  return { base, index, start: start + MAP_MIDDLE.length }
}

function patchedText(text: string, { entries }: MapNode, { base, index, start }: Patch): string {
  const end = start + lineOf(base.entries[index]!).length
  return text.slice(0, start) + lineOf(entries[index]!) + text.slice(end)
}

/** What an entry of a map is in the text of its node. */
export function lineOf(entry: Entry): string {
  if (entry.line === undefined) {
    const { key, child } = entry
    entry.line = child.kind === 'link' ? `${quote(key)}:"${child.id}"` : `${quote(key)}:${child.text}`
  }
  return entry.line
}

function mapLines({ entries }: MapNode): TextLines {
  const links: string[] = []
  const inline: string[] = []
  for (const entry of entries) (entry.child.kind === 'link' ? links : inline).push(lineOf(entry))
  return { frame: [MAP_START, MAP_MIDDLE, '}]'], sections: [links, inline] }
}

function listLines({ entries }: ListNode): TextLines {
  const links: string[] = []
  const inline = entries.map(({ child }, i) => {
    if (child.kind !== 'link') return child.text
    links.push(`"${i}":"${child.id}"`)
    return '0'
  })
  // The order of keys in a canonical text is that of strings: "10" comes before "2".
  return { frame: ['["list",{', '},[', ']]'], sections: [links.sort(), inline] }
}

function itemText(kind: BranchKind, item: Item): string {
  if (item.line === undefined) {
    const tail = `"${item.link.id}",${item.count}]`
    item.line = kind === 'maps' ? `[${quote(item.first)},${tail}` : `[${tail}`
  }
  return item.line
}

/** The text of a container as a value, or undefined when it is longer than `max` or has linked parts. */
export function inlineText(node: MapNode | ListNode, max: number): string | undefined {
  const isMap = node.kind === 'map'
  let length = 1
  for (const { key, child } of node.entries) {
    if (child.kind === 'link') return undefined
    // A lower bound: quotes, colon and comma are counted, escapes are not.
    length += child.text.length + (isMap ? key.length + 4 : 1)
    if (length > max) return undefined
  }
  let text = ''
  for (const { key, child } of node.entries as readonly { key: string; child: Leaf | Held }[]) {
    text += `${text === '' ? '' : ','}${isMap ? `${quote(key)}:` : ''}${child.text}`
  }
  return isMap ? `{${text}}` : `[${text}]`
}

/** Reads, one by one, what a record keeps beside its text. */
export interface Provenance {
  pointer(): Pointer
  writer(): Writer
}

/** Visits every pointer and writer of a node in the order in which a record keeps them. */
export function provenanceOf(node: Node, onPointer: (link: Link) => void, onWriter: (entry: Entry) => void): void {
  if ('entries' in node) {
    for (const entry of node.entries) {
      onWriter(entry)
      if (entry.child.kind === 'link') onPointer(entry.child)
      else if (entry.child.kind === 'held') provenanceOf(entry.child.node, onPointer, onWriter)
    }
  } else if ('items' in node) {
    for (const item of node.items) onPointer(item.link)
  }
}

/** Whether the text of a node holds all of its value, as its last element: nothing of it is behind a link. */
export function isWholeText(text: string): boolean {
  return text.startsWith('["map",{},') || text.startsWith('["list",{},') || text.startsWith('["value",')
}

type Json = readonly unknown[]

/** Reads a node. The text must be one that `nodeText` wrote: its hash was compared before. */
export function parseNode(text: string, provenance: Provenance): Node {
  const json = JSON.parse(text) as Json
  const kind = json[0] as Node['kind']
  switch (kind) {
    case 'map':
      return parseMap(json[1] as Record<string, string>, json[2] as Record<string, Stored>, provenance)
    case 'list':
      return parseList(json[1] as Record<string, string>, json[2] as readonly Stored[], provenance)
    case 'value':
      return { kind, value: json[1] as Stored }
    case 'text':
    case 'bytes':
      return { kind, piece: json[1] as string }
    default:
      return {
        kind,
        level: json[1] as number,
        items: parseItems(kind, json[2] as readonly Json[], provenance),
        deltas: 0,
      }
  }
}

function parseItems(kind: BranchKind, json: readonly Json[], provenance: Provenance): Item[] {
  return json.map(row => {
    const [first, id, count] = kind === 'maps' ? row : ['', ...row]
    return { first: first as string, link: storedLink(id as string, provenance), count: count as number }
  })
}

function parseMap(links: Record<string, string>, inline: Record<string, Stored>, provenance: Provenance): MapNode {
  const keys = sorted([...Object.keys(links), ...Object.keys(inline)])
  const entries = keys.map((key): Entry => {
    const writer = provenance.writer()
    const id = Object.hasOwn(links, key) ? links[key] : undefined
    return entryOf(key, id === undefined ? inlineChild(inline[key]!, provenance) : storedLink(id, provenance), writer)
  })
  return mapNode(entries)
}

function parseList(links: Record<string, string>, inline: readonly Stored[], provenance: Provenance): ListNode {
  const entries = inline.map((value, i): Entry => {
    const writer = provenance.writer()
    const id = links[i]
    return entryOf('', id === undefined ? inlineChild(value, provenance) : storedLink(id, provenance), writer)
  })
  return { kind: 'list', entries, deltas: 0 }
}

function storedLink(id: string, provenance: Provenance): Link {
  return { kind: 'link', id, at: provenance.pointer(), fresh: undefined }
}

function inlineChild(value: Stored, provenance: Provenance): Child {
  const text = canonicalText(value)
  if (typeof value !== 'object' || value === null || isTagged(value)) return { kind: 'leaf', value, text }
  return heldChild(value, text, provenance)
}

function heldChild(value: Stored & object, text: string, provenance: Provenance): Held {
  const node = Array.isArray(value)
    ? parseList({}, value as readonly Stored[], provenance)
    : parseMap({}, value as Record<string, Stored>, provenance)
  return { kind: 'held', node, text }
}

/** Keys from JSON.parse of a canonical text are sorted already, unless some look like integers. */
function sorted(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort()
  return keys
}
