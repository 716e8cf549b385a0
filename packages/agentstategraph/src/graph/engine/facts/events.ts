/**
 * The events of the engine, before they are numbered.
 *
 * An event is made only when its kind is wanted, so a run without listeners does not pay for events.
 */

import type { EventKind, GraphEvent, Progress } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'

type Unnumbered<T> = T extends unknown ? Omit<T, 'seq' | 'thread'> : never
export type EngineEvent = Unnumbered<GraphEvent<GraphTypes>>

/** A decision of the engine, for finding out why a run went where it went. */
export type DebugDetail =
  | { readonly what: 'route'; readonly from: string; readonly to: readonly string[] }
  | { readonly what: 'group-open'; readonly from: string; readonly members: number }
  | {
      readonly what: 'group-close'
      readonly from: string
      readonly joins: readonly string[]
      readonly isEarly: boolean
    }
  | { readonly what: 'cache'; readonly node: string; readonly hit: boolean }
  | { readonly what: 'replay'; readonly node: string; readonly task: string }

export interface Events {
  /** Makes and emits an event when its kind is wanted. */
  emit<K extends EventKind>(kind: K, make: () => Omit<Extract<EngineEvent, { readonly kind: K }>, 'kind'>): void
  debug(make: () => DebugDetail): void
  readonly progress: Progress
  /** Opens a group with a number of tasks. */
  opened(tasks: number): Tally
  over(group: Tally): void
}

/** The tasks of an open group: how many are known, and how many of them have ended. */
export interface Tally {
  done: number
  total: number
}

export function newEvents(
  wants: (kind: EventKind) => boolean = () => false,
  publish: (event: EngineEvent) => void = () => {},
): Events {
  const groups = new Set<Tally>()
  return {
    emit(kind, make) {
      if (wants(kind)) publish({ kind, ...make() } as unknown as EngineEvent)
    },
    debug(make) {
      if (wants('debug')) publish({ kind: 'debug', detail: make() })
    },
    get progress() {
      const progress: Tally = { done: 0, total: 0 }
      for (const { done, total } of groups) {
        progress.done += done
        progress.total += total
      }
      return progress
    },
    opened(tasks) {
      const group = { done: 0, total: tasks }
      groups.add(group)
      return group
    },
    over(group) {
      groups.delete(group)
    },
  }
}
