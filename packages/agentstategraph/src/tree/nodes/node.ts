/**
 * The nodes of trees, as they are in memory.
 *
 * A container is a sequence of entries, which a map orders by key and a list by index. Up to 64 entries are in one node;
 * more are cut into nodes under branches. Each entry has a writer and each link a pointer: both record provenance, and
 * neither is hashed.
 *
 * A pointer names a node by the journal entry whose pack holds it. This file does not know how packs are stored.
 */

import type { Stored } from '../../core/index.ts'

/**
 * `seq + index / 2^20`: the node of that index in the pack of that entry. Seq 0 is the pack being written.
 *
 * Engines store small integers in another way than other numbers, and give up compiled code when a field or a sum changes
 * between the two. In this form nothing changes while a journal grows.
 */
export type Pointer = number
/** `seq + draft / 2^16`: the commit that wrote an entry, or its draft of that number. Seq 0 is the commit being written. */
export type Writer = number

const POINTER_SPAN = 2 ** 20
const WRITER_SPAN = 2 ** 16

/** How many nodes one pack can hold, and how many drafts one commit can land. */
export const maxPackNodes: number = POINTER_SPAN
export const maxDrafts: number = WRITER_SPAN - 1

/** The pointer of a node that is in no pack yet. */
export const unstored: Pointer = -1

export function pointerOf(seq: number, index: number): Pointer {
  return seq + index / POINTER_SPAN
}
export function seqOfPointer(pointer: Pointer): number {
  return Math.floor(pointer)
}
/** The pointer of the node after another in the same pack. */
export function pointerAfter(pointer: Pointer): Pointer {
  return pointer + 1 / POINTER_SPAN
}
export function indexOfPointer(pointer: Pointer): number {
  return (pointer - Math.floor(pointer)) * POINTER_SPAN
}
export function writerOf(seq: number, draft: number): Writer {
  return seq + draft / WRITER_SPAN
}
/** The entry of the commit that wrote a value. */
export function seqOfWriter(writer: Writer): number {
  return Math.floor(writer)
}
export function draftOfWriter(writer: Writer): number {
  return (writer - Math.floor(writer)) * WRITER_SPAN
}

/** A scalar or a tagged value, small enough to be written in its parent. */
export interface Leaf {
  readonly kind: 'leaf'
  readonly value: Stored
  readonly text: string
}

/** A container small enough to be written in its parent. Its entries have writers like those of any other. */
export interface Held {
  readonly kind: 'held'
  readonly node: MapNode | ListNode
  readonly text: string
}

/** A child that is a node of its own. */
export interface Link {
  readonly kind: 'link'
  readonly id: string
  at: Pointer
  /** The node and its text, until a pack holds it. */
  fresh: Fresh | undefined
}

export interface Fresh {
  readonly node: Node
  readonly text: string
  /** The writer of every entry in it, also behind links, where it was made from one value. */
  readonly by?: Writer | undefined
  /** How it differs from the stored node that it replaces, where that is known. */
  readonly patch?: Patch | undefined
}

/**
 * A map differs from a stored one in one entry, which has the same key and is behind a link in both or in neither. What such
 * a commit writes can be made from what is known of the stored map, and need not look at the other entries.
 */
export interface Patch {
  readonly base: MapNode
  readonly index: number
  /** Where the line of the entry begins, in both texts. */
  readonly start: number
}

export type Child = Leaf | Held | Link

/** A place in a state, as `list` gives it: a container or a value. */
export interface Entry {
  /** The stored key; empty in lists. */
  readonly key: string
  readonly child: Child
  writer: Writer
  /** The cached part of this entry in its node's text, because most entries outlive many nodes. */
  line?: string | undefined
}

/** An entry, with all the fields that it will have: an object that gets one later is slower to make and to read. */
export function entryOf(key: string, child: Child, writer: Writer): Entry {
  return { key, child, writer, line: undefined }
}

/** A node below a branch: its first key (maps), and its size in entries or in bytes of a long value. */
export interface Item {
  readonly first: string
  readonly link: Link
  readonly count: number
  line?: string | undefined
}

