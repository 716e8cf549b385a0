/**
 * Imports commits from another journal.
 *
 * A commit's text is kept as it is, so its id is the same everywhere. The pointers and writers beside its nodes name entries
 * of the other journal and are rewritten. Imported data is not trusted: nodes are hashed here, and data that does not fit
 * is a RangeError that says why. Whether the writers are correct, and whether the commit is wanted, is not checked here.
 */

import { hashText, hexOfId, isMoment, type Stored } from '../../core/index.ts'
import {
  type Child,
  type Entry,
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
import type { NewEntry } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import { writePack } from '../packs/write-pack.ts'
import { appendSeen, basesOf, begin, newestTime } from './append.ts'
import { type CommitRecord, commitId, commitText, parseCommit, remember, type StoredCommit } from './commit.ts'
import { linkTo } from './commits.ts'
import { type EntryRecord, entryText, leafOfEntry } from './entry.ts'
import type { Journal } from './journal.ts'
import { assertLinksStored, isTrimmedMeanwhile, noteTrims, trimGuard } from './trims.ts'

/** A place in a pack: the entry's number and the node's index. Entry 0 is the commit's own. */
export type Place = readonly [seq: number, index: number]

/** A commit as another journal has it. Numbers are those of that journal. */
export interface ForeignCommit {
  readonly text: string
  readonly roots: readonly Place[]
  readonly changed: readonly string[]
  /** In an order in which each node comes after the nodes it links to. */
  readonly nodes: readonly ForeignNode[]
}

/** A node's text, and its pointers and writers as pairs of numbers in the order in which a record keeps them. */
export interface ForeignNode {
  readonly text: string
  readonly provenance: readonly number[]
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
  readonly links: readonly Link[]
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
  if (
    !isSameList(
      record.parents,
      parents.map(parent => parent.id),
    )
  )
    throw new RangeError('its parents are not those that its text names')
  const links: Link[] = []
  for (const node of nodes) links.push(rebuiltLink(node, links, seqHere))
  const rootAt = (place: Place | undefined, id: string): Link => {
    if (place === undefined) throw new RangeError('it has no place for one of its roots')
    return linkAt(place, id, links, seqHere)
  }
  return {
    seq: 0,
    id: commitId(text),
    text,
    record,
    parents,
    tree: rootAt(roots[0], record.tree),
    system: rootAt(roots[1], record.system),
    detail: record.detail === undefined ? undefined : rootAt(roots[2], record.detail),
    changed,
    links,
  }
}

/** Appends a candidate to the journal. `body` says where it came from. No ref moves. */
export function* importCommits(journal: Journal, candidate: Candidate, body: Stored): Work<StoredCommit> {
  const { id, text, record, tree, system, detail } = candidate
  const parents = candidate.parents.map(parent => parent.seq)
  let pack = writePack(candidate, parents, basesOf(journal, candidate.parents))
  // Later imported commits point into this pack by index, so its order must be the original one.
  if (!isSameList(pack.links, candidate.links)) throw new RangeError('its nodes are not in the order of a pack')
  let time = journal.now()
  for (;;) {
    yield* begin(journal, record.agent, time)
    const entry: EntryRecord = {
      kind: 'commit',
      time,
      agent: record.agent,
      moves: [],
      commit: id,
      pack: pack.digest,
      changed: candidate.changed,
      body,
    }
    const line = entryText(entry)
    const added: NewEntry = {
      text: line,
      leaf: leafOfEntry(line),
      commit: { id: hexOfId(id), text },
      parts: pack.parts,
    }
    const guards = [trimGuard(journal)]
    const appended = yield* appendSeen(journal, { time, entries: [added], needs: parents, moves: guards })
    if (appended.kind === 'moved' && isTrimmedMeanwhile(appended)) {
      noteTrims(journal, appended.actual)
      yield* assertLinksStored(journal, candidate, pack.links)
      pack = writePack(candidate, parents)
      continue
    }
    if (appended.kind === 'late') {
      time = yield* newestTime(journal, time, appended.time)
      continue
    }
    if (appended.kind !== 'done') throw new Error(`An append without moves and keys was answered with ${appended.kind}`)
    journal.nodes.land(pack.links, appended.first)
    const commit: StoredCommit = { seq: appended.first, id, record, entry, parents, tree, system, detail }
    remember(journal, commit)
    return commit
  }
}

function rebuiltLink(
  { text, provenance }: ForeignNode,
  before: readonly Link[],
  seqHere: (seq: number) => number,
): Link {
  const node = withOwnLinks(parseNode(text, localProvenance(provenance, seqHere)), before)
  if (nodeText(node) !== text) throw new RangeError('the text of a node is not one that a node has')
  return { kind: 'link', id: hashText(text), at: unstored, fresh: { node, text } }
}

function linkAt([seq, index]: Place, id: string, own: readonly Link[], seqHere: (seq: number) => number): Link {
  if (seq !== 0) return linkTo(id, pointerOf(seqHere(seq), index))
  return ownLink(own, index, id)
}

function ownLink(own: readonly Link[], index: number, id: string): Link {
  const link = own[index]
  if (link?.id !== id) throw new RangeError('a node does not have the id that its parent names')
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
function withOwnLinks(node: Node, own: readonly Link[]): Node {
  const relinked = (link: Link): Link => (seqOfPointer(link.at) === 0 ? ownLink(own, link.at, link.id) : link)
  const child = (given: Child): Child => {
    if (given.kind === 'link') return relinked(given)
    return given.kind === 'leaf' ? given : { ...given, node: { ...given.node, entries: given.node.entries.map(entry) } }
  }
  const entry = (given: Entry): Entry => ({ key: given.key, child: child(given.child), writer: given.writer })
  if ('entries' in node) return { ...node, entries: node.entries.map(entry) }
  if (!('items' in node)) return node
  return { ...node, items: node.items.map(({ first, link, count }) => ({ first, link: relinked(link), count })) }
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i])
}
