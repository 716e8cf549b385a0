/**
 * The graph of commits laid out for drawing: a row for each commit, newest first, and a lane for each line of history.
 *
 * A lane goes on to a commit's first parent; another parent joins the lane that already waits for it, or opens one. It
 * knows no pixels and no colours.
 */

import { hexOfId } from '../../core/index.ts'
import { compareNames, type StoredCommit, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { locate, type Revision } from '../query/revision.ts'
import type { Category } from '../records/info.ts'
import { branchPrefix, tagPrefix } from '../records/ref-names.ts'
import { ancestry } from '../visibility/ancestry.ts'
import { readableParents } from '../visibility/commit.ts'
import { type ReadScope, readScopeOf } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { refHeads } from './ref-heads.ts'

/** A branch or tag that points to a commit of the graph. */
export interface CommitGraphRef {
  readonly kind: 'branch' | 'tag'
  readonly name: string
}

/** A commit in a commit graph, with its lane and the lanes of its parents. */
export interface CommitGraphRow {
  readonly id: string
  readonly seq: number
  readonly parents: readonly string[]
  /** The lane it is drawn in, from 0. */
  readonly lane: number
  /** The lanes that lead to its parents, in their order. */
  readonly parentLanes: readonly number[]
  readonly refs: readonly CommitGraphRef[]
  readonly agent: string
  readonly category: Category
  readonly description: string
  readonly timestamp: string
}

/** Commits with their lanes, ready to be drawn as a graph. */
export interface CommitGraph {
  /** Newest first. */
  readonly commits: readonly CommitGraphRow[]
  /** How many lanes there are. */
  readonly lanes: number
}

/** The newest commits that branches and tags lead to, or those that led to one revision. */
export function* commitGraph(handle: Handle, limit: number, from?: Revision): Work<CommitGraph> {
  const scope = yield* readScopeOf(handle)
  const refs = yield* refHeads(handle.journal)
  /** The names that lead to each commit which is still to come; they matter where not all may be read. */
  const names = new Map<number, ReadonlySet<string>>()
  let starts: Iterable<number>
  if (from !== undefined) {
    const located = yield* locate(handle, from)
    starts = [located.commit.seq]
    names.set(located.commit.seq, new Set(located.names))
  } else if (scope === undefined) {
    // Each ref but the newest ones leads to commits that come after those.
    starts = Float64Array.from(refs.keys()).sort().subarray(-Math.min(limit, refs.size))
  } else {
    for (const seq of refs.keys()) {
      const shown = refsAt(refs, seq, scope)
      if (shown.length > 0) names.set(seq, new Set(shown.map(({ name }) => name)))
    }
    starts = names.keys()
  }
  const walk = ancestry(handle, [...starts], false)
  /** For each lane, the commit that it leads to. */
  const lanes: (number | undefined)[] = []
  const commits: CommitGraphRow[] = []
  while (commits.length < limit) {
    const commit = yield* walk.next()
    if (commit === undefined) break
    const view = scope?.on([...handedOn(names, commit)])
    if (!(yield* isReadableCommit(handle.journal, commit, view))) continue
    const parents = yield* readableParents(handle.journal, commit, view)
    const lane = laneTo(lanes, commit.seq)
    // Lanes of several children end here; one of them is the commit's own.
    for (const [i, waitsFor] of lanes.entries()) if (waitsFor === commit.seq) lanes[i] = undefined
    const parentLanes = parents.map(({ seq: parent }, i) => {
      if (i === 0 && !lanes.includes(parent)) lanes[lane] = parent
      return laneTo(lanes, parent)
    })
    const ids = parents.map(({ id }) => hexOfId(id))
    commits.push({ ...shown(commit), parents: ids, lane, parentLanes, refs: refsAt(refs, commit.seq, scope) })
  }
  return { commits, lanes: lanes.length }
}

/** What leads to a commit leads to its parents. */
function handedOn(names: Map<number, ReadonlySet<string>>, { seq, parents }: StoredCommit): ReadonlySet<string> {
  const own = names.get(seq) ?? new Set()
  names.delete(seq)
  for (const parent of parents) names.set(parent, new Set([...(names.get(parent) ?? []), ...own]))
  return own
}

/** The lane that leads to a commit; a free one when there is none yet. */
function laneTo(lanes: (number | undefined)[], seq: number): number {
  const known = lanes.indexOf(seq)
  if (known >= 0) return known
  const free = lanes.indexOf(undefined)
  const lane = free >= 0 ? free : lanes.length
  lanes[lane] = seq
  return lane
}

function shown({ id, seq, record }: StoredCommit): Omit<CommitGraphRow, 'parents' | 'lane' | 'parentLanes' | 'refs'> {
  const { category, description } = record.intent
  return {
    id: hexOfId(id),
    seq,
    agent: record.agent,
    category,
    description,
    timestamp: new Date(record.time).toISOString(),
  }
}

/** The branches and tags on an entry that may be known, by name, branches first. */
function refsAt(
  refs: ReadonlyMap<number, ReadonlySet<string>>,
  seq: number,
  scope: ReadScope | undefined,
): CommitGraphRef[] {
  const found = [...(refs.get(seq) ?? [])].sort(compareNames).map((ref): CommitGraphRef => {
    const isBranch = ref.startsWith(branchPrefix)
    return { kind: isBranch ? 'branch' : 'tag', name: ref.slice((isBranch ? branchPrefix : tagPrefix).length) }
  })
  return scope === undefined ? found : found.filter(({ name }) => scope.on([name]).isBlank !== true)
}
