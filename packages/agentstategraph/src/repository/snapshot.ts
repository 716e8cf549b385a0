/** The state at one commit. Resolved on first use, and then it does not move. */

import {
  type BranchScope,
  type Handle,
  type Located,
  locate,
  nameOf,
  type Revision,
  readScopeOf,
  refNotFound,
} from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { Reader } from './reader.ts'

/** A state as it was at one commit, tag or moment. It can be read, not written. */
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
    const isForgotten = (yield* readScopeOf(this.handle))?.on(names).isBlank === true
    if (isForgotten) throw yield* refNotFound(this.handle, nameOf(this.revision))
    return commit
  }

  /** What may be read is asked each time: the commit does not move, but who may read it can change. */
  protected override *findView(): Work<BranchScope | undefined> {
    const scope = yield* readScopeOf(this.handle)
    if (scope === undefined) return undefined
    yield* this.getCommit()
    return scope.on(this.#located!.names)
  }
}
