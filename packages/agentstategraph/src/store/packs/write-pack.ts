/**
 * Writes packs: the new nodes of one commit as bytes, cut into parts so that reading one node does not read all of them.
 *
 * A record holds a node's text and, outside the hash, the pointers of its links and the writers of its entries. In a pack,
 * its own nodes and its own commit have seq 0, so it is built before its sequence number is known. The leaf of a record is
 * a hash of its id, pointers and writers, and the digest of the pack is a hash of all leaves: so it covers every record, and
 * stays the same when the text of a record is stored in another way or is dropped.
 *
 * docs/format.md has the layout byte by byte.
 */

import { hashBytes, joinedBytes, leafId } from '../../core/index.ts'
import {
  type Fresh,
  indexOfPointer,
  type Link,
  type MapNode,
  maxPackNodes,
  type Node,
  type Nodes,
  type Pointer,
  pointerOf,
  seqOfPointer,
  WholeNode,
} from '../../tree/index.ts'
import type { NewPart } from '../contract/backend.ts'
import { storeError } from '../errors.ts'
import { ByteWriter, writeEntryNumber, writePointer, writeWriter } from './bytes.ts'
import { type Base, type Bases, deltaOf, leastDeltaLength, linkAtPlace } from './deltas.ts'
import { isPending } from './pending-nodes.ts'

export const packVersion = 2

/** How the text of a record is stored: as it is, as splices of another node's text, or not any more. */
export const recordKinds = { whole: 0, delta: 1, trimmed: 2 } as const

/** The characters of a leaf, and how many of them are the check of a record. */
export const leafLength = 43
export const checkLength = 8

/** The most bytes of records in a part of several; with its index of lengths a part stays within 64 KiB. */
const PART_BYTES = 60 * 1024

/** The roots of one commit. Each is a node of this pack or of an older one. */
export interface Roots {
  readonly tree: Link
  readonly system: Link
  readonly detail: Link | undefined
}

export interface Pack {
  readonly parts: readonly NewPart[]
  readonly digest: string
  /** The links whose nodes the pack holds, by their index in it. */
  readonly links: readonly Link[]
  /** The stored nodes that `bases` has in the places of these. */
  readonly replaced: readonly Pointer[]
}

/** The records of one part, before they are assembled. */
interface Records {
  readonly first: number
  readonly lengths: readonly number[]
  readonly bytes: Uint8Array
}

// Writing a record is one synchronous call, and so is writing most packs: they share the buffers they are built in.
const shared = newRecords()
const scratch = new ByteWriter(4096)
const header = new ByteWriter(64)
const covered = new ByteWriter(1024)

/**
 * `parents` are the entries of the commit's parents, in the order in which its text names them. Texts are stored as deltas of
 * `bases` where there are any. `own` is the pending number of a commit in a chain.
 */
export function writePack(roots: Roots, parents: readonly number[], bases?: Bases, own = 0): Pack {
  shared.truncate(0)
  const building = packBuilding(shared, bases, own)
  building.add(roots.tree, bases?.tree)
  building.add(roots.system, bases?.system)
  if (roots.detail !== undefined) building.add(roots.detail, undefined)
  return building.finish(roots, parents)
}

/** A pack that is being written. */
export interface PackBuilding {
  /** Adds the node of a link after those below it, unless it is stored or was added. `below` is at its place in `bases`. */
  add(link: Link, below: Link | undefined): void
  finish(roots: Roots, parents: readonly number[]): Pack
}

/** A buffer for the records of a pack. */
export function newRecords(): ByteWriter {
  return new ByteWriter(4 * PART_BYTES)
}

