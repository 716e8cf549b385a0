/** A backend that breaks in the middle of a run, as a process does that is killed: at a certain append, before or after it. */
import type { Append, Appended, Backend } from '../../../src/store/index.ts'

/** What becomes of an append: it is made and its writer hears of it, it is made and the writer does not, or it is not made. */
type Fate = 'answered' | 'kept' | 'lost'

/** The same place, seen through a line that breaks when so many appends were made; the last of them gets through or not. */
export function breaking(inner: Backend, appends: number, isLastKept: boolean): Backend {
  let left = appends
  const line = through(inner, () => {
    left--
    if (left >= 0) return 'answered'
    return left === -1 && isLastKept ? 'kept' : 'lost'
  })
  return { ...line, close: async () => {} }
}

/** The same place, and how many appends were made through it: so often can it break. */
export function counting(inner: Backend): { readonly backend: Backend; appends(): number } {
  let made = 0
  const backend = through(inner, () => {
    made++
    return 'answered'
  })
  return { backend, appends: () => made }
}

function through(inner: Backend, fateOf: () => Fate): Backend {
  return {
    ...inner,
    namespace(name, options) {
      const log = inner.namespace(name, options)
      const { sync } = log
      return {
        ...log,
        async append(batch) {
          const fate = fateOf()
          return heard(fate, fate === 'lost' ? undefined : await log.append(batch))
        },
        sync: sync && {
          ...sync,
          append(batch: Append) {
            const fate = fateOf()
            return heard(fate, fate === 'lost' ? undefined : sync.append(batch))
          },
        },
      }
    },
  }
}

function heard(fate: Fate, appended: Appended | undefined): Appended {
  if (appended === undefined || fate !== 'answered') throw new Error('The line broke')
  return appended
}
