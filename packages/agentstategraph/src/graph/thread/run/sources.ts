/** The clock, ids, random numbers and timers of a run: those of the repository, or those of the runtime without one. */

import { hashText, hexOfId, randomId } from '../../../core/index.ts'
import type { Journal } from '../../../store/index.ts'
import type { RunSources } from './request.ts'

export function runSources(journal: Journal | undefined): RunSources {
  const newId = journal?.ids ?? (() => randomId())
  return { now: journal?.now ?? Date.now, newId, random: () => fractionOf(newId()), wait: waitFor }
}

/** A number from 0 up to 1 derived from an id, so that a run with given ids can be repeated. */
function fractionOf(id: string): number {
  return Number.parseInt(hexOfId(hashText(id)).slice(0, 12), 16) / 2 ** 48
}

/** Waits for a time. Rejects when the signal aborts. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
