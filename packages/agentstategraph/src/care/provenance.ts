/**
 * Whether a commit's writers are those that the definition gives, and its pointers lead to its ancestors.
 *
 * The commit's trees are compared with its parents', from the roots down. What a parent stores in the same place is passed
 * over unread, because the parent was checked before; so the cost follows what is new. Elements of lists have no names:
 * for them the writers of equal elements are counted. docs/format.md has the definition, under "Writers".
 */

import { formatPath, hashText, userKey } from '../core/index.ts'
import { type Handle, isAncestor } from '../repo/index.ts'
import { type Candidate, readCommit, type StoredCommit, type Work } from '../store/index.ts'
import {
  type Child,
  type ContainerNode,
  containerOfChild,
  countOf,
  draftOfWriter,
  type Entry,
  familyOf,
  findEntry,
  findIn,
  isSameContent,
  type Link,
  nodeOf,
  nodeText,
  seqOfPointer,
  seqOfWriter,
  type Writer,
} from '../tree/index.ts'
import type { Walk } from '../tree/walk.ts'
import { type Checking, findDifference, type Path } from './checking.ts'
import { checkElements } from './elements.ts'
import { unshared } from './unshared.ts'

/** Reports what is wrong with the pointers and writers of a commit, landed or about to be. */
export function* checkProvenance(
  handle: Handle,
  commit: StoredCommit | Candidate,
  parents: readonly StoredCommit[],
  report: (what: string) => void,
): Work<void> {
  const drafts = commit.detail === undefined ? 0 : yield* namedDrafts(handle, commit.detail)
  const checking = checkingOf(handle, commit, drafts, report)
  for (const root of ['tree', 'system'] as const) {
    const befores = parents.map(parent => ({ key: '', child: parent[root], writer: 0 }))
    checking.own(commit[root])
    for (const { child } of befores) checking.before(child)
    yield* checkChild(checking, commit[root], befores, root === 'tree' ? [] : ['_system'])
  }
  if (commit.detail !== undefined) yield* checkChild(checking, commit.detail, [], ['_detail'])
  yield* checkStrays(handle, checking, commit, parents)
}

function checkingOf(
  { journal }: Handle,
  { seq, record }: StoredCommit | Candidate,
  named: number,
  report: (what: string) => void,
): Checking {
  const foreign = new Map<number, Link>()
  const known = new Map<number, string>()
  const writers = new Set<number>()
  const drafts = Math.max(record.drafts?.length ?? 0, named)
  return {
    context: journal.context,
    report: (path, what) => report(`${what} at ${formatPath(path)}`),
    isOwnWriter: writer => seqOfWriter(writer) === seq && draftOfWriter(writer) <= drafts,
    isOwnLink: link => link.fresh !== undefined || seqOfPointer(link.at) === seq,
    own(link) {
      if (link.fresh === undefined && seqOfPointer(link.at) !== seq) foreign.set(link.at, link)
    },
    before(link) {
      known.set(link.at, link.id)
    },
    wroteElsewhere(writer) {
      writers.add(seqOfWriter(writer))
    },
    strays: () => [...foreign.values()].filter(link => known.get(link.at) !== link.id),
    strayWriters: () => [...writers],
  }
}

/** How many drafts a commit names without having landed commits: the tasks of a graph's step. */
function* namedDrafts({ journal }: Handle, detail: Link): Work<number> {
  const entry = yield* findEntry(journal.context, detail, ['drafts'])
  const list = entry && (yield* containerOfChild(journal.context, entry.child))
  return list === undefined ? 0 : countOf(list)
}

/** What is below one path: equal to what the first parent has there, with the same writers, or compared part by part. */
function* checkChild(checking: Checking, child: Child, befores: readonly Entry[], path: Path): Walk<void> {
  const container = yield* containerOfChild(checking.context, child)
  if (container === undefined) return yield* checkPieces(checking, child, befores)
  const parents: { readonly child: Child; readonly container: ContainerNode }[] = []
  for (const before of befores) {
    const parent = yield* containerOfChild(checking.context, before.child)
    if (parent !== undefined && familyOf(parent) === familyOf(container))
      parents.push({ child: before.child, container: parent })
  }
  // Only for the first: what equals a later parent as a whole may have parts that equal the first.
  if (parents[0] !== undefined && isSameContent(parents[0].child, child)) {
    const difference = yield* findDifference(checking, child, parents[0].child, path)
    if (difference !== undefined) checking.report(difference, 'what is equal in a parent has another writer')
    return
  }
  const containers = parents.map(parent => parent.container)
  if (familyOf(container).leaf === 'map') yield* checkMap(checking, container, containers, path)
  else yield* checkElements(checking, container, containers, path)
}

