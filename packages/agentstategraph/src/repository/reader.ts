/**
 * What can be asked of a state and its history: the part that a branch and a snapshot have in common.
 *
 * A branch is read where it is now; a snapshot is resolved on first use and then does not move.
 */

import { checkOptions, isStateError, type Options, type Path, parseKnownPath } from '../core/index.ts'
import {
  type Ancestry,
  assertFullyReadable,
  assertReadable,
  type Blame,
  type BlameChain,
  type BranchScope,
  blame,
  blameChain,
  blameTree,
  branchScopeOf,
  type Commit,
  type CommitFilter,
  commitFrom,
  type DescribedCommit,
  describeCommit,
  type Entry,
  entryOf,
  type Found,
  filteredLog,
  findShownHead,
  findValue,
  getValue,
  type Handle,
  isAncestor,
  isLeafReadable,
  type PathHistory,
  type PlacesBelow,
  pathHistory,
  placesBelow,
  readableAt,
  readPath,
  refNotFound,
  repoError,
  searchedPlaces,
  stateName,
} from '../repo/index.ts'
import { type Journal, readCommit, type StoredCommit, throwForReader, type Work } from '../store/index.ts'
import type { Child } from '../tree/index.ts'
import {
  type BlameOptions,
  callOptions,
  type HistoryOptions,
  type ListOptions,
  type SearchOptions,
} from './call-options.ts'
import { badCursor, type Listing, listing, type Start } from './listing.ts'
import type { KnownPath, PathOf, ReadValue } from './path-types.ts'
import { type PlaceSource, placeListing, type Steps, type WalkFrom } from './place-listing.ts'

/** What can be read of a state: values, places, differences, blame. Repositories and snapshots are readers. */
export abstract class Reader<State = unknown> {
  /** The handle behind this face; for the functions of the library that take a repository. */
  readonly handle: Handle

  constructor(handle: Handle) {
    this.handle = handle
  }

  /** The commit that is read; undefined on a branch before its first write. */
  protected abstract findCommit(): Work<StoredCommit | undefined>
  /** The commit that is read, or an error that says what does not exist. */
  protected abstract getCommit(): Work<StoredCommit>

  /** What may be read of it; undefined when there are no limits. */
  protected findView(): Work<BranchScope | undefined> {
    return branchScopeOf(this.handle)
  }

  protected run<T>(steps: Work<T>): Promise<T> {
    if (this.handle.shared.isClosed) return Promise.reject(repoError('closed', { what: 'The repository' }))
    const result = this.handle.journal.run(steps)
    return this.handle.identity === undefined ? result : result.catch(throwForReader)
  }

  /**
   * The value at a path. Throws when there is none.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   * const repo = await open()
   * await repo.set('/cluster', { replicas: 3 }, 'Start')
   * await repo.get('/cluster/replicas') // 3
   * ```
   */
  get<T = never, const P extends Path = PathOf<State>>(path: KnownPath<State, P>): Promise<ReadValue<State, P, T>> {
    return this.run(this.valueAt(path as Path)) as Promise<never>
  }

