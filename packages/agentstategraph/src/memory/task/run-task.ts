/**
 * Runs a task: opens its session, calls its function, and ends the session with the outcome.
 *
 * A task ends when it returns, when it throws, or when its signal aborts. The session decides what is stored in each case.
 */

import type { Versioned } from '../branch/versioned.ts'
import type { Listener } from '../events/event-log.ts'
import { errorFrom, type MemoryEvent, type TaskEvent } from '../events/events.ts'
import { Live } from './live.ts'
import type { Ending } from './task-info.ts'
import { type Session, sessionFor, type TaskOfAgent } from './task-session.ts'

/** What a task is given besides its input. */
export interface TaskContext<S> {
  /** The agent's memory as a plain object. Change it in place; it is stored at the end of the task. */
  readonly state: S
  /** This task's view of the memory. A task that is called with it shares it, and leaves the checkpoint to this one. */
  readonly memory: Live | Versioned
  readonly signal: AbortSignal
  /** A small edit of a large value, without encoding or comparing all of it. */
  update<K extends keyof S>(key: K, edit: (value: S[K]) => void): void
  emit(event: TaskEvent): void
}

export interface DefinedTask extends TaskOfAgent {
  readonly run: (input: unknown, ctx: TaskContext<Record<string, unknown>>) => unknown
}

export interface Call {
  readonly state?: Live | Versioned | undefined
  readonly onEvent?: Listener | undefined
  readonly signal?: AbortSignal | undefined
}

export async function runTask(task: DefinedTask, input: unknown, call: Call): Promise<unknown> {
  const signal = call.signal ?? new AbortController().signal
  signal.throwIfAborted()
  const listening = listenerOf(task, call.onEvent)
  const session = await sessionFor(task, call.state ?? new Live(), listening.onEvent)
  session.emit({ kind: 'start', input })
  if (session.admitted !== undefined) await session.admitted()
  const ctx: TaskContext<Record<string, unknown>> = {
    state: session.state as Record<string, unknown>,
    memory: session.memory,
    signal,
    update: (key, edit) => session.update(key, edit as (value: never) => void),
    emit: event => session.emit(event.kind === 'error' ? { ...event, recoverable: true } : event),
  }
  const ending = await endingOf(() => task.run(input, ctx), signal)
  await endWith(session, ending)
  if (listening.failure !== undefined) await session.report(listening.failure)
  if (ending.status !== 'success') throw ending.thrown
  return ending.result
}

/** Ends a session. If that fails after the task failed, the error holds both. */
async function endWith(session: Session, ending: Ending): Promise<void> {
  try {
    await session.end(ending)
  } catch (error) {
    if (ending.status === 'success') throw error
    const words = `${errorFrom(ending.thrown).message}; and then: ${errorFrom(error).message}`
    throw new AggregateError([ending.thrown, error], words)
  }
}

/** Waits for the function or for its signal, whichever is first. */
async function endingOf(run: () => unknown, signal: AbortSignal): Promise<Ending> {
  let onAbort = (): void => {}
  const aborted = new Promise<Ending>(resolve => {
    onAbort = () => resolve({ status: 'aborted', thrown: signal.reason })
    signal.addEventListener('abort', onAbort, { once: true })
  })
  const done = (async (): Promise<Ending> => {
    try {
      return { status: 'success', result: await run() }
    } catch (thrown) {
      return { status: signal.aborted ? 'aborted' : 'failed', thrown }
    }
  })()
  const ending = await Promise.race([done, aborted])
  signal.removeEventListener('abort', onAbort)
  return ending
}

interface Listening {
  readonly onEvent: Listener
  /** The first error that the listener threw. */
  readonly failure: Error | undefined
}

function listenerOf({ definition, name }: DefinedTask, listener: Listener = () => {}): Listening {
  let failure: Error | undefined
  const fail = (event: MemoryEvent, cause: unknown): void => {
    const words = `onEvent threw at the ${event.kind} event of ${definition.name}/${name}`
    failure ??= new Error(`${words}: ${errorFrom(cause).message}`, { cause })
  }
  return {
    onEvent(event: MemoryEvent) {
      try {
        const result: unknown = listener(event)
        // The type admits an async function too. It is not awaited, because it may never end.
        if (result instanceof Promise) result.catch((cause: unknown) => fail(event, cause))
      } catch (cause) {
        fail(event, cause)
      }
    },
    get failure() {
      return failure
    },
  }
}
