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

export function findLiveRun(journal: Journal, refs: ThreadRefs): LiveRun | undefined {
  return runs.get(journal)?.get(refs.head)
}

/** Adds a run; the returned function removes it. */
export function addLiveRun(journal: Journal, refs: ThreadRefs, run: LiveRun): () => void {
  const known = getOrAdd(runs, journal, () => new Map<string, LiveRun>()).set(refs.head, run)
  return () => {
    if (known.get(refs.head) === run) known.delete(refs.head)
  }
}
