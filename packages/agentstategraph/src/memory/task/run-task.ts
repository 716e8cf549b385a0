/**
 * Running a task: its state before, its events during, its checkpoint after.
 *
 * A task ends in one of three ways, and its memory is kept in each: it gives a result, it throws, or its signal stops it. A
 * task that was called with the memory of another shares its workspace and its run, and leaves the landing to it.
 */

import type { Versioned } from '../branch/versioned.ts'
import type { Listener } from '../events/event-log.ts'
import { errorFrom, type MemoryEvent } from '../events/events.ts'
import { Live } from './live.ts'
import type { TaskContext } from './task-context.ts'
import { type Ending, type Session, sessionFor, type TaskOfAgent } from './task-session.ts'

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
  const session = await sessionFor(task, call.state ?? new Live(), listening.hear)
  session.tell({ kind: 'start', input })
  const ctx: TaskContext<Record<string, unknown>> = {
    state: session.state as Record<string, unknown>,
    memory: session.memory,
    signal,
    update: (key, edit) => session.update(key, edit as (draft: never) => void),
    emit: event => session.tell(event.kind === 'error' ? { ...event, recoverable: true } : event),
  }
  const ending = await endingOf(() => task.run(input, ctx), signal)
  await endWith(session, ending)
  if (listening.failure !== undefined) await session.report(listening.failure)
  if (ending.status !== 'success') throw ending.thrown
  return ending.result
}

/** Ends a session. When it fails after its task did, neither error hides the other. */
async function endWith(session: Session, ending: Ending): Promise<void> {
  try {
    await session.end(ending)
  } catch (error) {
    if (ending.status === 'success') throw error
    const words = `${errorFrom(ending.thrown).message}; and then: ${errorFrom(error).message}`
    throw new AggregateError([ending.thrown, error], words)
  }
}

/** Waits for a function or for its signal, whichever comes first. */
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
  readonly hear: Listener
  /** What the listener threw first, if it did. */
  readonly failure: Error | undefined
}

function listenerOf({ definition, name }: DefinedTask, onEvent: Listener = () => {}): Listening {
  let failure: Error | undefined
  const fail = (event: MemoryEvent, cause: unknown): void => {
    const words = `onEvent threw at the ${event.kind} event of ${definition.name}/${name}`
    failure ??= new Error(`${words}: ${errorFrom(cause).message}`, { cause })
  }
  return {
    hear(event: MemoryEvent) {
      try {
        const heard: unknown = onEvent(event)
        // The type takes an async function too. It is not waited for: it may never end.
        if (heard instanceof Promise) heard.catch((cause: unknown) => fail(event, cause))
      } catch (cause) {
        fail(event, cause)
      }
    },
    get failure() {
      return failure
    },
  }
}
