/**
 * Waits for one promise several times, each time for so long.
 *
 * A race would add a reaction to the promise each time, and an idle stream waits for one promise for days.
 */
export interface Patience<T> {
  /** The value, or undefined when it takes longer. */
  within(ms: number): Promise<T | undefined>
}

export function patienceWith<T>(promise: Promise<T>): Patience<T> {
  let settled: Promise<T> | undefined
  let wake = (): void => {}
  const settle = (): void => {
    settled = promise
    wake()
  }
  promise.then(settle, settle)
  return {
    async within(ms) {
      if (settled !== undefined) return settled
      const timer = await new Promise<NodeJS.Timeout>(resolve => {
        const due = setTimeout(() => resolve(due), ms)
        wake = () => resolve(due)
      })
      clearTimeout(timer)
      return settled
    },
  }
}
