/// <reference lib="esnext.disposable" preserve="true" />

/** Speculations as users hold them: a private copy of a branch, free to make, free to drop. */

import { checkOptions, type Path } from '../core/index.ts'
import * as repo from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { callOptions } from './call-options.ts'
import { type Listing, listing } from './listing.ts'
import type { KnownPath, PathOf, ValueAt } from './path-types.ts'
import { Reader } from './reader.ts'

/** A private copy of a branch. Leaving its scope discards it unless it was committed. */
export interface Speculation<State = unknown>
  extends repo.SpeculationInfo,
    Pick<Reader<State>, 'get' | 'find' | 'has' | 'list'>,
    AsyncDisposable {
  set<const P extends Path = PathOf<State>>(
    path: KnownPath<State, P>,
    value: ValueAt<State, P>,
    why?: repo.DraftWhy,
  ): Promise<void>
  delete(path: PathOf<State>, why?: repo.DraftWhy): Promise<void>
  /** What it changes, against where it began. */
  changes(): Promise<readonly repo.Change[]>
  /** Merges it into the branch it came from, however far that has moved. */
  commit(why: repo.Why<repo.LandOptions>): Promise<repo.Merged>
  discard(): Promise<void>
}

/** The handle of an open speculation, on the branch it came from. */
export function* speculationOn<State>(
  handle: repo.Handle,
  opening: Work<repo.OpenSpeculation>,
): Work<Speculation<State>> {
  const open = yield* opening
  const info = yield* repo.speculationInfo(handle, open)
  return new HeldSpeculation<State>({ ...handle, branch: open.body.branch }, info, open.at)
}

/** The open speculations, sorted by id; the last id seen is the cursor. */
export function speculationsOf(
  handle: repo.Handle,
  run: <T>(steps: Work<T>) => Promise<T>,
): Listing<repo.SpeculationInfo> {
  return listing(async after => {
    let read: repo.SpeculationRange = { found: [], next: after ?? '' }
    let count = FIRST_READ
    let given = 0
    let last = after ?? ''
    return {
      async next() {
        while (given === read.found.length && read.next !== undefined) {
          read = await run(repo.listSpeculations(handle, read.next, count))
          count *= READ_GROWTH
          given = 0
        }
        const info = read.found[given]
        if (info === undefined) return undefined
        given++
        last = info.id
        return info
      },
      cursor: () => last,
    }
  })
}

/** A page reads few, and a walk over all of them reads them in a few calls. */
const FIRST_READ = 64
const READ_GROWTH = 16

class HeldSpeculation<State> extends Reader<State> implements Speculation<State> {
  readonly id: string
  readonly label?: string
  readonly base?: string
  readonly branchName: string
  readonly expires?: string
  /** How it ended by this handle; what others did with it is in the journal. */
  #end: repo.SpeculationEnd | undefined
  /** Where its ref is, unless others move it; undefined after a write by this handle. */
  #at: number | undefined

  constructor(handle: repo.Handle, { id, label, base, branchName, expires }: repo.SpeculationInfo, at: number) {
    super(handle)
    this.#at = at
    this.id = id
    if (label !== undefined) this.label = label
    if (base !== undefined) this.base = base
    this.branchName = branchName
    if (expires !== undefined) this.expires = expires
  }

  protected override findCommit(): Work<StoredCommit> {
    return this.getCommit()
  }

  protected override *getCommit(): Work<StoredCommit> {
    const view = yield* this.findView()
    if (view?.isBlank === true) yield* repo.assertReadable(this.handle, view, [])
    return (yield* this.#open()).head
  }

  set<const P extends Path = PathOf<State>>(
    path: KnownPath<State, P>,
    value: ValueAt<State, P>,
    why?: repo.DraftWhy,
  ): Promise<void> {
    const { handle, id } = this
    return this.#edit('set', why, function* (): Work<void> {
      yield* repo.editSpeculation(handle, id, [yield* repo.pausedSetEdit(handle, path as Path, value)], why)
    })
  }

  delete(path: PathOf<State>, why?: repo.DraftWhy): Promise<void> {
    const { handle, id } = this
    return this.#edit('delete', why, () => repo.editSpeculation(handle, id, [repo.deleteEdit(handle, path)], why))
  }

  changes(): Promise<readonly repo.Change[]> {
    return this.run(this.#changes())
  }

  async commit(why: repo.Why<repo.LandOptions>): Promise<repo.Merged> {
    if (typeof why !== 'string') checkOptions(callOptions.landSpeculation, why)
    const isRetry = typeof why !== 'string' && why.idempotencyKey !== undefined
    if (!isRetry) this.#assertOpen()
    const merged = await this.#write('commit', () => repo.landSpeculation(this.handle, this.id, why))
    this.#end = 'committed'
    return repo.receipted(this.handle, merged)
  }

  async discard(): Promise<void> {
    this.#assertOpen()
    // One that expires has to be looked at: it may have expired.
    const at = this.expires === undefined ? this.#at : undefined
    await this.#write('discard', () => repo.discardSpeculation(this.handle, this.id, at))
    this.#end = 'discarded'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { isClosed, isReadOnly } = this.handle.shared
    if (this.#end !== undefined || isClosed || isReadOnly) return
    await this.run(repo.dropSpeculation(this.handle, this.id, 'discarded', this.#at))
    this.#end = 'discarded'
  }

  *#changes(): Work<readonly repo.Change[]> {
    return yield* repo.changesOf(this.handle, yield* this.#open())
  }

  *#open(): Work<repo.OpenSpeculation> {
    this.#assertOpen()
    return yield* repo.getSpeculation(this.handle, this.id)
  }

  /** One edit; what is wrong with its arguments rejects as well. */
  async #edit(operation: 'set' | 'delete', why: repo.DraftWhy | undefined, steps: () => Work<unknown>): Promise<void> {
    if (typeof why !== 'string') checkOptions(callOptions.editSpeculation, why)
    this.#assertOpen()
    this.#at = undefined
    await this.#write(operation, steps)
  }

  async #write<T>(operation: string, steps: () => Work<T>): Promise<T> {
    repo.assertWritable(this.handle.shared, `${operation} in a speculation`)
    return this.run(steps())
  }

  #assertOpen(): void {
    if (this.#end !== undefined) throw repo.repoError('speculation-gone', { id: this.id, status: this.#end })
  }
}
