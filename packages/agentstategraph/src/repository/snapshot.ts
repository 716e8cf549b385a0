/** The state at one commit. Resolved on first use, and then it does not move. */

import {
  type Handle,
  type Located,
  locate,
  nameOf,
  type Revision,
  refNotFound,
  sightOf,
  type View,
} from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { Reader } from './reader.ts'

export class Snapshot<State = unknown> extends Reader<State> {
  readonly revision: Revision
  #located: Located | undefined

  constructor(handle: Handle, revision: Revision) {
    super(handle)
    this.revision = revision
  }

  protected override findCommit(): Work<StoredCommit> {
    return this.getCommit()
  }

  protected override *getCommit(): Work<StoredCommit> {
    this.#located ??= yield* locate(this.handle, this.revision)
    const { commit, names } = this.#located
    const isForgotten = (yield* sightOf(this.handle))?.on(names).isBlank === true
    if (isForgotten) throw yield* refNotFound(this.handle, nameOf(this.revision))
    return commit
  }

  /** What may be read is asked each time: the commit does not move, but who may read it can change. */
  protected override *findView(): Work<View | undefined> {
    const sight = yield* sightOf(this.handle)
    if (sight === undefined) return undefined
    yield* this.getCommit()
    return sight.on(this.#located!.names)
  }
}
