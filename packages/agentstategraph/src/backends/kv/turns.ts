/**
 * Writes of one process to one namespace, one after the other.
 *
 * Each of them compares the cell of the namespace, so of those that are sent at once only one is written, and the others would
 * start over. Writers of other processes are not known here; against them the comparison decides.
 */

/** Runs a write when those to the same namespace that came before it have ended. */
export type InTurn = <T>(namespace: string, write: () => Promise<T>) => Promise<T>

export function newTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (namespace, write) => {
    const done = (last.get(namespace) ?? Promise.resolve()).then(write)
    const ended = done.then(
      () => end(),
      () => end(),
    )
    last.set(namespace, ended)
    return done

    function end(): void {
      if (last.get(namespace) === ended) last.delete(namespace)
    }
  }
}
