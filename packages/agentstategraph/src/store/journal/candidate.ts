/**
 * A commit of another journal, rebuilt with the numbers of this one.
 *
 * A commit's text is kept as it is, so its id is the same everywhere. The pointers and writers beside its nodes name entries
 * of the other journal and are rewritten. The data is not trusted: nodes are hashed here, and data that does not fit is a
 * RangeError that says why. Whether the writers are correct, and whether the commit is wanted, is not checked here.
 */

import { hashText, isMoment } from '../../core/index.ts'
import {
  type Child,
  type Entry,
  indexOfPointer,
  type Link,
  type Node,
  nodeText,
  type Provenance,
  parseNode,
  pointerOf,
  seqOfPointer,
  unstored,
  writerOf,
} from '../../tree/index.ts'
import { type CommitRecord, commitId, commitText, parseCommit, type StoredCommit } from './commit.ts'
import { linkTo } from './commits.ts'

/** A place in a pack: the entry's number and the node's index. Entry 0 is the commit's own. */
export type Place = readonly [seq: number, index: number]

/** A commit as another journal has it. Numbers are those of that journal. */
export interface ForeignCommit {
  readonly text: string
  readonly roots: readonly Place[]
  readonly changed: readonly string[]
  /** In an order in which each node comes after the nodes it links to. */
  readonly nodes: readonly (ForeignNode | TrimmedNode)[]
}

/** A node's text, and its pointers and writers as pairs of numbers in the order in which a record keeps them. */
export interface ForeignNode {
  readonly text: string
  readonly provenance: readonly number[]
}

/** What the other journal kept of a node that retention dropped: the leaf of its record, which is not hashed anew. */
export interface TrimmedNode {
  readonly leaf: string
}

/** A commit that can be appended to this journal. Its own nodes are fresh, and its own writers have seq 0. */
export interface Candidate {
  readonly seq: 0
  readonly id: string
  readonly text: string
  readonly record: CommitRecord
  readonly parents: readonly StoredCommit[]
  readonly tree: Link
  readonly system: Link
  readonly detail: Link | undefined
  readonly changed: readonly string[]
  /** Its nodes, by index in its pack. */
  readonly links: readonly (Link | TrimmedNode)[]
}

/** Rebuilds a commit with the numbers of this journal; `seqHere` maps an entry of the other journal. */
export function candidateOf(
  { text, roots, changed, nodes }: ForeignCommit,
  parents: readonly StoredCommit[],
  seqHere: (seq: number) => number,
): Candidate {
  const record = parseCommit(text)
  if (!isMoment(record.time)) throw new RangeError('its time is not one from 1970 to 9999')
  if (commitText(record) !== text) throw new RangeError('its text is not one that a commit has')
  if (record.parents.length !== parents.length || record.parents.some((id, i) => id !== parents[i]!.id))
    throw new RangeError('its parents are not those that its text names')
  const links: (Link | TrimmedNode)[] = []
  for (const node of nodes) links.push('leaf' in node ? node : rebuiltLink(node, links, seqHere))
  const rootAt = (place: Place | undefined, id: string): Link => {
    if (place === undefined) throw new RangeError('it has no place for one of its roots')
    const [seq, index] = place
    if (seq !== 0) return linkTo(id, pointerOf(seqHere(seq), index))
    return isTrimmedNode(links[index]) ? linkTo(id, pointerOf(0, index)) : ownLink(links, index, id)
  }
  const detail = record.detail === undefined ? undefined : rootAt(roots[2], record.detail)
  if (detail !== undefined && isTrimmedNode(links[indexOfOwn(detail)]))
    throw new RangeError('what it says of itself was trimmed')
  return {
    seq: 0,
    id: commitId(text),
    text,
    record,
    parents,
    tree: rootAt(roots[0], record.tree),
    system: rootAt(roots[1], record.system),
    detail,
    changed,
    links,
  }
}

function rebuiltLink(
  { text, provenance }: ForeignNode,
  before: Candidate['links'],
  seqHere: (seq: number) => number,
): Link {
  const node = withOwnLinks(parseNode(text, localProvenance(provenance, seqHere)), before)
  if (nodeText(node) !== text) throw new RangeError('the text of a node is not one that a node has')
  return { kind: 'link', id: hashText(text), at: unstored, fresh: { node, text } }
}

export function isTrimmedNode(link: Link | TrimmedNode | undefined): link is TrimmedNode {
  return link !== undefined && 'leaf' in link
}

/** Whether the commit has lost a root of its state, which is then a trimmed node of its own pack. */
export function hasLostRoot({ tree, system, links }: Candidate): boolean {
  return [tree, system].some(root => isTrimmedNode(links[indexOfOwn(root)]))
}

/** The index of a root that is no fresh node, in the commit's own pack; -1 when it lies in another. */
function indexOfOwn({ at, fresh }: Link): number {
  return fresh === undefined && seqOfPointer(at) === 0 ? indexOfPointer(at) : -1
}

function ownLink(own: Candidate['links'], index: number, id: string): Link {
  const link = own[index]
  if (link === undefined || isTrimmedNode(link) || link.id !== id)
    throw new RangeError('a node does not have the id that its parent names')
  return link
}

function localProvenance(numbers: readonly number[], seqHere: (seq: number) => number): Provenance {
  let at = 0
  const next = (): number => {
    const number = numbers[at++]
    if (number === undefined || !Number.isSafeInteger(number) || number < 0)
      throw new RangeError('a node has no pointer or writer where it needs one')
    return number
  }
  const local = (seq: number): number => (seq === 0 ? 0 : seqHere(seq))
  return { pointer: () => pointerOf(local(next()), next()), writer: () => writerOf(local(next()), next()) }
}

/** The node with links to the nodes of its own pack, which are not stored yet, in place of pointers. */
function withOwnLinks(node: Node, own: Candidate['links']): Node {
  const relinked = (link: Link): Link =>
    seqOfPointer(link.at) === 0 ? ownLink(own, indexOfPointer(link.at), link.id) : link
  const child = (given: Child): Child => {
    if (given.kind === 'link') return relinked(given)
    return given.kind === 'leaf' ? given : { ...given, node: { ...given.node, entries: given.node.entries.map(entry) } }
  }
  const entry = (given: Entry): Entry => ({ key: given.key, child: child(given.child), writer: given.writer })
  if ('entries' in node) return { ...node, entries: node.entries.map(entry) }
  if (!('items' in node)) return node
  return { ...node, items: node.items.map(({ first, link, count }) => ({ first, link: relinked(link), count })) }
}
