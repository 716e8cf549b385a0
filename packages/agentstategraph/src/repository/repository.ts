/// <reference lib="esnext.disposable" preserve="true" />

/**
 * A branch of a repository, open for reading and writing.
 *
 * Who, where and when are handles (`as`, `on`, `at`); why is the last argument of every write. The class only joins: each
 * method is one call into the repository layer, and what belongs to one concern is a function of a repository elsewhere.
 */

import { checkOptions, copyGiven, hexOfId, isStateError } from '../core/index.ts'
import * as repo from '../repo/index.ts'
import { type Budget, readCommit, type StoredCommit, type Work } from '../store/index.ts'
import { type Child, diff } from '../tree/index.ts'
import { BranchWriter } from './branch-writer.ts'
import {
  type BisectRange,
  type CommitGraphOptions,
  callOptions,
  type Defaults,
  type DiffOptions,
  type FromOptions,
  type RefFilter,
  type SpeculateOptions,
} from './call-options.ts'
import { commitListing } from './commits.ts'
import { checkedLimit, type ListedPart, type Listing, partedListing } from './listing.ts'
import { Snapshot } from './snapshot.ts'
import { type Speculation, speculationOn, speculationsOf } from './speculation.ts'
import { watch } from './watch.ts'

/** A branch or tag and the commit it points to. */
export interface Ref {
  readonly name: string
  /** The commit that it points to; absent when that may not be read. */
  readonly id?: string
}

/** A handle on a repository: one branch, one author. `as`, `on` and `at` make others. */
export class Repository<State = unknown> extends BranchWriter<State> implements AsyncDisposable {
  /** The same branch, written in the name of an agent. */
  as(who: string | Defaults): Repository<State> {
    if (typeof who !== 'string') checkOptions(callOptions.as, who)
    const given = typeof who === 'string' ? { agent: who } : who
    const { agent, tags, intent, trace } = this.handle.who
    return new Repository({
      ...this.handle,
      who: {
        agent: given.agent ?? agent,
        tags: given.tags === undefined ? tags : copyGiven(given.tags),
        intent: given.intent ?? intent,
        trace: given.trace ?? trace,
      },
    })
  }

  /**
   * The same branch for one write under an idempotency key, also where the options of the write take none. `asked` says what the
   * key stands for. The write fails with `already-done`, which names the entry, when it was made before.
   */
  once(key: string, asked: unknown): Repository<State> {
    return new Repository({ ...this.handle, once: repo.onceUnder(this.handle, key, asked) })
  }

  /** Another branch, by the same agent. */
  on(branch: string): Repository<State> {
    return new Repository({ ...this.handle, branch: repo.checkedRefName(branch) })
  }

  /**
   * The same branch for the calls of one operation, for programs that serve others. When the budget is spent, calls end with
   * `too-costly`. They pause wherever they read, and while they encode a value: writes that are not awaited land in any order, and a
   * value must not change until it is written.
   */
  under(budget: Budget): Repository<State> {
    return new Repository({ ...this.handle, journal: this.handle.journal.under(budget) })
  }

  /** The state at a branch, tag, commit or moment, to read. */
  at(revision: repo.Revision): Snapshot<State> {
    return new Snapshot(this.handle, revision)
  }

