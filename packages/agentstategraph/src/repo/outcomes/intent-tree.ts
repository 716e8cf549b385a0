/**
 * Intents as a tree: what was wanted, what was done for it, and how it ended.
 *
 * A page has the tree of some commits: their intents, and the intents above those. An intent is below the first one that it
 * named as its parent. Of links that close a circle, the newest is left out. The same intent comes on several pages, each
 * time with other commits: pages are put together by ids.
 */

import type { Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import type { Revision } from '../query/revision.ts'
import { withoutUndefined } from '../records/info.ts'
import type { IntentRecord, IntentStatus } from '../records/session-record.ts'
import type { Commit } from '../visibility/commit.ts'
import { type ReadScope, readScopeOf } from '../visibility/read-scope.ts'
import { type IntentLink, type IntentLookup, intentLookup, type ResolvedIntent } from './intent-lookup.ts'
import { type IntentStep, intentSteps, intentStepsTo } from './intent-steps.ts'

/** An intent with its commits and the intents below it. */
export interface IntentNode {
  readonly id: string
  /** What its first commit says; absent when it was only named as a parent or resolved. */
  readonly description?: string
  /** The intent above it, where the chain above is too long to be shown. */
  readonly parent?: string
  /** Where it is, when it was proposed or delegated. */
  readonly status?: IntentStatus
  /** The session that works on it, or did last, and its agent. */
  readonly session?: string
  readonly agent?: string
  /** Those of the page. */
  readonly commits: readonly Commit[]
  readonly resolutions: readonly ResolvedIntent[]
  readonly children: readonly IntentNode[]
}

/** Options of `intentTree`. */
export interface IntentTreeOptions {
  /** Only this intent, and those below it. */
  intent?: string | undefined
  /** Only commits that led to this revision, newest first. */
  from?: Revision | undefined
  /** How many commits a page has, and intents without one. All unless given. */
  limit?: number | undefined
  /** The `next` of the page before. */
  after?: string | undefined
}

/** A page of a tree of intents. */
export interface IntentPage {
  readonly intents: readonly IntentNode[]
  /** Where the next page begins; absent on the last. */
  readonly next?: string
}

/** A node that is being built. */
interface Draft {
  readonly id: string
  description?: string
  parent?: string
  status?: IntentStatus
  session?: string
  agent?: string
  readonly commits: Commit[]
  resolutions: readonly ResolvedIntent[]
  readonly children: Draft[]
}

/** A tree in the making. */
interface Tree {
  readonly lookup: IntentLookup
  readonly scope: ReadScope | undefined
  /** The intent that was asked for. */
  readonly root: string | undefined
  readonly nodes: Map<string, Draft>
  readonly tops: Draft[]
}

/** How many intents are shown above one, so that a long chain of them does not make pages long. */
const MOST_ABOVE = 64

export function* intentTree(
  handle: Handle,
  { intent, from, after }: IntentTreeOptions,
  limit: number,
): Work<IntentPage> {
  const steps =
    from === undefined ? yield* intentSteps(handle, intent, after) : yield* intentStepsTo(handle, from, after)
  const scope = yield* readScopeOf(handle)
  const tree: Tree = { lookup: yield* intentLookup(handle), scope, root: intent, nodes: new Map(), tops: [] }
  if (intent !== undefined) yield* addRoot(tree, intent)
  let next = ''
  for (let count = 0; ; ) {
    const step = yield* steps.next()
    if (step === undefined) return { intents: tree.tops }
    // What is not shown does not count, and no cursor names it: a page would tell of it.
    const way = yield* findWay(tree, step)
    if (way === undefined) continue
    if (count === limit) return { intents: tree.tops, next }
    yield* addStep(tree, step, way)
    next = steps.cursor()
    count++
  }
}

/** Adds the intent that was asked for. Of one that the reader may not know, only the id is shown. */
function* addRoot(tree: Tree, id: string): Work<void> {
  const isKnown = (yield* tree.lookup.origin(id)).description !== undefined || (yield* isShownAlone(tree, id))
  if (isKnown) yield* nodeAt(tree, [id])
  else tree.tops.push(bareNode(tree, id))
}

/** The way to the intent of a step; undefined when the tree does not show the step. */
function* findWay(tree: Tree, { intent, commit }: IntentStep): Work<readonly string[] | undefined> {
  if (commit === undefined && !(yield* isShownAlone(tree, intent))) return undefined
  const way = yield* wayTo(tree, intent)
  return tree.root !== undefined && way[0] !== tree.root && way.length <= MOST_ABOVE ? undefined : way
}

function* addStep(tree: Tree, { commit }: IntentStep, way: readonly string[]): Work<void> {
  const node = yield* nodeAt(tree, way)
  if (commit !== undefined) node.commits.push(commit)
}

/** Whether an intent without a readable commit is shown. Under a read scope, only one with a readable record is. */
function* isShownAlone({ lookup, scope }: Tree, id: string): Work<boolean> {
  if ((yield* lookup.origin(id)).description !== undefined) return false
  return scope === undefined || scope.isWhole || (yield* lookup.delegated(id)) !== undefined
}

/** The intents above one, and itself last. It begins with the one asked for, or with one that is below no other. */
function* wayTo(tree: Tree, id: string): Work<readonly string[]> {
  const way = [id]
  for (let at = id; at !== tree.root && way.length <= MOST_ABOVE; ) {
    const link = yield* linkOf(tree, at)
    if (link === undefined) break
    way.push(link.id)
    at = link.id
  }
  return way.reverse()
}

/** The intent that one is below; undefined when there is none, or when its link is the newest of a circle. */
function* linkOf(tree: Tree, id: string): Work<IntentLink | undefined> {
  const own = yield* namedParent(tree, id)
  let newest = 0
  let at = own
  for (let above = 0; at !== undefined && at.id !== id && above < MOST_ABOVE; above++) {
    at = yield* namedParent(tree, at.id)
    newest = Math.max(newest, at?.seq ?? 0)
  }
  return own !== undefined && at?.id === id && newest <= own.seq ? undefined : own
}

/** The first parent that an intent named. A link from a delegation counts as newer than those of commits. */
function* namedParent({ lookup, root }: Tree, id: string): Work<IntentLink | undefined> {
  if (id === root) return undefined
  const { parent } = yield* lookup.origin(id)
  if (parent !== undefined) return parent
  const above = (yield* lookup.delegated(id))?.parent
  return above === undefined || above === id ? undefined : { id: above, seq: Number.MAX_SAFE_INTEGER }
}

/** The node at the end of a way, which is made where it is missing. */
function* nodeAt(tree: Tree, way: readonly string[]): Work<Draft> {
  let above: Draft | undefined
  for (const id of way) {
    const node: Draft = tree.nodes.get(id) ?? (yield* newNode(tree, id, above))
    above = node
  }
  return above!
}

function* newNode(tree: Tree, id: string, above: Draft | undefined): Work<Draft> {
  const { lookup, tops } = tree
  const node = bareNode(tree, id)
  const { status, session, agent, ...record } = (yield* lookup.delegated(id)) ?? ({} as Partial<IntentRecord>)
  const description = record.description ?? (yield* lookup.origin(id)).description
  const parent = above === undefined ? (yield* linkOf(tree, id))?.id : undefined
  Object.assign(node, withoutUndefined({ description, parent, status, session, agent }))
  node.resolutions = yield* lookup.resolutions(id)
  const siblings = above?.children ?? tops
  siblings.push(node)
  return node
}

function bareNode({ nodes }: Tree, id: string): Draft {
  const node: Draft = { id, commits: [], resolutions: [], children: [] }
  nodes.set(id, node)
  return node
}
