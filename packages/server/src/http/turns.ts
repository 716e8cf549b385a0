/** Work that is done one after the other for each name, and at the same time for different ones. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function turnsOf(): Turns {
  /** The end of the last work that waits or runs under a name. */
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    const done = before === undefined ? work() : before.then(work)
    const end = done.catch(() => undefined)
    last.set(name, end)
    try {
      return await done
    } finally {
      if (last.get(name) === end) last.delete(name)
    }
  }
}