/** Begins a pack in an empty buffer. */
export function packBuilding(records: ByteWriter, bases: Bases | undefined, own: number): PackBuilding {
  const links: Link[] = []
  const replaced: Pointer[] = []
  const leaves: string[] = []
  const full: Records[] = []
  let lengths: number[] = []

  const add = (link: Link, below: Link | undefined): void => {
    // A fresh link gets its index as a pointer of seq 0, which tells that it was added already.
    if (link.fresh === undefined || links[indexOfPointer(link.at)] === link) return
    const { fresh } = link
    const base = bases && baseOf(bases.nodes, below)
    if (base !== undefined) replaced.push(base.at)
    addLinks(fresh, base?.node)
    const start = records.length
    leaves.push(writeRecord(records, link.id, fresh, isNear(bases, base) ? base : undefined, own))
    const size = records.length - start
    if (records.length > PART_BYTES && lengths.length > 0) {
      const last = records.view().slice(start)
      full.push({ first: links.length - lengths.length, lengths, bytes: records.view().slice(0, start) })
      records.truncate(0)
      records.raw(last)
      lengths = []
    }
    lengths.push(size)
    link.at = pointerOf(0, links.length)
    links.push(link)
    if (links.length > maxPackNodes) {
      throw storeError('commit-too-large', { what: 'number of nodes', size: links.length, limit: maxPackNodes })
    }
  }

  const addLinks = ({ node, patch }: Fresh, base: Node | undefined): void => {
    if (node instanceof WholeNode) return
    if (patch !== undefined) {
      const { child } = (node as MapNode).entries[patch.index]!
      if (child.kind === 'link') addAt(node, patch.index, child, base)
    } else if ('items' in node) for (let i = 0; i < node.items.length; i++) addAt(node, i, node.items[i]!.link, base)
    else if ('entries' in node)
      for (let i = 0; i < node.entries.length; i++) {
        const { child } = node.entries[i]!
        if (child.kind === 'link') addAt(node, i, child, base)
      }
  }
  const addAt = (node: Node, index: number, link: Link, base: Node | undefined): void => {
    if (link.fresh !== undefined) add(link, base && linkAtPlace(base, node, index))
  }

  const finish = (roots: Roots, parents: readonly number[]): Pack => {
    const last = { first: links.length - lengths.length, lengths, bytes: records.view() }
    const body = headerBody(roots, parents, own)
    const digest = packDigest(body, leaves)
    const head = headerOf(body)
    const parts = [...full, last].map(part => partOf(part, part.first === 0 ? head : none))
    return { parts, digest, links, replaced }
  }
  return { add, finish }
}

/** The parts of a pack, from the bytes of its header and of its records. */
export function cutParts(head: Uint8Array, all: readonly Uint8Array[]): NewPart[] {
  const parts: NewPart[] = []
  for (let first = 0; first < all.length || first === 0; ) {
    let end = first
    for (let size = 0; end < all.length; end++) {
      size += all[end]!.length
      if (size > PART_BYTES && end > first) break
    }
    const bytes = all.slice(first, end)
    const lengths = bytes.map(({ length }) => length)
    parts.push(partOf({ first, lengths, bytes: joinedBytes(bytes) }, first === 0 ? head : none))
    if (end === first) break
    first = end
  }
  return parts
}

/** The digest of a pack: SHA-256 of 0x01, the body of its header and the leaves of its records. */
export function packDigest(body: Uint8Array, leaves: readonly string[]): string {
  covered.truncate(0)
  covered.byte(1)
  covered.raw(body)
  covered.text(leaves.join(''))
  return hashBytes(covered.view())
}

/** The leaf of a record: SHA-256 of 0x00, the id of its node, and its pointers and writers. */
export function leafOf(id: string, provenance: Uint8Array): string {
  beginLeaf(id)
  covered.raw(provenance)
  return hashBytes(covered.view())
}

function beginLeaf(id: string): void {
  covered.truncate(0)
  covered.byte(0)
  covered.ascii(id)
}

/** Where the provenance begins in what the leaf of a record covers. */
const leafStart = 1 + leafLength

function partOf({ first, lengths, bytes }: Records, head: Uint8Array): NewPart {
  scratch.truncate(0)
  scratch.raw(head)
  scratch.varint(lengths.length)
  for (let i = 0; i < lengths.length; i++) scratch.varint(lengths[i]!)
  scratch.raw(bytes)
  return { first, bytes: scratch.copy() }
}

/** A record that keeps only its leaf. */
export function trimmedRecord(leaf: string): Uint8Array {
  scratch.truncate(0)
  scratch.byte(recordKinds.trimmed)
  scratch.ascii(leaf)
  return scratch.copy()
}