  /**
   * A new branch, where this one is or from another revision.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.set('/network', 'calico', 'Start')
   * const trial = await repo.branch('trial')
   * await trial.set('/network', 'flannel', 'Try flannel')
   * ```
   */
  async branch(name: string, options: FromOptions = {}): Promise<Repository<State>> {
    checkOptions(callOptions.branch, options)
    repo.checkedNewBranch(name)
    await this.writable('branch').run(this.#createRef(repo.branchRef(name), name, options.from))
    return this.on(name)
  }

  /** By name. */
  branches(filter: RefFilter = {}): Listing<Ref> {
    return this.#refs(repo.branchPrefix, 'branches', filter)
  }

  async renameBranch(name: string, to: string): Promise<void> {
    const journal = this.writable('renameBranch')
    repo.assertUnprotected(name)
    return journal.run(
      repo.renameRef(this.handle, repo.branchRef(name), repo.branchRef(repo.checkedNewBranch(to)), [name, to]),
    )
  }

  async deleteBranch(name: string): Promise<void> {
    const journal = this.writable('deleteBranch')
    repo.assertUnprotected(name)
    return journal.run(repo.deleteRef(this.handle, repo.branchRef(name), name))
  }

  async tag(name: string, options: FromOptions = {}): Promise<Ref> {
    checkOptions(callOptions.tag, options)
    repo.checkedNewTag(name)
    return this.writable('tag').run(this.#createRef(repo.tagRef(name), name, options.from))
  }

  /** By name. */
  tags(filter: RefFilter = {}): Listing<Ref> {
    return this.#refs(repo.tagPrefix, 'tags', filter)
  }

  async deleteTag(name: string): Promise<void> {
    return this.writable('deleteTag').run(repo.deleteRef(this.handle, repo.tagRef(name), name))
  }

  /**
   * What leads from one revision to another.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.set('/a', 1, 'Start')
   * const trial = await repo.branch('trial')
   * await trial.set('/a', 2, 'Two')
   * await repo.diff('main', 'trial') // [{ op: 'change', path: '/a', before: 1, after: 2 }]
   * ```
   */
  async diff(from: repo.Revision, to: repo.Revision, options: DiffOptions = {}): Promise<readonly repo.Change[]> {
    checkOptions(callOptions.diff, options)
    return this.run(this.#diff(from, to, repo.readPath(this.handle, options.below ?? '/')))
  }

  /** The first commit after `good`, up to `bad`, at which the test fails. */
  async bisect(range: BisectRange, test: (at: Snapshot<State>) => boolean | Promise<boolean>): Promise<repo.Commit> {
    checkOptions(callOptions.bisect, range)
    const { journal } = this.handle
    const suspects = await this.run(repo.suspectsOf(this.handle, range.good, range.bad))
    let low = 0
    let high = suspects.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const { id } = await this.run(readCommit(journal, suspects[middle]!))
      if (await test(this.at({ id: hexOfId(id) }))) low = middle + 1
      else high = middle
    }
    return this.run(this.#suspect(await this.run(readCommit(journal, suspects[low]!))))
  }

  /**
   * What is added to the journal, over all branches, as it happens or from a sequence number on.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * const watching = (async () => {
   *   for await (const event of repo.watch({ path: '/a' })) {
   *     console.log(event.kind)
   *     break
   *   }
   * })()
   * await repo.set('/a', 1, 'One')
   * await watching
   * ```
   */
  watch(filter: repo.WatchFilter = {}): AsyncIterable<repo.JournalEvent> {
    return watch(this.handle, filter)
  }

  /** Records whether what a commit expected came true. */
  async observe(commit: repo.Revision, observation: repo.Observation): Promise<void> {
    const journal = this.writable('observe')
    checkOptions(callOptions.observe, observation)
    return journal.run(repo.observe(this.handle, commit, observation))
  }

  /** Records how an intent ended. */
  async resolveIntent(intent: string, resolution: repo.Resolution): Promise<void> {
    const journal = this.writable('resolveIntent')
    checkOptions(callOptions.resolveIntent, resolution)
    return journal.run(repo.resolveIntent(this.handle, intent, resolution))
  }

  /** How often commits with a confidence held, among those that were observed. */
  async calibration(filter: repo.CalibrationFilter = {}): Promise<repo.Calibration> {
    checkOptions(callOptions.calibration, filter)
    return this.run(repo.calibration(this.handle, filter))
  }

  /**
   * The landed commits of all branches that a filter lets through.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.as('agent/scaler').set('/a', 1, { description: 'Scale', confidence: 0.9 })
   * const sure = await repo.query({ agent: 'agent/scaler', confidence: { min: 0.8 } })
   * ```
   */
  query(filter: repo.CommitFilter): Listing<repo.Commit> {
    return commitListing(this.handle, filter, steps => this.run(steps))
  }

  /**
   * A private copy of this branch, as cheap as its name.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   *
   * const repo = await open()
   * await repo.set('/storage', 'local', 'Start')
   * await using nfs = await repo.speculate({ label: 'nfs' })
   * await nfs.set('/storage', 'nfs')
   * await nfs.commit({ description: 'Use NFS', confidence: 0.9 })
   * ```
   */
  async speculate(options: SpeculateOptions = {}): Promise<Speculation<State>> {
    checkOptions(callOptions.speculate, options)
    return this.writable('speculate').run(speculationOn<State>(this.handle, repo.speculate(this.handle, options)))
  }

  /** A speculation that was begun here or elsewhere. */
  async getSpeculation(id: string): Promise<Speculation<State>> {
    return this.run(speculationOn<State>(this.handle, repo.getKnownSpeculation(this.handle, id)))
  }

  /** Lands a speculation by its id. A retry with the same idempotency key gives the first commit again. */
  async commitSpeculation(id: string, why: repo.Why<repo.LandOptions>): Promise<repo.Merged> {
    const journal = this.writable('commitSpeculation')
    if (typeof why !== 'string') checkOptions(callOptions.commitSpeculation, why)
    return this.told(await journal.run(repo.landSpeculation(this.handle, id, why)))
  }

  /** The speculations that are open, of all branches. */
  speculations(): Listing<repo.SpeculationInfo> {
    return speculationsOf(this.handle, steps => this.run(steps))
  }

  /** Speculations side by side: what each changes, and where they disagree. */
  compare(speculations: readonly repo.SpeculationRef[]): Promise<repo.Comparison> {
    return this.run(repo.compareSpeculations(this.handle, speculations))
  }

  /**
   * Intents as a tree, with their commits and how they ended: all of them, or one and those below it.
   *
   * With a `limit`, a page has the tree of so many commits, and the memory of a page does not grow with the history. An
   * intent comes on each page that has commits of it.
   */
  async intentTree(options: repo.IntentTreeOptions = {}): Promise<repo.IntentPage> {
    checkOptions(callOptions.intentTree, options)
    return this.run(repo.intentTree(this.handle, options, checkedLimit(options.limit)))
  }

  /** The newest commits that branches and tags lead to, or those that led to one revision, with lanes to draw them in. */
  async commitGraph(options: CommitGraphOptions = {}): Promise<repo.CommitGraph> {
    checkOptions(callOptions.commitGraph, options)
    return this.run(repo.commitGraph(this.handle, checkedLimit(options.limit), options.from))
  }

  /** Closes the store for all handles of this repository. */
  async close(): Promise<void> {
    const { shared } = this.handle
    if (shared.isClosed) return
    shared.isClosed = true
    for (const end of shared.onClose) end()
    try {
      if (shared.access.refused.size > 0) await this.handle.journal.run(repo.writeRefusals(this.handle, true))
      await shared.signing?.mark?.close()
      await shared.tail?.close()
      await shared.index?.close()
    } catch (error) {
      // What was still to be written belongs to a journal that is gone.
      if (!isStateError(error, 'journal-replaced') && !isStateError(error, 'store-moved')) throw error
    } finally {
      await shared.backend.close()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  *#createRef(ref: string, name: string, from: repo.Revision | undefined): Work<Ref> {
    const commit = yield* this.#createRefAt(ref, name, from)
    return yield* this.#refTo(name, commit, yield* repo.readScopeOf(this.handle))
  }

  *#createRefAt(ref: string, name: string, from: repo.Revision | undefined): Work<StoredCommit> {
    const { handle } = this
    if (from === undefined) {
      if ((yield* this.findView())?.isBlank === true) throw yield* repo.refNotFound(handle, this.branchName)
      return yield* repo.createRefAtHead(handle, ref, name)
    }
    const commit = yield* repo.resolve(handle, from)
    yield* repo.createRef(handle, ref, name, commit.seq)
    return commit
  }

  *#refTo(name: string, commit: StoredCommit, scope: repo.ReadScope | undefined): Work<Ref> {
    const id = yield* repo.findShownId(this.handle, commit, scope?.on([name]))
    return id === undefined ? { name } : { name, id }
  }

  #refs(kind: string, call: 'branches' | 'tags', filter: RefFilter): Listing<Ref> {
    const prefix = kind + (filter.prefix ?? '')
    const read = (after: string, limit: number): Promise<ListedPart<Ref>> =>
      this.run(this.#readRefs(prefix, kind, after, limit))
    return partedListing(read, ({ name }) => name, callOptions[call], filter)
  }

  *#readRefs(prefix: string, kind: string, after: string, limit: number): Work<ListedPart<Ref>> {
    const { handle } = this
    const scope = yield* repo.readScopeOf(handle)
    const items: Ref[] = []
    const cells = yield* repo.listRefs(prefix, { after: kind + after, limit })
    for (const { name: ref, seq } of cells) {
      const name = ref.slice(kind.length)
      if (scope?.on([name]).isBlank === true) continue
      items.push(yield* this.#refTo(name, yield* readCommit(handle.journal, seq), scope))
    }
    return { items, next: cells.length < limit ? undefined : cells.at(-1)!.name.slice(kind.length) }
  }

  *#diff(from: repo.Revision, to: repo.Revision, below: readonly string[]): Work<readonly repo.Change[]> {
    const { context } = this.handle.journal
    const [before, after] = [yield* this.#side(from, below), yield* this.#side(to, below)]
    return yield* repo.changesFrom(context, yield* diff(context, before, after, below))
  }

  /** What is at a path of a revision, as far as it may be read. */
  *#side(revision: repo.Revision, path: readonly string[]): Work<Child | undefined> {
    const { commit, names } = yield* repo.locate(this.handle, revision)
    const view = (yield* repo.readScopeOf(this.handle))?.on(names)
    yield* repo.assertReadable(this.handle, view, path)
    return yield* repo.readableAt(this.handle.journal.context, commit, path, view)
  }

  *#suspect(commit: StoredCommit): Work<repo.Commit> {
    return yield* repo.commitFrom(this.handle.journal, commit, yield* repo.branchScopeOfCommit(this.handle, commit))
  }
}
