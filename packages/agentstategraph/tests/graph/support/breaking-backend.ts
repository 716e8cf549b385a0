/** A backend that breaks in the middle of a run, as a process does that is killed: at a certain append, before or after it. */
import type { Append, Backend } from '../../../src/store/index.ts'

/** The same place, seen through a line that breaks when so many appends were made; the last of them gets through or not. */
export function breaking(inner: Backend, appends: number, isLastKept: boolean): Backend {
  let left = appends
  return {
    ...inner,
    close: async () => {},
    namespace(name, options) {
      const log = inner.namespace(name, options)
      const append = (batch: Append) => {
        if (left < 0) throw new Error('The line is broken')
        left--
        if (left >= 0) return log.sync!.append(batch)
        if (isLastKept) log.sync!.append(batch)
        throw new Error('The line broke')
      }
      return { ...log, append: async batch => append(batch), sync: { ...log.sync!, append } }
    },
  }
}

/** The same place, and how many appends were made through it: so often can it break. */
export function counting(inner: Backend): { readonly backend: Backend; appends(): number } {
  let made = 0
  const backend: Backend = {
    ...inner,
    namespace(name, options) {
      const log = inner.namespace(name, options)
      const append = (batch: Append) => {
        made++
        return log.sync!.append(batch)
      }
      return { ...log, append: async batch => append(batch), sync: { ...log.sync!, append } }
    },
  }
  return { backend, appends: () => made }
}