  /** The value at a path, or undefined. */
  find<T = never, const P extends Path = PathOf<State>>(
    path: KnownPath<State, P>,
  ): Promise<ReadValue<State, P, T> | undefined> {
    return this.run(this.#find(path as Path)) as Promise<never>
  }

  has(path: PathOf<State>): Promise<boolean> {
    return this.run(this.#has(path))
  }

  /** What is below a path: one level, or as many as asked. */
  list(path: PathOf<State> = '/', options: ListOptions = {}): Listing<Entry> {
    const { depth = 1 } = options
    return this.#places((at, after) => this.#list(at, path, depth, after), callOptions.list, options)
  }

  /** Where a text occurs in keys or values, ignoring case. */
  search(text: string, options: SearchOptions = {}): Listing<Found> {
    const { below = '/' } = options
    return this.#places((at, after) => this.#search(at, text, below, after), callOptions.search, options)
  }

  /** The newest commit here. */
  head(): Promise<Commit> {
    return this.run(this.headAs(commitFrom))
  }

  /** The newest commit here, with what it changed and on whose authority. */
  describe(): Promise<DescribedCommit> {
    return this.run(this.headAs((_, commit, view) => describeCommit(this.handle, commit, view)))
  }

  /**
   * Commits that led here, newest first.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   * const repo = await open()
   * await repo.set('/a', 1, 'Start')
   * for await (const commit of repo.log({ limit: 10 })) console.log(commit.agent, commit.intent.description)
   * ```
   */
  log(filter: CommitFilter = {}): Listing<Commit> {
    return filter.order === 'oldest' ? this.#oldestFirst(filter) : this.#newestFirst(filter)
  }

  /**
   * The commit that last wrote a path, with the value it wrote.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   * const repo = await open()
   * await repo.as('agent/scaler').set('/replicas', 3, 'Traffic grew')
   * const { agent, intent } = await repo.blame('/replicas')
   * ```
   */
  blame(path: PathOf<State>): Promise<Blame>
  /** The same with what surrounds it: alternatives and their changes, observations, parent intents, what happened next. */
  blame(path: PathOf<State>, options: BlameOptions): Promise<BlameChain>
  async blame(path: PathOf<State>, options?: BlameOptions): Promise<Blame> {
    checkOptions(callOptions.blame, options)
    return this.run(options?.chain === true ? this.#blameChain(path) : this.#blame(path))
  }

  /** The commits that last wrote each value below a path. */
  blameTree(path: PathOf<State> = '/'): Listing<Blame> {
    return this.#places((at, after) => this.#blameTree(at, path, after))
  }

  /**
   * Every write of a path, newest first; a deletion is one, and has no value.
   *
   * @example
   * ```ts
   * import { open } from 'agentstategraph'
   * const repo = await open()
   * await repo.set('/a', 1, 'One')
   * await repo.set('/a', 2, 'Two')
   * const writes = await repo.history('/a') // newest first
   * ```
   */
  history(path: PathOf<State>, options: HistoryOptions = {}): Listing<Blame> {
    const start: Start<Blame> = async after => {
      const steps = await this.run(this.#history(path, after))
      return { next: () => this.run(steps.next()), cursor: () => steps.frontier().join('.') }
    }
    return listing(start, callOptions.history, options)
  }

  #places<T extends { readonly path: string }, O extends object>(
    walkFrom: WalkFrom<T>,
    call?: Options<O>,
    given?: O,
  ): Listing<T> {
    const source: PlaceSource = {
      run: steps => this.run(steps),
      commit: seq => (seq === undefined ? this.findCommit() : this.#commitBehind(seq)),
    }
    return placeListing(source, walkFrom, call, given)
  }

  #newestFirst(filter: CommitFilter): Listing<Commit> {
    const start: Start<Commit> = async after => {
      const steps = await this.run(this.#log(filter, after === undefined ? undefined : splitSeqs(after)))
      return { next: () => this.run(this.#next(steps)), cursor: () => steps.frontier().join('.') }
    }
    return listing(start, callOptions.log, filter)
  }

  /** All that led to the commit with which the listing began, turned round. */
  #oldestFirst(filter: CommitFilter): Listing<Commit> {
    const start: Start<Commit> = async cursor => {
      const [head, after = 0] = cursor === undefined ? [] : splitSeqs(cursor)
      const from = head ?? (await this.run(this.findCommit()))?.seq
      const steps = await this.run(this.#log(filter, from === undefined ? [] : [from]))
      const commits: StoredCommit[] = []
      for (let one = await this.run(steps.next()); one !== undefined; one = await this.run(steps.next())) {
        if (one.seq > after) commits.push(one)
      }
      let last = after
      return {
        next: async () => {
          const commit = commits.pop()
          if (commit === undefined) return undefined
          last = commit.seq
          return this.run(this.#shown(commit))
        },
        cursor: () => `${from ?? 0}.${last}`,
      }
    }
    return listing(start, callOptions.log, filter)
  }

  *#next(steps: Ancestry): Work<Commit | undefined> {
    const commit = yield* steps.next()
    return commit === undefined ? undefined : yield* this.#shown(commit)
  }

  *#shown(commit: StoredCommit): Work<Commit> {
    return yield* commitFrom(this.handle.journal, commit, yield* this.findView())
  }

  *#log(filter: CommitFilter, from: readonly number[] | undefined): Work<Ancestry> {
    const view = yield* this.findView()
    if (from !== undefined) yield* this.#assertBehind(from)
    const head = from === undefined ? yield* this.findCommit() : undefined
    return yield* filteredLog(this.handle, from ?? (head === undefined ? [] : [head.seq]), filter, view)
  }

  /** The commit that a cursor names. */
  *#commitBehind(seq: number): Work<StoredCommit> {
    yield* this.#assertBehind([seq])
    try {
      return yield* readCommit(this.handle.journal, seq)
    } catch (error) {
      if (isStateError(error, 'entry-not-found')) throw badCursor(String(seq))
      throw error
    }
  }

  /** A cursor comes from the caller, and must not lead those whose reading is limited to where this branch does not. */
  *#assertBehind(from: readonly number[]): Work<void> {
    if ((yield* this.findView()) === undefined) return
    const { journal } = this.handle
    const head = yield* this.findCommit()
    for (const seq of from) {
      const isBehind =
        head !== undefined && seq <= head.seq && (yield* isAncestor(this.handle, yield* readCommit(journal, seq), head))
      if (!isBehind) throw badCursor(String(seq))
    }
  }

  /** The place that a caller wants to read, and what may be read of it. */
  *#place(path: Path): Work<{ readonly segments: readonly string[]; readonly view: BranchScope | undefined }> {
    const segments = readPath(this.handle, path)
    const view = yield* this.findView()
    // Where nothing may be read, the branch itself is unknown, and that is what is said.
    if (view?.isBlank !== true) yield* assertReadable(this.handle, view, segments)
    return { segments, view }
  }

  protected *valueAt(path: Path): Work<unknown> {
    const commit = yield* this.getCommit()
    const { segments, view } = yield* this.#place(path)
    return yield* getValue(this.handle.journal.context, commit, segments, stateName(commit, view), view)
  }

  *#find(path: Path): Work<unknown> {
    const { segments, view } = yield* this.#place(path)
    const commit = yield* this.findCommit()
    return commit === undefined ? undefined : yield* findValue(this.handle.journal.context, commit, segments, view)
  }

