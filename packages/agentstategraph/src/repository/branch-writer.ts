/**
 * What can be written on a branch: values, transactions, merges, and the ways back.
 *
 * Why is the last argument of every write. Each method is one call into the repository layer.
 */

import { checkOptions, copyGiven, type Path } from '../core/index.ts'
import * as repo from '../repo/index.ts'
import type { Journal, StoredCommit, Work } from '../store/index.ts'
import { callOptions } from './call-options.ts'
import type { KnownPath, PathOf, ValueAt } from './path-types.ts'
import { Reader } from './reader.ts'
import { type Transaction, transactionOn } from './transaction.ts'

/** A branch that can be read and written. */
export abstract class BranchWriter<State = unknown> extends Reader<State> {
  /** The branch that reads and writes go to: `main`, unless `on` says otherwise. */
  readonly branchName: string

  constructor(handle: repo.Handle) {
    super(handle)
    this.branchName = handle.branch
  }

  /** A branch of which nothing may be read is reported like one that does not exist. */
  protected override *findCommit(): Work<StoredCommit | undefined> {
    if ((yield* this.findView())?.isBlank === true) return undefined
    return yield* repo.findBranchHead(this.handle)
  }

  protected override *getCommit(): Work<StoredCommit> {
    const head = yield* this.findCommit()
    if (head === undefined) throw yield* repo.refNotFound(this.handle, this.branchName)
    return head
  }

  /**
   * Writes a value at a path, as one commit.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.as('agent/scaler').set('/replicas', 3, {
   *   description: 'Scale to 3 replicas',
   *   reasoning: 'Traffic grew by 40 %',
   *   confidence: 0.85,
   * })
   * ```
   */
  async set<const P extends Path = PathOf<State>>(
    path: KnownPath<State, P>,
    value: ValueAt<State, P>,
    why: repo.Why<repo.WriteOptions>,
  ): Promise<repo.Written> {
    const journal = this.writable('set')
    if (typeof why !== 'string') checkOptions(callOptions.set, why)
    return this.told(await journal.run(repo.commitSet(this.handle, path as Path, value, why)))
  }

  /**
   * Deletes what is at a path, as one commit.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.set('/old', true, 'Start')
   * await repo.delete('/old', 'Nothing reads it any more')
   * ```
   */
  async delete(path: PathOf<State>, why: repo.Why<repo.WriteOptions>): Promise<repo.Written> {
    const journal = this.writable('delete')
    if (typeof why !== 'string') checkOptions(callOptions.delete, why)
    const edit = repo.deleteEdit(this.handle, path)
    return this.told(await journal.run(repo.commitEdit(this.handle, edit, why)))
  }

  /**
   * Many changes, one commit. What the callback read is part of it: if that changed meanwhile, it runs again.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.commit('Configure the network', tx => tx.set('/dns', '1.1.1.1').set('/mtu', 1500))
   * ```
   */
  async commit(given: repo.Why<repo.WriteOptions>, edit: (tx: Transaction<State>) => unknown): Promise<repo.Written> {
    if (typeof given !== 'string') checkOptions(callOptions.commit, given)
    const why = copyGiven(given)
    const done = await this.writable('commit').run(repo.findCommitted(this.handle, why))
    if (done !== undefined) return repo.receipted(this.handle, done)
    for (;;) {
      const transaction = await this.run(repo.beginTransaction(this.handle))
      await edit(transactionOn<State>(this.handle, transaction))
      const landed = await this.run(repo.landTransaction(this.handle, transaction, why))
      if (landed !== 'read-changed') return repo.receipted(this.handle, landed)
    }
  }

  /**
   * Merges a branch, tag or commit into this branch.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.set('/a', 1, 'Start')
   * const trial = await repo.branch('trial')
   * await trial.set('/b', 2, 'Add b')
   * await repo.merge('trial', 'Adopt the trial')
   * ```
   */
  async merge(source: repo.Revision, why?: repo.Why<repo.MergeOptions>): Promise<repo.Merged> {
    const journal = this.writable('merge')
    if (typeof why !== 'string') checkOptions(callOptions.merge, why)
    return this.told(await journal.run(repo.mergeBranch(this.handle, source, why ?? `Merge ${repo.nameOf(source)}`)))
  }

  /**
   * What `merge` would do, as a value.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.set('/a', 1, 'Start')
   * const trial = await repo.branch('trial')
   * await trial.set('/a', 2, 'Two')
   * await repo.set('/a', 3, 'Three')
   * const { kind } = await repo.previewMerge('trial') // 'conflict'
   * ```
   */
  async previewMerge(
    source: repo.Revision,
    options: Pick<repo.MergeOptions, 'policies' | 'resolutions'> = {},
  ): Promise<repo.MergePreview> {
    checkOptions(callOptions.previewMerge, options)
    return this.run(repo.previewMerge(this.handle, source, options))
  }

  /** Takes back what a commit changed, by a new commit. */
  async revert(commit: repo.Revision, why?: repo.Why): Promise<repo.Written> {
    const journal = this.writable('revert')
    if (typeof why !== 'string') checkOptions(callOptions.revert, why)
    return this.told(await journal.run(repo.revert(this.handle, commit, why)))
  }

  /** Makes the state what it was, by a new commit. */
  async rollback(to: repo.Revision, why: repo.Why): Promise<repo.Written> {
    const journal = this.writable('rollback')
    if (typeof why !== 'string') checkOptions(callOptions.rollback, why)
    return this.told(await journal.run(repo.rollback(this.handle, to, why)))
  }

  /** Does here what a commit did elsewhere. */
  async cherryPick(commit: repo.Revision, why?: repo.Why): Promise<repo.Written> {
    const journal = this.writable('cherryPick')
    if (typeof why !== 'string') checkOptions(callOptions.cherryPick, why)
    return this.told(await journal.run(repo.cherryPick(this.handle, commit, why)))
  }

  /** Undoes this agent's last operation, or the journal entry given, and says what that was and where. */
  async undo(entry?: number, options: repo.UndoOptions = {}): Promise<repo.UndoEvent> {
    const journal = this.writable('undo')
    checkOptions(callOptions.undo, options)
    return journal.run(repo.undo(this.handle, entry, options))
  }

  /** What `undo` would do, as a value. */
  async previewUndo(entry?: number, options: repo.UndoOptions = {}): Promise<repo.UndoneOperation> {
    checkOptions(callOptions.previewUndo, options)
    return this.run(repo.previewUndo(this.handle, entry, options))
  }

  /** The journal to write to. Throws when the repository is read-only or closed. */
  protected writable(operation: string): Journal {
    const { shared, journal } = this.handle
    if (shared.isReadOnly) repo.assertWritable(shared, operation)
    if (shared.isClosed) throw repo.repoError('closed', { what: 'The repository' })
    return journal
  }

  /** The answer to a write. Without receipts it is there at once. */
  protected async told<T extends repo.Written>(written: T): Promise<T> {
    return this.handle.shared.signing?.receipts === true ? repo.receipted(this.handle, written) : written
  }
}
