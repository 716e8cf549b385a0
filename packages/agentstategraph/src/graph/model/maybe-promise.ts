/**
 * A value now, or a promise of it.
 *
 * Graphs of synchronous nodes run without a single promise; everything that may have to wait is written with these.
 */

export type MaybePromise<T> = T | Promise<T>

/** Says whether something has to be waited for: a promise of any library. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof (value as { readonly then: unknown }).then === 'function'
  )
}

/** Goes on with a value, at once when it is there. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? (value as Promise<T>).then(next) : next(value as T)
}

/** Folds over items one after the other, waiting only where a step does. */
export function foldPromise<Item, T>(
  items: readonly Item[],
  first: T,
  step: (sum: T, item: Item) => MaybePromise<T>,
  from: number = 0,
): MaybePromise<T> {
  let sum = first
  for (let i = from; i < items.length; i++) {
    const next = step(sum, items[i]!)
    if (isPromise(next)) return (next as Promise<T>).then(value => foldPromise(items, value, step, i + 1))
    sum = next as T
  }
  return sum
}
