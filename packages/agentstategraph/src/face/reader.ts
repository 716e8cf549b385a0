/**
 * What can be asked of a state and its history: the part that a branch and a snapshot have in common.
 *
 * A branch is read where it is now; a snapshot is resolved on first use and then does not move.
 */

import { hexOfId, type Path, parseKnownPath } from '../core/index.ts'
import {
  type Ancestry,
  assertAllSeen,
  assertSeen,
  type Blame,
  type BlameChain,
  blame,
  blameChain,
  blameTree,
  type Commit,
  type CommitFilter,
  commitFrom,
  type Entry,
  filteredLog,
  findValue,
  getValue,
  type Handle,
  isAncestor,
  listBelow,
  pathHistory,
  readPath,
  refNotFound,
  repoError,
  searchBelow,
  seenCommit,
  seesLeaf,
  type View,
  viewOf,
  visibleAt,
} from '../repo/index.ts'
import { readCommit, type StoredCommit, type Work } from '../store/index.ts'
import type { Child } from '../tree/index.ts'
import { badCursor, type Listing, listing, listingOf } from './listing.ts'
import type { KnownPath, ValueAt } from './path-types.ts'

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
  protected findView(): Work<View | undefined> {
    return viewOf(this.handle)
  }

  protected run<T>(steps: Work<T>): Promise<T> {
    if (this.handle.shared.isClosed) return Promise.reject(repoError('closed', { what: 'The repository' }))
    return this.handle.journal.run(steps)
  }

  /** The value at a path. Throws when there is none. */
  get<T = never, const P extends Path = Path>(
    path: KnownPath<State, P>,
  ): Promise<[T] extends [never] ? ValueAt<State, P> : NoInfer<T>> {
    return this.run(this.#get(path as Path)) as Promise<never>
  }

  /** The value at a path, or undefined. */
  find<T = never, const P extends Path = Path>(
    path: KnownPath<State, P>,
  ): Promise<([T] extends [never] ? ValueAt<State, P> : NoInfer<T>) | undefined> {
    return this.run(this.#find(path as Path)) as Promise<never>
  }

  has(path: Path): Promise<boolean> {
    return this.run(this.#has(path))
  }

  /** What is below a path: one level, or as many as asked. */
  list(path: Path = '/', options: { depth?: number | undefined } = {}): Listing<Entry> {
    return listingOf(() => this.run(this.#list(path, options.depth ?? 1)))
  }

  /** Where a text occurs in keys or values, ignoring case. */
  search(
    text: string,
    options: { below?: Path | undefined; limit?: number | undefined } = {},
  ): Listing<{ readonly path: string; readonly value: unknown }> {
    const { below = '/', limit = Number.POSITIVE_INFINITY } = options
    return listingOf(() => this.run(this.#search(text, below, limit)))
  }

  /** The newest commit here. */
  head(): Promise<Commit> {
    return this.run(this.#head())
  }

  /** Commits that led here, newest first. */
  log(filter: CommitFilter = {}): Listing<Commit> {
    return this.#walk(filter, after => this.#log(filter, after))
  }

  /** The commit that last wrote a path, with the value it wrote. */
  blame(path: Path): Promise<Blame>
  /** The same with what surrounds it: alternatives and their changes, observations, parent intents, what happened next. */
  blame(path: Path, options: { chain: true }): Promise<BlameChain>
  blame(path: Path, options?: { chain: true }): Promise<Blame> {
    return this.run(options === undefined ? this.#blame(path) : this.#blameChain(path))
  }

  blameTree(path: Path = '/'): Listing<Blame> {
    return listingOf(() => this.run(this.#blameTree(path)))
  }

  /** Every write of a path, newest first. */
  history(path: Path, options: { limit?: number | undefined } = {}): Listing<Blame> {
    return listing(async after => {
      const steps = await this.run(this.#history(path))
      let at = 0
      const limit = options.limit ?? Number.POSITIVE_INFINITY
      const next = async (): Promise<Blame | undefined> => (at++ < limit ? this.run(steps.next()) : undefined)
      for (const start = Number(after ?? 0); at < start; ) await next()
      return { next, cursor: () => String(at) }
    })
  }

  /** A listing of commits that a walk gives; `order` and `limit` are of the whole. */
  #walk(filter: CommitFilter, start: (after: string | undefined) => Work<Ancestry>): Listing<Commit> {
    const { limit = Number.POSITIVE_INFINITY, order } = filter
    if (order === 'oldest') {
      const newest = this.#walk({ ...filter, order: 'newest', limit: undefined }, start)
      return listingOf(async () =>
        (await newest).toReversed().slice(0, limit === Number.POSITIVE_INFINITY ? undefined : limit),
      )
    }
    return listing(async after => {
      const [given, frontier] = after === undefined ? [0, undefined] : splitCursor(after)
      const steps = await this.run(start(frontier))
      let at = given
      return {
        next: async () => {
          if (at >= limit) return undefined
          at++
          return this.run(this.#next(steps))
        },
        cursor: () => `${at}:${steps.frontier().join('.')}`,
      }
    })
  }

  *#next(steps: Ancestry): Work<Commit | undefined> {
    const commit = yield* steps.next()
    if (commit === undefined) return undefined
    return seenCommit(yield* commitFrom(this.handle.journal, commit), yield* this.findView())
  }

  *#log(filter: CommitFilter, frontier: string | undefined): Work<Ancestry> {
    const view = yield* this.findView()
    const commit = yield* this.findCommit()
    const head = commit === undefined ? [] : [commit.seq]
    if (frontier === undefined) return yield* filteredLog(this.handle, head, filter, view)
    const from = frontier === '' ? [] : frontier.split('.').map(Number)
    if (view !== undefined) yield* this.#assertBehind(commit, from)
    return yield* filteredLog(this.handle, from, filter, view)
  }

  /** A cursor comes from the caller, and must not lead to where this log does not. */
  *#assertBehind(head: StoredCommit | undefined, from: readonly number[]): Work<void> {
    const { journal } = this.handle
    for (const seq of from) {
      const isBehind =
        head !== undefined && seq <= head.seq && (yield* isAncestor(this.handle, yield* readCommit(journal, seq), head))
      if (!isBehind) throw badCursor(String(seq))
    }
  }

  /** The place that a caller wants to read, and what may be read of it. */
  *#place(path: Path): Work<{ readonly segments: readonly string[]; readonly view: View | undefined }> {
    const segments = readPath(this.handle, path)
    const view = yield* this.findView()
    // Where nothing may be read, the branch itself is unknown, and that is what is said.
    if (view?.isBlank !== true) yield* assertSeen(this.handle, view, segments)
    return { segments, view }
  }

  *#get(path: Path): Work<unknown> {
    const commit = yield* this.getCommit()
    const { segments, view } = yield* this.#place(path)
    const at = `commit ${hexOfId(commit.id).slice(0, 12)}`
    return yield* getValue(this.handle.journal.context, commit, segments, at, view)
  }

  *#find(path: Path): Work<unknown> {
    const { segments, view } = yield* this.#place(path)
    const commit = yield* this.findCommit()
    return commit === undefined ? undefined : yield* findValue(this.handle.journal.context, commit, segments, view)
  }

  /** What is at a path, as far as it may be read. */
  *#child(path: Path): Work<{ readonly segments: readonly string[]; readonly child: Child | undefined }> {
    const { segments, view } = yield* this.#place(path)
    const commit = yield* this.findCommit()
    if (commit === undefined) return { segments, child: undefined }
    return { segments, child: yield* visibleAt(this.handle.journal.context, commit, segments, view) }
  }

  *#has(path: Path): Work<boolean> {
    return (yield* this.#child(path)).child !== undefined
  }

  *#list(path: Path, depth: number): Work<readonly Entry[]> {
    const { segments, child } = yield* this.#child(path)
    return child === undefined ? [] : yield* listBelow(this.handle.journal.context, child, segments, depth)
  }

  *#search(text: string, below: Path, limit: number): Work<readonly { path: string; value: unknown }[]> {
    const { segments, child } = yield* this.#child(below)
    return child === undefined ? [] : yield* searchBelow(this.handle.journal.context, child, segments, text, limit)
  }

  *#head(): Work<Commit> {
    const view = yield* this.findView()
    const head = yield* this.getCommit()
    if (view === undefined) return yield* commitFrom(this.handle.journal, head)
    const newest = yield* (yield* filteredLog(this.handle, [head.seq], {}, view)).next()
    if (newest === undefined) throw yield* refNotFound(this.handle, this.handle.branch)
    return seenCommit(yield* commitFrom(this.handle.journal, newest), view)
  }

  /** A place that is asked for its writer: others may have written the parts of it that may not be read. */
  *#whole(path: Path): Work<{ at: StoredCommit; segments: readonly string[]; view: View | undefined }> {
    const at = yield* this.getCommit()
    const { segments, view } = yield* this.#place(path)
    yield* assertAllSeen(this.handle, view, segments)
    return { at, segments, view }
  }

  *#blame(path: Path): Work<Blame> {
    const { at, segments, view } = yield* this.#whole(path)
    return seenCommit(yield* blame(this.handle, at, segments), view)
  }

  *#blameChain(path: Path): Work<BlameChain> {
    const { at, segments, view } = yield* this.#whole(path)
    return yield* blameChain(this.handle, at, segments, view)
  }

  *#blameTree(path: Path): Work<readonly Blame[]> {
    const at = yield* this.getCommit()
    const { segments, view } = yield* this.#place(path)
    const all = yield* blameTree(this.handle, at, segments)
    if (view === undefined) return all
    return all.filter(one => seesLeaf(view, parseKnownPath(one.path))).map(one => seenCommit(one, view))
  }

  *#history(path: Path): Work<{ next(): Work<Blame | undefined> }> {
    const { at, segments, view } = yield* this.#whole(path)
    const steps = pathHistory(this.handle, at, segments)
    if (view === undefined) return steps
    return {
      *next(): Work<Blame | undefined> {
        const found = yield* steps.next()
        return found === undefined ? undefined : seenCommit(found, view)
      },
    }
  }
}

function splitCursor(cursor: string): [number, string] {
  if (!/^\d+:[\d.]*$/.test(cursor)) throw badCursor(cursor)
  const colon = cursor.indexOf(':')
  return [Number(cursor.slice(0, colon)), cursor.slice(colon + 1)]
}
