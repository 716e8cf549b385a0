/**
 * Looks a task up in the node cache, and keeps its result there.
 *
 * Only nodes with the `cache` option do this. Not cached are: a result whose reads cannot be stored, and so not digested;
 * a task with an interrupt, because the answer was meant for that task; and a task with a replayed effect, because the
 * reads of the run that executed the effect are not known.
 */

import { isStateError } from '../../../core/index.ts'
import type { State } from '../../model/compiled-plan.ts'
import type { Applied } from '../../model/state-fields.ts'
import { type CachedNode, contextRead, digestOfReads, digestOfValue } from '../facts/node-cache.ts'
import type { Flow } from '../flow/flow.ts'
import { applyAll } from './apply.ts'
import { waitIn } from './engine-scope.ts'
import type { NodeResult } from './node-result.ts'
import type { AttemptEnd, Task } from './task.ts'

export interface CachedResult {
  readonly nodeResult: NodeResult
  readonly applied: Applied
  readonly reads: readonly string[]
}

export function* findCached(task: Task, view: State): Flow<CachedResult | undefined> {
  const { scope, name } = task
  const { cache, events } = scope.run
  if (cache === undefined || task.node.options.cache === undefined) return undefined
  const digestOf = (reads: readonly string[]): string => digest(task, view, reads) ?? ''
  const entry = yield* waitIn(scope, cache.find(cachedNodeOf(task), digestOf), `the cache of ${name} takes its time`)
  const isHit = entry !== undefined && (entry.expires === undefined || entry.expires > scope.run.now())
  events.debug(() => ({ what: 'cache', node: name, hit: isHit }))
  if (!isHit) return undefined
  const { updates, goto, reads } = entry
  const applied = yield* applyAll(scope, task.state, updates, name)
  return { nodeResult: { updates, ...(goto === undefined ? {} : { goto }), isForParent: false }, applied, reads }
}

export function* keepCached(task: Task, view: State, end: Extract<AttemptEnd, { readonly kind: 'done' }>): Flow<void> {
  const { scope, node, name, key } = task
  const { cache } = scope.run
  const options = node.options.cache
  if (cache === undefined || options === undefined || end.nodeResult.isForParent) return
  if (scope.run.facts.known.hasInterrupt(key) || task.effects.isReplayed) return
  const reads = options.key === undefined ? (end.reads ?? graphReads(task)) : []
  const found = digest(task, view, reads)
  if (found === undefined) return
  const { updates, goto } = end.nodeResult
  const entry = {
    reads,
    digest: found,
    updates,
    ...(goto === undefined ? {} : { goto }),
    ...(options.ttlMs === undefined ? {} : { expires: scope.run.now() + options.ttlMs }),
  }
  yield* waitIn(scope, cache.keep(cachedNodeOf(task), entry), `the cache of ${name} takes its time`)
}

function cachedNodeOf({ scope, node }: Task): CachedNode {
  return { graph: scope.plan.name, node: node.name, version: node.options.cache?.version ?? '' }
}

/** A subgraph counts as having read all that it was given. */
function graphReads({ scope }: Task): readonly string[] {
  return scope.run.context === undefined ? ['/'] : ['/', contextRead]
}

function digest({ node, scope }: Task, view: State, reads: readonly string[]): string | undefined {
  const key = node.options.cache?.key
  try {
    return key === undefined ? digestOfReads(view, scope.run.context, reads) : digestOfValue(key(view))
  } catch (error) {
    if (isStateError(error, 'value-refused')) return undefined
    throw error
  }
}
