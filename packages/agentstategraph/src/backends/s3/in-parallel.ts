/** Runs many requests, some of them at the same time. */

const together = 16

/** Calls `run` for each item, and gives what it gave in the order of the items. */
export async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  async function runSome(): Promise<void> {
    while (next < items.length) {
      const at = next++
      results[at] = await run(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(together, items.length) }, runSome))
  return results
}