function* checkMap(
  checking: Checking,
  container: ContainerNode,
  parents: readonly ContainerNode[],
  path: Path,
): Walk<void> {
  const { context } = checking
  const [first, ...others] = parents
  const { own, before } = yield* unshared(context, container, first, checking)
  for (const other of others) yield* unshared(context, container, other, { own() {}, before: checking.before })
  const byKey = new Map(before.map(entry => [entry.key, entry]))
  for (const entry of own) {
    const key = userKey(entry.key)
    const befores: Entry[] = []
    const inFirst = byKey.get(entry.key)
    if (inFirst !== undefined) befores.push(inFirst)
    for (const other of others) {
      const found = yield* findIn(context, other, key)
      if (found === undefined) continue
      if (found.child.kind === 'link') checking.before(found.child)
      befores.push(found)
    }
    yield* checkEntry(checking, entry, befores, [...path, key])
  }
}

function* checkEntry(checking: Checking, entry: Entry, befores: readonly Entry[], path: Path): Walk<void> {
  const equal = befores.find(before => isSameContent(before.child, entry.child))
  const isRight = equal === undefined ? checking.isOwnWriter(entry.writer) : entry.writer === equal.writer
  if (!isRight) checking.report(path, wrongWriter(entry.writer, equal?.writer))
  yield* checkChild(checking, entry.child, befores, path)
}

function wrongWriter(found: Writer, expected: Writer | undefined): string {
  const should = expected === undefined ? 'the commit itself' : `entry ${seqOfWriter(expected)}`
  return `the writer is entry ${seqOfWriter(found)} and should be ${should}`
}

/** A value too long for its parent: its pieces must be there, new ones or those of the value it replaced. */
function* checkPieces(checking: Checking, child: Child, befores: readonly Entry[]): Walk<void> {
  if (child.kind !== 'link') return
  for (const before of befores)
    if (before.child.kind === 'link') yield* visitPieces(checking, before.child, checking.before)
  yield* visitPieces(checking, child, checking.own)
}

function* visitPieces(checking: Checking, link: Link, visit: (link: Link) => void): Walk<void> {
  const node = yield* nodeOf(checking.context.nodes, link)
  if (!('items' in node)) return
  for (const item of node.items) {
    visit(item.link)
    if (node.level > 1 || checking.isOwnLink(item.link)) yield* visitPieces(checking, item.link, visit)
  }
}

/** What no parent has in its place: it must be what it is said to be, and come from an ancestor. */
function* checkStrays(
  handle: Handle,
  checking: Checking,
  { seq }: StoredCommit | Candidate,
  parents: readonly StoredCommit[],
): Work<void> {
  const { nodes } = handle.journal.context
  const sources = new Set(checking.strayWriters().filter(writer => writer !== seq))
  for (const link of checking.strays()) {
    sources.add(seqOfPointer(link.at))
    if (hashText(nodeText(yield* nodeOf(nodes, link))) !== link.id)
      checking.report([], `a pointer leads to another node of entry ${seqOfPointer(link.at)}`)
  }
  for (const source of sources) {
    if (!(yield* isBehind(handle, source, parents)))
      checking.report([], `entry ${source}, which is no ancestor, is pointed to`)
  }
}

function* isBehind(handle: Handle, seq: number, parents: readonly StoredCommit[]): Work<boolean> {
  if (parents.some(parent => parent.seq === seq)) return true
  if (!parents.some(parent => parent.seq > seq)) return false
  const commit = yield* readCommit(handle.journal, seq)
  for (const parent of parents) if (yield* isAncestor(handle, commit, parent)) return true
  return false
}
