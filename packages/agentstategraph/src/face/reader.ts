/**
 * What can be asked of a state and its history: the part that a branch and a snapshot have in common.
 *
 * A branch is read where it is now; a snapshot is resolved on first use and then does not move.
 */

import { hexOfId, type Path } from '../core/index.ts'
import {
  type Ancestry,
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
  findChild,
  findValue,
  getValue,
  type Handle,
  listBelow,
  pathHistory,
  readPath,
  repoError,
  searchBelow,
} from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
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
          const { journal } = this.handle
          return this.run(
            (function* (): Work<Commit | undefined> {
              const commit = yield* steps.next()
              return commit === undefined ? undefined : yield* commitFrom(journal, commit)
            })(),
          )
        },
        cursor: () => `${at}:${steps.frontier().join('.')}`,
      }
    })
  }

  *#log(filter: CommitFilter, frontier: string | undefined): Work<Ancestry> {
    if (frontier !== undefined) {
      return yield* filteredLog(this.handle, frontier === '' ? [] : frontier.split('.').map(Number), filter)
    }
    const commit = yield* this.findCommit()
    return yield* filteredLog(this.handle, commit === undefined ? [] : [commit.seq], filter)
  }

  *#get(path: Path): Work<unknown> {
    const commit = yield* this.getCommit()
    return yield* getValue(
      this.handle.journal.context,
      commit,
      readPath(this.handle, path),
      `commit ${hexOfId(commit.id).slice(0, 12)}`,
    )
  }

  *#find(path: Path): Work<unknown> {
    const segments = readPath(this.handle, path)
    const commit = yield* this.findCommit()
    return commit === undefined ? undefined : yield* findValue(this.handle.journal.context, commit, segments)
  }

  *#has(path: Path): Work<boolean> {
    const segments = readPath(this.handle, path)
    const commit = yield* this.findCommit()
    return commit !== undefined && (yield* findChild(this.handle.journal.context, commit, segments)) !== undefined
  }

  *#list(path: Path, depth: number): Work<readonly Entry[]> {
    const segments = readPath(this.handle, path)
    const commit = yield* this.findCommit()
    const from = commit === undefined ? undefined : yield* findChild(this.handle.journal.context, commit, segments)
    return from === undefined ? [] : yield* listBelow(this.handle.journal.context, from, segments, depth)
  }

  *#search(text: string, below: Path, limit: number): Work<readonly { path: string; value: unknown }[]> {
    const segments = readPath(this.handle, below)
    const commit = yield* this.findCommit()
    const from = commit === undefined ? undefined : yield* findChild(this.handle.journal.context, commit, segments)
    return from === undefined ? [] : yield* searchBelow(this.handle.journal.context, from, segments, text, limit)
  }

  *#head(): Work<Commit> {
    return yield* commitFrom(this.handle.journal, yield* this.getCommit())
  }

  *#blame(path: Path): Work<Blame> {
    return yield* blame(this.handle, yield* this.getCommit(), readPath(this.handle, path))
  }

  *#blameChain(path: Path): Work<BlameChain> {
    return yield* blameChain(this.handle, yield* this.getCommit(), readPath(this.handle, path))
  }

  *#blameTree(path: Path): Work<readonly Blame[]> {
    return yield* blameTree(this.handle, yield* this.getCommit(), readPath(this.handle, path))
  }

  *#history(path: Path): Work<{ next(): Work<Blame | undefined> }> {
    return pathHistory(this.handle, yield* this.getCommit(), readPath(this.handle, path))
  }
}

function splitCursor(cursor: string): [number, string] {
  if (!/^\d+:[\d.]*$/.test(cursor)) throw badCursor(cursor)
  const colon = cursor.indexOf(':')
  return [Number(cursor.slice(0, colon)), cursor.slice(colon + 1)]
}
