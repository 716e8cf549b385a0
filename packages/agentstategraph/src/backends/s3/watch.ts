/**
 * Tells listeners of entries. Those of other processes are found by a poll for each namespace that has listeners, which is enough; a hint of
 * another process begins a look at once.
 */
import { changeListeners } from '../../store/contract/change-listeners.ts'
import { type Poll, poll } from '../poll.ts'
import type { S3Hints } from './requests/options.ts'

export interface Watch {
  /** Adds a listener of a namespace and returns the function that removes it. */
  add(namespace: string, listener: () => void): () => void
  /** Tells of an entry that this process has added. */
  wrote(namespace: string): void
  close(): void
}

/** `look` gives something that changes with each entry of a namespace. */
export function newWatch(look: (namespace: string) => Promise<unknown>, everyMs: number, hints?: S3Hints): Watch {
  const polls = new Map<string, { readonly poll: Poll; listeners: number }>()
  const unsent = new Set<string>()
  let endHints: (() => void) | undefined
  const listeners = changeListeners(
    () => {
      endHints = hints?.listen(namespace => polls.get(namespace)?.poll.now())
    },
    () => endHints?.(),
  )

  /** A hint that cannot be sent costs the others a wait, and nothing else. */
  async function send(): Promise<void> {
    const namespaces = [...unsent]
    unsent.clear()
    try {
      for (const namespace of namespaces) await hints?.send(namespace)
    } catch {
      // Others find out at their next look.
    }
  }

  return {
    add(namespace, listener) {
      const remove = listeners.add(namespace, listener)
      const polled = polls.get(namespace) ?? {
        poll: poll(
          () => look(namespace),
          everyMs,
          () => listeners.notify(namespace),
        ),
        listeners: 0,
      }
      polled.listeners++
      polls.set(namespace, polled)
      let isAdded = true
      return () => {
        if (!isAdded) return
        isAdded = false
        remove()
        polled.listeners--
        if (polled.listeners > 0) return
        polled.poll.stop()
        polls.delete(namespace)
      }
    },
    wrote(namespace) {
      listeners.notify(namespace)
      if (hints === undefined) return
      // Those of one segment are answered together.
      if (unsent.size === 0) setImmediate(() => void send())
      unsent.add(namespace)
    },
    close() {
      listeners.clear()
      for (const { poll } of polls.values()) poll.stop()
      polls.clear()
    },
  }
}
