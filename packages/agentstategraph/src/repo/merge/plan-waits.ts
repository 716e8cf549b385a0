/**
 * Which tasks of a plan wait for which, as they are stored, and what is wrong with that.
 *
 * A task waits for those that block it until they are done, and for its children until they have ended. Only whole plans are
 * looked at, in memory: this is for what comes together from two histories, where no transition was there to refuse it.
 */

import type { Stored } from '../../core/index.ts'
import { findTaskKey, isFinal } from './plan-record.ts'

export type StoredTask = { readonly [field: string]: Stored }

/** That one task waits for another, and by which field of whose record. */
export interface Wait {
  readonly from: string
  readonly to: string
  readonly owner: string
  readonly field: 'blockedBy' | 'parent'
}

export type Waits = ReadonlyMap<string, readonly Wait[]>

/** Whom each task waits for: those that block it, and its children. */
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

/** Waits of or for a task that is not there. */
export function missingIn(tasks: ReadonlyMap<string, StoredTask>, waits: Waits): Wait[] {
  return [...waits.values()].flat().filter(({ from, to }) => !tasks.has(from) || !tasks.has(to))
}

/** What tasks that are done still wait for. */
export function tooEarlyIn(tasks: ReadonlyMap<string, StoredTask>, waits: Waits): Wait[] {
  return [...waits.values()].flat().filter(({ from, to, field }) => {
    const [waiting, awaited] = [statusOf(tasks.get(from)?.['state']), statusOf(tasks.get(to)?.['state'])]
    return waiting === 'done' && (field === 'parent' ? !isFinal(awaited) : awaited !== 'done')
  })
}

/** The waits of one circle, when there is one. Without recursion: chains of tasks can be long. */
export function circleIn(waits: Waits): Wait[] {
  const done = new Set<string>()
  for (const start of waits.keys()) {
    const trail: { readonly key: string; readonly by: Wait | undefined; next: number }[] = []
    const onTrail = new Set<string>()
    const enter = (key: string, by: Wait | undefined): void => {
      trail.push({ key, by, next: 0 })
      onTrail.add(key)
    }
    if (!done.has(start)) enter(start, undefined)
    while (trail.length > 0) {
      const at = trail.at(-1)!
      const wait = waits.get(at.key)?.[at.next++]
      if (wait === undefined) {
        done.add(at.key)
        onTrail.delete(at.key)
        trail.pop()
      } else if (onTrail.has(wait.to)) {
        const from = trail.findIndex(({ key }) => key === wait.to)
        return [...trail.slice(from + 1).map(({ by }) => by!), wait]
      } else if (!done.has(wait.to)) {
        enter(wait.to, wait)
      }
    }
  }
  return []
}

/** Where a plan or a task stands, from the stored form of a Map. */
export function statusOf(state: Stored | undefined): Stored | undefined {
  const { $map: entries = [] } = (state ?? {}) as { readonly $map?: readonly (readonly [Stored, Stored])[] }
  return entries.find(([key]) => key === 'status')?.[1]
}
