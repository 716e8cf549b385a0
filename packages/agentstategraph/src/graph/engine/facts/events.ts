/**
 * What a run tells while it goes on, before it is numbered.
 *
 * An event is made only when somebody asked for its kind, so watching costs nobody who does not.
 */

import type { EventKind, GraphEvent, Progress } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'

type Unnumbered<T> = T extends unknown ? Omit<T, 'seq' | 'thread'> : never
export type EngineEvent = Unnumbered<GraphEvent<GraphTypes>>

/** What the engine decided, for those who want to know why a run went where it went. */
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
  /** Makes and gives out an event when its kind is wanted. */
  emit<K extends EventKind>(kind: K, make: () => Omit<Extract<EngineEvent, { readonly kind: K }>, 'kind'>): void
  debug(make: () => DebugDetail): void
  readonly progress: Progress
  /** A group opened with so many tasks to begin with. */
  opened(tasks: number): Tally
  over(group: Tally): void
}

/** The tasks of an open group: those that have ended, of those that are known so far. */
export interface Tally {
  done: number
  total: number
}

export function newEvents(
  wants: (kind: EventKind) => boolean = () => false,
  emit: (event: EngineEvent) => void = () => {},
): Events {
  const groups = new Set<Tally>()
  return {
    emit(kind, make) {
      if (wants(kind)) emit({ kind, ...make() } as unknown as EngineEvent)
    },
    debug(make) {
      if (wants('debug')) emit({ kind: 'debug', detail: make() })
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
