/** The state at one commit. Resolved on first use, and then it does not move. */

import { type Handle, type Revision, resolve } from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { Reader } from './reader.ts'

export class Snapshot<State = unknown> extends Reader<State> {
  readonly revision: Revision
  #commit: StoredCommit | undefined

  constructor(handle: Handle, revision: Revision) {
    super(handle)
    this.revision = revision
  }

  protected override findCommit(): Work<StoredCommit> {
    return this.getCommit()
  }

  protected override *getCommit(): Work<StoredCommit> {
    this.#commit ??= yield* resolve(this.handle, this.revision)
    return this.#commit
  }
}
