/** The state at one commit. Resolved on first use, and then it does not move. */

import type { Path } from '../core/index.ts'
import {
  type BranchScope,
  findShownId,
  type Handle,
  type Located,
  locate,
  nameOf,
  type Revision,
  readScopeOf,
  refNotFound,
} from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import type { KnownPath, PathOf, ReadValue } from './path-types.ts'
import { Reader } from './reader.ts'

/** A state as it was at one commit, tag or moment. It can be read, not written. */
export class Snapshot<State = unknown> extends Reader<State> {
  readonly revision: Revision
  #located: Located | undefined

  constructor(handle: Handle, revision: Revision) {
    super(handle)
    this.revision = revision
  }

  /** The value at a path, with the id of the commit that it was read at, for a write that is to fail when that has changed. */
  read<T = never, const P extends Path = PathOf<State>>(
    path: KnownPath<State, P>,
  ): Promise<{ readonly value: ReadValue<State, P, T>; readonly commit: string }> {
    return this.run(this.#read(path as Path)) as Promise<never>
  }

  *#read(path: Path): Work<unknown> {
    const value = yield* this.valueAt(path)
    return { value, commit: yield* this.headAs((_, commit, view) => findShownId(this.handle, commit, view)) }
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
