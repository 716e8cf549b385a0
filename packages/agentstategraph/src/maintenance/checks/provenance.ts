/**
 * Checks the provenance of a commit: its writers follow the definition, its pointers lead to its ancestors, and its
 * entry lists exactly the changed paths.
 *
 * The writers are computed again from the trees of the parents, by the function that computed them when the commit was
 * made. Nodes that a parent has at the same place are not read, because the parent was checked before.
 */

import { formatPath, hashText } from '../../core/index.ts'
import { type Handle, isAncestor } from '../../repo/index.ts'
import { type Candidate, listedPaths, readCommit, type StoredCommit, type Work } from '../../store/index.ts'
import {
  containerOfChild,
  countOf,
  draftOfWriter,
  findEntry,
  type Link,
  nodeOf,
  nodeText,
  type OnLink,
  seqOfPointer,
  seqOfWriter,
  type Writer,
  withWriters,
} from '../../tree/index.ts'

/** Reports wrong pointers, writers and changed paths of a commit that has landed or is about to land. */
export function* checkProvenance(
  handle: Handle,
  commit: StoredCommit | Candidate,
  parents: readonly StoredCommit[],
  report: (what: string) => void,
): Work<void> {
  const { context } = handle.journal
  const { seq, record, detail } = commit
  const drafts = Math.max(record.drafts?.length ?? 0, detail === undefined ? 0 : yield* namedDrafts(handle, detail))
  const links = linksOf(seq)
  const isOwn = (writer: Writer): boolean => seqOfWriter(writer) === seq && draftOfWriter(writer) <= drafts
  const changed: (readonly string[])[] = []
  for (const root of ['tree', 'system'] as const) {
    const befores = parents.map(parent => parent[root])
    yield* withWriters(context, commit[root], befores, {
      isOwn,
      onWrong: (path, found, expected) => report(wrongWriter(path, found, expected)),
      onChanged: path => changed.push(path),
      onLink: links,
    })
  }
  if (detail !== undefined) {
    const onWrong = (path: readonly string[], found: Writer): void =>
      report(wrongWriter(['_detail', ...path], found, undefined))
    yield* withWriters(context, detail, [], { isOwn, onWrong, onLink: links })
  }
  yield* checkStrays(handle, links.strays(), parents, report)
  yield* checkChanged(handle, 'entry' in commit ? commit.entry.changed! : commit.changed, changed, report)
}

interface MetLinks extends OnLink {
  /** The links of the commit to older nodes that no parent has in the same place. */
  strays(): readonly Link[]
}

function linksOf(seq: number): MetLinks {
  const foreign = new Map<number, Link>()
  const known = new Map<number, string>()
  return {
    own(link) {
      if (link.fresh === undefined && seqOfPointer(link.at) !== seq) foreign.set(link.at, link)
    },
    before(link) {
      known.set(link.at, link.id)
    },
    strays: () => [...foreign.values()].filter(link => known.get(link.at) !== link.id),
  }
}

/** The number of drafts that are no commits of their own: the tasks of a graph's step. */
function* namedDrafts({ journal }: Handle, detail: Link): Work<number> {
  const entry = yield* findEntry(journal.context, detail, ['drafts'])
  const list = entry && (yield* containerOfChild(journal.context, entry.child))
  return list === undefined ? 0 : countOf(list)
}

function wrongWriter(path: readonly string[], found: Writer, expected: Writer | undefined): string {
  const should = expected === undefined ? 'the commit itself' : `entry ${seqOfWriter(expected)}`
  return `the writer is entry ${seqOfWriter(found)} and should be ${should} at ${formatPath(path)}`
}

/**
 * Checks nodes that no parent has at the same place: their content has to match their ids, and they have to come from an
 * ancestor.
 */
function* checkStrays(
  handle: Handle,
  strays: readonly Link[],
  parents: readonly StoredCommit[],
  report: (what: string) => void,
): Work<void> {
  const { nodes } = handle.journal.context
  const sources = new Set<number>()
  for (const link of strays) {
    sources.add(seqOfPointer(link.at))
    if (hashText(nodeText(yield* nodeOf(nodes, link))) !== link.id)
      report(`a pointer leads to another node of entry ${seqOfPointer(link.at)}`)
  }
  for (const source of sources) {
    if (!(yield* isBehind(handle, source, parents))) report(`entry ${source}, which is no ancestor, is pointed to`)
  }
}

function* isBehind(handle: Handle, seq: number, parents: readonly StoredCommit[]): Work<boolean> {
  if (parents.some(parent => parent.seq === seq)) return true
  if (!parents.some(parent => parent.seq > seq)) return false
  const commit = yield* readCommit(handle.journal, seq)
  for (const parent of parents) if (yield* isAncestor(handle, commit, parent)) return true
  return false
}

function* checkChanged(
  { journal }: Handle,
  listed: readonly string[],
  changed: readonly (readonly string[])[],
  report: (what: string) => void,
): Work<void> {
  const expected = yield* listedPaths(journal.nodes, changed)
  const missing = expected.find(path => !listed.includes(path))
  const invented = listed.find(path => !expected.includes(path))
  if (missing !== undefined) report(`${missing} changed, and the entry does not list it`)
  else if (invented !== undefined) report(`the entry lists ${invented} as changed, and it is not`)
}