/** What is known of how the text of a node is stored. */
interface StoredAs {
  /** How many deltas lead from its stored text to a whole one. */
  deltas?: number
}

/** What was found out of a node that has entries. */
interface Known extends StoredAs {
  /** Its text, where it was written lately: the next node in its place is likely to have most of it. */
  text?: string | undefined
  /** How many entries it has, with those of the containers that are written in it, where they were counted. */
  parts?: number | undefined
  /** The writer of everything in it, where its entries are not made yet. */
  writer?: Writer | undefined
}

export interface MapNode extends Known {
  readonly kind: 'map'
  readonly entries: readonly Entry[]
}

/** A map of these entries, with all the fields that it will have. */
export function mapNode(entries: readonly Entry[]): MapNode {
  return { kind: 'map', entries, deltas: 0, text: undefined, parts: undefined }
}
export interface ListNode extends Known {
  readonly kind: 'list'
  readonly entries: readonly Entry[]
}
/** A branch of level 1 holds leaves, one of level n branches of level n-1. */
export interface BranchNode extends StoredAs {
  readonly kind: BranchKind
  readonly level: number
  readonly items: readonly Item[]
}
/** A scalar or tagged value too long for its parent. */
export interface ValueNode extends StoredAs {
  readonly kind: 'value'
  readonly value: Stored
}
/** A piece of a long string, of a long tagged value's text (`text`), or of long bytes (`bytes`, base64). */
export interface PieceNode extends StoredAs {
  readonly kind: 'text' | 'bytes'
  readonly piece: string
}

/** What a branch is part of: a map, a list, a long string, long bytes, or the text of another long tagged value. */
export type BranchKind = 'maps' | 'lists' | LongKind
export type LongKind = 'texts' | 'bytess' | 'values'
export type Node = MapNode | ListNode | BranchNode | ValueNode | PieceNode
/** The top node of a container. */
export type ContainerNode = MapNode | ListNode | (BranchNode & { readonly kind: 'maps' | 'lists' })

export function isContainer(node: Node): node is ContainerNode {
  return node.kind === 'map' || node.kind === 'list' || node.kind === 'maps' || node.kind === 'lists'
}

/** The node kinds of maps or of lists, as leaves and as branches. */
export interface Family {
  readonly leaf: 'map' | 'list'
  readonly branch: 'maps' | 'lists'
}
export const mapFamily: Family = { leaf: 'map', branch: 'maps' }
export const listFamily: Family = { leaf: 'list', branch: 'lists' }

export function familyOf(node: ContainerNode): Family {
  return node.kind === 'map' || node.kind === 'maps' ? mapFamily : listFamily
}

export function levelOf(node: ContainerNode): number {
  return 'level' in node ? node.level : 0
}

export function countOf(node: ContainerNode): number {
  if (!('items' in node)) return node.entries.length
  let count = 0
  for (const item of node.items) count += item.count
  return count
}

/** Equal for two children exactly when their values are equal. */
export function contentOf(child: Child): string {
  return child.kind === 'link' ? child.id : child.text
}

export function isSameContent(a: Child, b: Child): boolean {
  return a === b || (a.kind === 'link' ? b.kind === 'link' && a.id === b.id : b.kind !== 'link' && a.text === b.text)
}

/** Whether two links lead to one stored node. */
export function isSamePlace(a: Link, b: Link): boolean {
  return a === b || (a.fresh === undefined && b.fresh === undefined && a.at === b.at && a.id === b.id)
}

/** Whether two children of equal content are known to have the same writers inside. */
export function isSameChild(a: Child, b: Child): boolean {
  if (a === b) return true
  if (a.kind === 'leaf') return b.kind === 'leaf' && a.text === b.text
  return a.kind === 'link' && b.kind === 'link' && isSamePlace(a, b)
}

/** Replaces the writer of each entry of a node, and of the containers that are written in it. */
export function replaceWriters(node: Node, next: (writer: Writer) => Writer): void {
  if (!('entries' in node)) return
  if (node.writer !== undefined) {
    node.writer = next(node.writer)
    return
  }
  const { entries } = node
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!
    entry.writer = next(entry.writer)
    if (entry.child.kind === 'held') replaceWriters(entry.child.node, next)
  }
}
