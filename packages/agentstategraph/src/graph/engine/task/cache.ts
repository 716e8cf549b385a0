/**
 * A task and the cache: whether its result is known, and keeping it for the next.
 *
 * Only nodes that say so cache. An effect that an earlier run kept may stand for reads that nobody noted. What cannot be digested because it cannot be stored is not cached, and a task that asked
 * somebody is not either: the answer was for that once.
 */

import { isStateError } from '../../../core/index.ts'
import type { State } from '../../model/compiled-plan.ts'
import type { Applied } from '../../model/state-fields.ts'
import { type CachePlace, contextRead, digestOfReads, digestOfValue } from '../facts/node-cache.ts'
import type { Flow } from '../flow/flow.ts'
import { applyAll } from './apply.ts'
import { waitAt } from './engine-scope.ts'
import type { AttemptEnd, Task } from './graph-task.ts'
import type { NodeResult } from './node-result.ts'

export interface CachedResult {
  readonly said: NodeResult
  readonly applied: Applied
  readonly reads: readonly string[]
}

export function* findCached(task: Task, view: State): Flow<CachedResult | undefined> {
  const { place, name } = task
  const { cache, events } = place.run
  if (cache === undefined || task.node.options.cache === undefined) return undefined
  const digestOf = (reads: readonly string[]): string => digest(task, view, reads) ?? ''
  const entry = yield* waitAt(place, cache.find(cachePlace(task), digestOf), `the cache of ${name} takes its time`)
  const isHit = entry !== undefined && (entry.expires === undefined || entry.expires > place.run.now())
  events.debug(() => ({ what: 'cache', node: name, hit: isHit }))
  if (!isHit) return undefined
  const { updates, goto, reads } = entry
  const applied = yield* applyAll(place, task.state, updates, name)
  return { said: { updates, ...(goto === undefined ? {} : { goto }), isForParent: false }, applied, reads }
}

export function* keepCached(task: Task, view: State, end: Extract<AttemptEnd, { readonly kind: 'done' }>): Flow<void> {
  const { place, node, name, key } = task
  const { cache } = place.run
  const options = node.options.cache
  if (cache === undefined || options === undefined || end.said.isForParent) return
  if (place.run.facts.hasAsked(key) || task.effects.isReplayed) return
  const reads = options.key === undefined ? (end.reads ?? graphReads(task)) : []
  const found = digest(task, view, reads)
  if (found === undefined) return
  const { updates, goto } = end.said
  const entry = {
    reads,
    digest: found,
    updates,
    ...(goto === undefined ? {} : { goto }),
    ...(options.ttlMs === undefined ? {} : { expires: place.run.now() + options.ttlMs }),
  }
  yield* waitAt(place, cache.keep(cachePlace(task), entry), `the cache of ${name} takes its time`)
}

function cachePlace({ place, node }: Task): CachePlace {
  return { graph: place.plan.name, node: node.name, version: node.options.cache?.version ?? '' }
}

/** What a graph read is all that it was given. */
function graphReads({ place }: Task): readonly string[] {
  return place.run.context === undefined ? ['/'] : ['/', contextRead]
}

function digest({ node, place }: Task, view: State, reads: readonly string[]): string | undefined {
  const key = node.options.cache?.key
  try {
    return key === undefined ? digestOfReads(view, place.run.context, reads) : digestOfValue(key(view))
  } catch (error) {
    if (isStateError(error, 'value-refused')) return undefined
    throw error
  }
}
