/**
 * What a case of the backend suite is, and what it works on.
 *
 * Cases are data: a name that states a promise, what the place must be able to do for it to make sense, and a function.
 * They know no test runner and no particular backend.
 */
import type { Backend, Capabilities, Log } from '../store/contract/backend.ts'

/** A place that can hold a store: a file, a database, a piece of memory. */
export interface Place {
  /** Opens a handle. A durable place keeps its content between handles; a shared one can have several at once. */
  open(): Backend | Promise<Backend>
}

export interface ConformanceCase {
  readonly name: string
  /** Skip the case on a backend that does not declare this. */
  readonly needs?: keyof Capabilities
  /** Throws when the promise is broken. The place must be fresh. */
  run(place: Place): Promise<void>
}

/** Makes a case that gets one open log of a fresh place. */
export function logCase(name: string, test: (log: Log, backend: Backend) => Promise<void>): ConformanceCase {
  return backendCase(name, undefined, async open => {
    const backend = await open()
    await test(backend.namespace('main'), backend)
  })
}

/** Makes a case that opens handles itself; all of them are closed at its end. */
export function backendCase(
  name: string,
  needs: keyof Capabilities | undefined,
  test: (open: () => Promise<Backend>) => Promise<void>,
): ConformanceCase {
  const run = async (place: Place): Promise<void> => {
    const opened: Backend[] = []
    try {
      await test(async () => {
        const backend = await place.open()
        opened.push(backend)
        return backend
      })
    } finally {
      for (const backend of opened) await backend.close()
    }
  }
  return needs === undefined ? { name, run } : { name, needs, run }
}
