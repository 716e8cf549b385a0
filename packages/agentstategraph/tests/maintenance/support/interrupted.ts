/** What another process does at the worst moment. */
import type { Backend } from '../../../src/store/index.ts'
import { around, type CallName, wrapped } from '../../store/support/wrapped-backend.ts'

/** What happens right before the next call of a name. */
export interface Meanwhile {
  before(name: CallName, work: () => Promise<unknown>): void
}

/** A backend before whose calls something else can be done. */
export function interrupted(backend: Backend): Backend & Meanwhile {
  let waiting: { readonly name: CallName; readonly work: () => Promise<unknown> } | undefined
  const seen = wrapped(backend, log =>
    around(log, async (name, call) => {
      if (waiting?.name === name) {
        const { work } = waiting
        waiting = undefined
        await work()
      }
      return call()
    }),
  )
  return Object.assign(seen, {
    before(name: CallName, work: () => Promise<unknown>) {
      waiting = { name, work }
    },
  })
}
