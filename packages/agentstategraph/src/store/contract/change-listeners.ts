/**
 * The listeners for new entries of namespaces.
 *
 * They belong to a backend, not to a log, so that a write through one handle wakes the listeners of another. A call is only
 * a hint to read on; it does not say what was added.
 */

/** The listeners of all namespaces of one backend. */
export interface ChangeListeners {
  /** Adds a listener and returns the function that removes it. */
  add(namespace: string, listener: () => void): () => void
  /** Calls the listeners of a namespace, soon and never synchronously. */
  notify(namespace: string): void
  /** Calls the listeners of every namespace, soon. */
  notifyAll(): void
  clear(): void
}

/** Makes an empty set of listeners. `onFirst` is called when the first one is added, `onLast` when the last one goes. */
export function changeListeners(onFirst?: () => void, onLast?: () => void): ChangeListeners {
  const byNamespace = new Map<string, Set<() => void>>()

  function remove(namespace: string, entry: () => void): void {
    const listeners = byNamespace.get(namespace)
    if (!listeners?.delete(entry)) return
    if (listeners.size === 0) byNamespace.delete(namespace)
    if (byNamespace.size === 0) onLast?.()
  }

  function notify(namespace: string): void {
    if (!byNamespace.has(namespace)) return
    queueMicrotask(() => {
      for (const listener of byNamespace.get(namespace) ?? []) listener()
    })
  }

  return {
    add(namespace, listener) {
      // A fresh function, so that adding one listener twice needs two removals.
      const entry = (): void => listener()
      const wasEmpty = byNamespace.size === 0
      const listeners = byNamespace.get(namespace) ?? new Set()
      byNamespace.set(namespace, listeners.add(entry))
      if (wasEmpty) onFirst?.()
      return () => remove(namespace, entry)
    },
    notify,
    notifyAll() {
      for (const namespace of byNamespace.keys()) notify(namespace)
    },
    clear() {
      const hadSome = byNamespace.size > 0
      byNamespace.clear()
      if (hadSome) onLast?.()
    },
  }
}
