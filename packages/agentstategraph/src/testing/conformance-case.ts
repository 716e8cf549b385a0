/**
 * The cases of the backend suite, and the place they run on.
 *
 * A case is data: a name that states a promise, the capability it needs, and a function. Cases know no test runner and no
 * particular backend.
 */
import type { Backend, Capabilities, Log } from '../store/contract/backend.ts'

/** Where a store can be: a file, a database, memory. */
export interface Place {
  /** Opens a handle. A durable place keeps its data between handles; a shared one allows several at once. */
  open(): Backend | Promise<Backend>
}

/** One promise of the backend contract, as a test. */
export interface ConformanceCase {
  readonly name: string
  /** Skip the case on a backend that does not declare this. */
  readonly needs?: keyof Capabilities
  /** Throws when the promise is broken. The place must be fresh. */
  run(place: Place): Promise<void>
}

/** Makes a case that runs on one open log of a fresh place. */
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