/** A record with its text. */
export function wholeRecord(leaf: string, provenance: Uint8Array, text: Uint8Array): Uint8Array {
  scratch.truncate(0)
  scratch.byte(recordKinds.whole)
  scratch.ascii(leaf.slice(0, checkLength))
  scratch.varint(provenance.length)
  scratch.raw(provenance)
  scratch.raw(text)
  return scratch.copy()
}

/** The node of a link as a base: it is stored and in memory. */
export function baseOf(nodes: Nodes, link: Link | undefined): Base | undefined {
  if (link === undefined || link.fresh !== undefined) return undefined
  const node = nodes.find(link)
  return node && { at: link.at, node }
}

/** Whether reading a base takes no request of its own. */
function isNear(bases: Bases | undefined, base: Base | undefined): boolean {
  return bases?.isScattered !== true || (base !== undefined && isPending(seqOfPointer(base.at)))
}

/** Adds a record, and returns its leaf. */
function writeRecord(
  records: ByteWriter,
  id: string,
  { node, text, patch }: Fresh,
  base: Base | undefined,
  own: number,
): string {
  if (base === undefined && isOwnWhole(node)) return writeOwnWhole(records, id, node, text)
  beginLeaf(id)
  writeProvenance(covered, node, own)
  const leaf = hashBytes(covered.view())
  const delta =
    base !== undefined && text.length >= leastDeltaLength ? deltaOf(base, node, text, own, patch) : undefined
  records.byte(delta === undefined ? recordKinds.whole : recordKinds.delta)
  records.ascii(leaf.slice(0, checkLength))
  const provenance = covered.view(leafStart)
  records.varint(provenance.length)
  records.raw(provenance)
  if (delta === undefined) records.text(text)
  else records.raw(delta)
  node.deltas = delta === undefined ? 0 : (base!.node.deltas ?? 0) + 1
  return leaf
}

/** Whether this commit wrote everything in a node that has no links: its provenance is a 0 for each entry. */
function isOwnWhole(node: Node): node is MapNode & WholeNode {
  return node instanceof WholeNode && node.writer === 0 && node.parts < 0x80
}

/** The same for such a node in one text, whose characters up to that of the node are a byte each. */
function writeOwnWhole(records: ByteWriter, id: string, { parts }: WholeNode, text: string): string {
  const provenance = '\0'.repeat(parts)
  const leaf = leafId(id + provenance)
  const kind = String.fromCharCode(recordKinds.whole)
  records.text(kind + leaf.slice(0, checkLength) + String.fromCharCode(parts) + provenance + text)
  return leaf
}

/** The pointers and writers of a node, in the order in which `parseNode` asks for them. */
function writeProvenance(into: ByteWriter, node: Node, own: number): void {
  if (node instanceof WholeNode && node.writer !== undefined) {
    for (let i = 0; i < node.parts; i++) writeWriter(into, node.writer, own)
  } else if ('entries' in node) {
    const { entries } = node
    for (let i = 0; i < entries.length; i++) {
      const { writer, child } = entries[i]!
      writeWriter(into, writer, own)
      if (child.kind === 'link') writePointer(into, child.at, own)
      else if (child.kind === 'held') writeProvenance(into, child.node, own)
    }
  } else if ('items' in node) {
    for (const { link } of node.items) writePointer(into, link.at, own)
  }
}

/** The same as bytes of their own. */
export function provenanceOfNode(node: Node, own = 0): Uint8Array {
  scratch.truncate(0)
  writeProvenance(scratch, node, own)
  return scratch.copy()
}

export function headerBody(roots: Roots, parents: readonly number[], own: number): Uint8Array {
  scratch.truncate(0)
  scratch.varint(packVersion)
  scratch.varint(roots.detail === undefined ? 2 : 3)
  writePointer(scratch, roots.tree.at, own)
  writePointer(scratch, roots.system.at, own)
  if (roots.detail !== undefined) writePointer(scratch, roots.detail.at, own)
  scratch.varint(parents.length)
  for (const seq of parents) writeEntryNumber(scratch, seq, own)
  return scratch.view()
}

/** A header, as the first part begins with it. */
export function headerOf(body: Uint8Array): Uint8Array {
  header.truncate(0)
  header.varint(body.length)
  header.raw(body)
  header.ascii(leafOf('', body).slice(0, checkLength))
  return header.view()
}

const none = new Uint8Array(0)
