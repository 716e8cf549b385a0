/**
 * A value now, or a promise of it: the answer of one call to a schema, a cache, a run log or a node.
 *
 * Graphs of synchronous nodes run without promises, so a value is never wrapped. Work of several calls is a flow in the
 * engine; `andThen` and `foldPromise` serve what applies updates, which runs for every field and must not pay for a
 * generator.
 */

export type MaybePromise<T> = T | Promise<T>

/** Whether a value has to be awaited: a promise of any library. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Calls `next` with the value, at once when it is there. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Folds over items in order, and waits only where a step returns a promise. */
export function foldPromise<Item, T>(
  items: readonly Item[],
  first: T,
  step: (sum: T, item: Item) => MaybePromise<T>,
  from: number = 0,
): MaybePromise<T> {
  let sum = first
  for (let i = from; i < items.length; i++) {
    const next = step(sum, items[i]!)
    if (isPromise(next)) return next.then(value => foldPromise(items, value, step, i + 1))
    sum = next
  }
  return sum
}
