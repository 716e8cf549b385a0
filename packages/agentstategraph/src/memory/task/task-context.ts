/** What a task is given beside its input. */

import type { Versioned } from '../branch/versioned.ts'
import type { TaskEvent } from '../events/events.ts'
import type { Live } from './live.ts'

export interface TaskContext<S> {
  /** The agent's memory as a plain object. Change it in place; the end of the task keeps it. */
  readonly state: S
  /** This task's own view of the memory. A task that is called with it shares it, and leaves the checkpoint to this one. */
  readonly memory: Live | Versioned
  readonly signal: AbortSignal
  /** A small edit of a large value, without encoding all of it again. */
  update<K extends keyof S>(key: K, edit: (draft: S[K]) => void): void
  emit(event: TaskEvent): void
}