  *#has(path: Path): Work<boolean> {
    return (yield* this.#child(yield* this.findCommit(), path)).child !== undefined
  }

  /** What is at a path of a commit, as far as it may be read. */
  *#child(
    commit: StoredCommit | undefined,
    path: Path,
  ): Work<{ readonly segments: readonly string[]; readonly child: Child | undefined }> {
    const { segments, view } = yield* this.#place(path)
    if (commit === undefined) return { segments, child: undefined }
    return { segments, child: yield* readableAt(this.handle.journal.context, commit, segments, view) }
  }

  /** The places below a path of a commit that may be read. */
  *#below(
    commit: StoredCommit | undefined,
    path: Path,
    depth: number,
    after: readonly string[] | undefined,
  ): Work<PlacesBelow | undefined> {
    const { segments, child } = yield* this.#child(commit, path)
    if (child === undefined) return undefined
    return yield* placesBelow(this.handle.journal.context, child, segments, depth, after)
  }

  *#list(
    commit: StoredCommit | undefined,
    path: Path,
    depth: number,
    after: readonly string[] | undefined,
  ): Work<Steps<Entry>> {
    const places = yield* this.#below(commit, path, depth, after)
    return {
      *next(): Work<Entry | undefined> {
        const place = places === undefined ? undefined : yield* places.next()
        return place === undefined ? undefined : entryOf(place)
      },
    }
  }

  *#search(
    commit: StoredCommit | undefined,
    text: string,
    below: Path,
    after: readonly string[] | undefined,
  ): Work<Steps<Found>> {
    const places = yield* this.#below(commit, below, Number.POSITIVE_INFINITY, after)
    return searchedPlaces(this.handle.journal.context, places, text)
  }

  protected *headAs<T>(shown: (journal: Journal, at: StoredCommit, view: BranchScope | undefined) => Work<T>): Work<T> {
    const view = yield* this.findView()
    const head = yield* this.getCommit()
    const newest = yield* findShownHead(this.handle, head, view)
    if (newest === undefined) throw yield* refNotFound(this.handle, this.handle.branch)
    return yield* shown(this.handle.journal, newest, view)
  }

  /** A place that is asked for its writer: others may have written the parts of it that may not be read. */
  *#whole(path: Path): Work<{ at: StoredCommit; segments: readonly string[]; view: BranchScope | undefined }> {
    const at = yield* this.getCommit()
    const { segments, view } = yield* this.#place(path)
    yield* assertFullyReadable(this.handle, view, segments)
    return { at, segments, view }
  }

  *#blame(path: Path): Work<Blame> {
    const { at, segments, view } = yield* this.#whole(path)
    return yield* blame(this.handle, at, segments, view)
  }

  *#blameChain(path: Path): Work<BlameChain> {
    const { at, segments, view } = yield* this.#whole(path)
    return yield* blameChain(this.handle, at, segments, view)
  }

  *#blameTree(commit: StoredCommit | undefined, path: Path, after: readonly string[] | undefined): Work<Steps<Blame>> {
    const at = commit ?? (yield* this.getCommit())
    const { segments, view } = yield* this.#place(path)
    const steps = yield* blameTree(this.handle, at, segments, view, after)
    if (view === undefined) return steps
    return {
      *next(): Work<Blame | undefined> {
        for (;;) {
          const one = yield* steps.next()
          if (one === undefined) return undefined
          if (isLeafReadable(view, parseKnownPath(one.path))) return one
        }
      },
    }
  }

  *#history(path: Path, cursor: string | undefined): Work<PathHistory> {
    const { at, segments, view } = yield* this.#whole(path)
    const from = cursor === undefined ? [at.seq] : splitSeqs(cursor)
    if (cursor !== undefined) yield* this.#assertBehind(from)
    return pathHistory(this.handle, from, segments, view)
  }
}

/** Sequence numbers of commits, joined by dots. */
function splitSeqs(cursor: string): readonly number[] {
  if (!/^(?:\d{1,15}(?:\.\d{1,15})*)?$/.test(cursor)) throw badCursor(cursor)
  return cursor === '' ? [] : cursor.split('.').map(Number)
}
