/** The answer of long work as events, for a caller that asks for them: how far it is from time to time, and then the result. */
import { setTimeout } from 'node:timers/promises'
import type { OperationContext } from '../../operations/operation.ts'

type OnProgress = NonNullable<OperationContext['onProgress']>
type Progress = Parameters<OnProgress>[0]

export type WorkEvent =
  | (Progress & { readonly kind: 'progress' })
  | { readonly kind: 'result'; readonly result: unknown }

/** People see no more than that. */
const PAUSE_MS = 100

export async function* workEvents(run: (onProgress: OnProgress) => Promise<unknown>): AsyncGenerator<WorkEvent> {
  let newest: Progress | undefined
  const result = run(progress => {
    newest = progress
  }).then(found => ({ kind: 'result', result: found }) as const)
  // It is awaited below, perhaps later than it fails.
  result.catch(() => undefined)
  for (;;) {
    const paused = new AbortController()
    const pause = setTimeout(PAUSE_MS, undefined, { signal: paused.signal }).catch(() => undefined)
    const done = await Promise.race([result, pause])
    paused.abort()
    if (done !== undefined) {
      yield done
      return
    }
    if (newest !== undefined) yield { kind: 'progress', ...newest }
    newest = undefined
  }
}
