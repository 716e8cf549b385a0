/** Where refs point. */

import { ask, type RefCell, type Work } from '../../store/index.ts'

/** The seq that a ref points to. */
export function* findRef(name: string): Work<number | null> {
  return yield* ask(log => log.ref(name))
}

export function* listRefs(prefix: string): Work<readonly RefCell[]> {
  return yield* ask(log => log.refs(prefix))
}
