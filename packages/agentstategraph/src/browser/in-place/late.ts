/**
 * Parts of the library that a page loads when work first needs them. The work waits for its part, and other work goes on.
 *
 * The build puts these functions in the place of those of the part (scripts/build/browser-bundle.mjs).
 */
import { storeError, type Wait } from '../../store/index.ts'

type Call = (...args: readonly unknown[]) => unknown
type Part = Readonly<Record<string, Call>>
type Step = Generator<unknown, unknown, unknown>

export interface LatePart {
  /** A generator function of the part, by its name. */
  work(name: string): (...args: readonly unknown[]) => Step
  /** A function of the part that answers with a promise. */
  call(name: string): (...args: readonly unknown[]) => Promise<unknown>
}

export function latePart(load: () => Promise<Part>): LatePart {
  let part: Part | undefined
  let loading: Promise<void> | undefined
  let failure: unknown

  /** Never fails: `loadedPart` tells what became of it. */
  function loaded(): Promise<void> {
    loading ??= load().then(
      found => {
        part = found
      },
      error => {
        failure = error
        // The next work that needs it tries again.
        loading = undefined
      },
    )
    return loading
  }

  function loadedPart(): Part {
    if (part !== undefined) return part
    if (loading !== undefined) throw storeError('sync-unsupported', { what: 'Loading a part of the library' })
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw storeError('part-unavailable', { reason }, { cause: failure })
  }

  return {
    work: name =>
      function* (...args) {
        if (part === undefined) yield { until: loaded() } satisfies Wait
        return yield* loadedPart()[name]!(...args) as Step
      },
    call:
      name =>
      async (...args) => {
        await loaded()
        return loadedPart()[name]!(...args)
      },
  }
}
