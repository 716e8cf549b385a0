/** The runs of this process that are under way, by journal and thread, so that every handle of a repository sees them. */

import type { Journal } from '../../../store/index.ts'
import { getOrAdd } from '../../model/get-or-add.ts'
import type { ThreadRefs } from '../records/refs.ts'
import type { EventHub } from './event-hub.ts'

export interface LiveRun {
  readonly hub: EventHub
  /** Resolves when the run has ended in any way. */
  readonly ended: Promise<void>
  cancel(reason: unknown): void
}

const runs = new WeakMap<Journal, Map<string, LiveRun>>()
/** Called when a run is added, by journal. */
const waiting = new WeakMap<Journal, Set<() => void>>()

export function findLiveRun(journal: Journal, refs: ThreadRefs): LiveRun | undefined {
  return runs.get(journal.opened)?.get(refs.head)
}

/** Adds a run; the returned function removes it. */
export function addLiveRun(journal: Journal, refs: ThreadRefs, run: LiveRun): () => void {
  const known = getOrAdd(runs, journal.opened, () => new Map<string, LiveRun>()).set(refs.head, run)
  for (const look of waiting.get(journal.opened) ?? []) look()
  return () => {
    if (known.get(refs.head) === run) known.delete(refs.head)
  }
}

/**
 * What `attach` makes of the run of a thread that is under way, or of the next one, in the turn in which that begins; undefined
 * when the signal aborts before there is one.
 */
export function attachToNextRun<T>(
  journal: Journal,
  refs: ThreadRefs,
  signal: AbortSignal,
  attach: (run: LiveRun) => T,
): Promise<T | undefined> {
  const looks = getOrAdd(waiting, journal.opened, () => new Set<() => void>())
  return new Promise(resolve => {
    const look = (): void => {
      const found = signal.aborted ? undefined : findLiveRun(journal, refs)
      if (found === undefined && !signal.aborted) return
      looks.delete(look)
      signal.removeEventListener('abort', look)
      resolve(found && attach(found))
    }
    looks.add(look)
    signal.addEventListener('abort', look)
    look()
  })
}
