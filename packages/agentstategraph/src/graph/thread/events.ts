/**
 * The events of a thread's runs in this process, one run after another.
 *
 * A run lasts, and so does a follower of it: its right to read is asked again for every event.
 */

import type { EventKind } from '../model/event-types.ts'
import type { ThreadRefs } from './records/refs.ts'
import type { AnyEvent } from './run/event-hub.ts'
import { attachToNextRun } from './run/live-runs.ts'
import type { ThreadHome } from './start-run.ts'
import type { ThreadEventsOptions } from './state/public-types.ts'

const never = new AbortController().signal

export async function* threadEvents(
  home: () => Promise<ThreadHome>,
  refs: ThreadRefs,
  { events: kinds = ['updates'], signal = never }: ThreadEventsOptions,
): AsyncGenerator<AnyEvent, void, undefined> {
  const { handle } = await home()
  for (;;) {
    const attached = await attachToNextRun(handle.journal, refs, signal, ({ hub, ended }) => ({
      feed: hub.listen(new Set<EventKind>(kinds)),
      ended,
    }))
    if (attached === undefined) return
    const { feed, ended } = attached
    const leave = (): void => void feed.return?.()
    signal.addEventListener('abort', leave)
    try {
      for (;;) {
        // Who started the run is told how it failed.
        const next = await feed.next().catch(() => undefined)
        if (next === undefined || next.done === true) break
        await home()
        yield next.value
      }
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
    await ended
  }
}
