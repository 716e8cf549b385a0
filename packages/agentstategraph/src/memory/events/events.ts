/** The events of a task. */

import { valueText } from '../values/value-text.ts'

/** The events that a task emits itself. */
export type TaskEvent =
  | { readonly kind: 'action'; readonly thinking?: string | undefined; readonly code?: string | undefined }
  | { readonly kind: 'output'; readonly parts: readonly unknown[] }
  | { readonly kind: 'clarify'; readonly message: string }
  /** An error that the task recovered from. */
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'custom'; readonly name: string; readonly data: unknown }

/** All events of a task: those it emits, its start and its end. */
export type EventContent =
  | Exclude<TaskEvent, { readonly kind: 'error' }>
  | { readonly kind: 'start'; readonly input: unknown }
  | { readonly kind: 'success'; readonly result: unknown }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'error'; readonly error: Error; readonly recoverable: boolean }

/** When and where an event happened. */
export interface EventPlace {
  readonly seq: number
  readonly timestamp: string
  readonly agent: string
  readonly task: string
  /** The newest commit of the memory when the task began. Absent when there was none, and in `Live`. */
  readonly commitBefore?: string
  /** The commit that holds what this event led to. Absent until the task's checkpoint. */
  readonly commitAfter?: string
}

/** Something that happened in a task. */
export type MemoryEvent = EventPlace & EventContent

/** The thrown value as an error: a task may throw anything. */
export function errorFrom(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(textOf(thrown), { cause: thrown })
}

const MAX_THROWN_CHARACTERS = 1000

function textOf(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : `${typeof thrown} thrown: ${valueText(thrown, MAX_THROWN_CHARACTERS)}`
}
