/**
 * The wait-for graph of a plan's tasks, and its faults: missing tasks, tasks done too early, cycles.
 *
 * A task waits for its blockers until they are done, and for its children until they have ended. A merge checks whole plans,
 * because no transition was there to refuse what two histories make together.
 */

import type { Stored } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { findTaskKey, isFinal } from './plan-record.ts'

export type StoredTask = { readonly [field: string]: Stored }

/** An edge: one task waits for another, because of a field in the record of `owner`. */
export interface Wait {
  readonly from: string
  readonly to: string
  readonly owner: string
  readonly field: 'blockedBy' | 'parent'
}

export type Waits = ReadonlyMap<string, readonly Wait[]>

/** The edges of each task: to its blockers and its children. */
export function waitsOf(tasks: ReadonlyMap<string, StoredTask>): Waits {
  const waits = new Map<string, Wait[]>()
  const add = (wait: Wait): void => {
    const known = waits.get(wait.from)
    if (known === undefined) waits.set(wait.from, [wait])
    else known.push(wait)
  }
  for (const [key, task] of tasks) {
    for (const id of task['blockedBy'] as readonly string[]) {
      add({ from: key, to: findTaskKey(id) ?? id, owner: key, field: 'blockedBy' })
    }
    const parent = task['parent'] as string | undefined
    if (parent !== undefined) add({ from: findTaskKey(parent) ?? parent, to: key, owner: key, field: 'parent' })
  }
  return waits
}

/** Edges from or to a task that does not exist. */
export function missingIn(tasks: ReadonlyMap<string, StoredTask>, waits: Waits): Wait[] {
  return [...waits.values()].flat().filter(({ from, to }) => !tasks.has(from) || !tasks.has(to))
}

/** Edges of tasks that are done although what they wait for has not ended. */
export function tooEarlyIn(tasks: ReadonlyMap<string, StoredTask>, waits: Waits): Wait[] {
  return [...waits.values()].flat().filter(({ from, to, field }) => {
    const [waiting, awaited] = [statusOf(tasks.get(from)?.['state']), statusOf(tasks.get(to)?.['state'])]
    return waiting === 'done' && (field === 'parent' ? !isFinal(awaited) : awaited !== 'done')
  })
}

/**
 * The edges of the first cycle that can be reached from the start keys; empty when there is none.
 *
 * A depth-first walk over edges that are read as they are needed. It is iterative, because chains of tasks can be long.
 */
export function* findCycle<E extends { readonly to: string }>(
  starts: Iterable<string>,
  edgesFrom: (key: string) => readonly E[] | Work<readonly E[]>,
): Work<readonly E[]> {
  const done = new Set<string>()
  for (const start of starts) {
    if (done.has(start)) continue
    const trail = [{ key: start, edges: yield* read(edgesFrom(start)), next: 0 }]
    const position = new Map([[start, 0]])
    for (let at = trail.at(-1); at !== undefined; at = trail.at(-1)) {
      const edge = at.edges[at.next++]
      if (edge === undefined) {
        done.add(at.key)
        position.delete(at.key)
        trail.pop()
        continue
      }
      const from = position.get(edge.to)
      if (from !== undefined) return trail.slice(from).map(({ edges, next }) => edges[next - 1]!)
      if (done.has(edge.to)) continue
      position.set(edge.to, trail.length)
      trail.push({ key: edge.to, edges: yield* read(edgesFrom(edge.to)), next: 0 })
    }
  }
  return []
}

function* read<E>(edges: readonly E[] | Work<readonly E[]>): Work<readonly E[]> {
  return 'next' in edges ? yield* edges : edges
}

/** The status of a plan or a task, from the stored form of its state. */
export function statusOf(state: Stored | undefined): Stored | undefined {
  const { $map: entries = [] } = (state ?? {}) as { readonly $map?: readonly (readonly [Stored, Stored])[] }
  return entries.find(([key]) => key === 'status')?.[1]
}
