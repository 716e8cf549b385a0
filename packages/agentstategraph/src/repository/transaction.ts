/** A view of the state that takes changes. They become one commit when the callback ends. */

import type { Path } from '../core/index.ts'
import * as repo from '../repo/index.ts'
import type { Work } from '../store/index.ts'
import { callOptions, type ListOptions } from './call-options.ts'
import type { Listing } from './listing.ts'
import type { KnownPath, PathOf, ReadValue, ValueAt } from './path-types.ts'
import { placeListing } from './place-listing.ts'

/** What the function of `commit` is given: reads that see its own writes, and writes that become one commit. */
export interface Transaction<State = unknown> {
  get<T = never, const P extends Path = PathOf<State>>(path: KnownPath<State, P>): Promise<ReadValue<State, P, T>>
  find<T = never, const P extends Path = PathOf<State>>(
    path: KnownPath<State, P>,
  ): Promise<ReadValue<State, P, T> | undefined>
  has(path: PathOf<State>): Promise<boolean>
  list(path?: PathOf<State>, options?: ListOptions): Listing<repo.Entry>
  set<const P extends Path = PathOf<State>>(path: KnownPath<State, P>, value: ValueAt<State, P>): this
  delete(path: PathOf<State>): this
  /** Makes changes as `diff` gives them. */
  apply(changes: readonly repo.Change[]): this
}

export function transactionOn<State>(handle: repo.Handle, transaction: repo.OpenTransaction): Transaction<State> {
  const { journal } = handle
  const tx: Transaction = {
    get: path => journal.run(repo.transactionGet(handle, transaction, path as Path)) as never,
    find: path => journal.run(repo.transactionFind(handle, transaction, path as Path)) as never,
    has: path => journal.run(repo.transactionHas(handle, transaction, path)),
    list: (path = '/', options = {}) => listed(handle, transaction, path, options),
    set(path, value) {
      repo.addSet(handle, transaction, path as Path, value)
      return tx
    },
    delete(path) {
      repo.addDelete(handle, transaction, path)
      return tx
    },
    apply(changes) {
      repo.addChanges(handle, transaction, changes)
      return tx
    },
  }
  return tx as Transaction<State>
}

/** The state of a transaction is not a commit yet: a page goes on after its last place, in the state as it is by then. */
function listed(
  handle: repo.Handle,
  transaction: repo.OpenTransaction,
  path: Path,
  options: ListOptions,
): Listing<repo.Entry> {
  const { depth = 1 } = options
  const source = { run: <T>(steps: Work<T>) => handle.journal.run(steps) }
  return placeListing(
    source,
    (_commit, after) => repo.transactionList(handle, transaction, path, depth, after),
    callOptions.list,
    options,
  )
}
