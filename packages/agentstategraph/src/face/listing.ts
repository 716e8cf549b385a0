/**
 * Listings: `await` one for an array, `for await` it to walk it, `page` it for a user interface.
 *
 * Nothing is read before somebody asks. A page's cursor says where to go on, whatever was written meanwhile.
 */

import { storeError } from '../store/index.ts'

export interface Listing<T> extends Promise<readonly T[]>, AsyncIterable<T> {
  page(options: { limit: number; after?: string | undefined }): Promise<Page<T>>
  count(): Promise<number>
}

export interface Page<T> {
  readonly items: readonly T[]
  /** The cursor of the next page; absent on the last. */
  readonly next?: string
}

/** A walk that can be left and taken up again. */
export interface Walker<T> {
  next(): Promise<T | undefined>
  /** Where to go on after the last item. */
  cursor(): string
}

/** Starts a walk, at the beginning or after a cursor. */
export type Start<T> = (after: string | undefined) => Promise<Walker<T>>

export function listing<T>(start: Start<T>): Listing<T> {
  return new LazyListing(start)
}

/** The error for a cursor that no page gave. */
export function badCursor(cursor: string): Error {
  const reason = `"${cursor}" is not one that a page of this listing gave`
  return storeError('info-invalid', { field: 'cursor', reason })
}

/** A listing of things that are at hand all at once; their places are its cursors. */
export function listingOf<T>(all: () => Promise<readonly T[]>): Listing<T> {
  return listing(async after => {
    const items = await all()
    if (after !== undefined && !/^\d+$/.test(after)) throw badCursor(after)
    let at = after === undefined ? 0 : Number(after)
    return { next: async () => items[at++], cursor: () => String(at) }
  })
}

class LazyListing<T> implements Listing<T> {
  readonly [Symbol.toStringTag] = 'Listing'
  readonly #start: Start<T>
  #all: Promise<readonly T[]> | undefined

  constructor(start: Start<T>) {
    this.#start = start
  }

  then<A = readonly T[], B = never>(
    onFulfilled?: ((items: readonly T[]) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#all ??= this.#collect()
    return this.#all.then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<readonly T[] | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<readonly T[]> {
    return this.then().finally(onFinally)
  }

  async #collect(): Promise<readonly T[]> {
    const items: T[] = []
    for await (const item of this) items.push(item)
    return items
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const walker = await this.#start(undefined)
    for (let item = await walker.next(); item !== undefined; item = await walker.next()) yield item
  }

  async page({ limit, after }: { limit: number; after?: string | undefined }): Promise<Page<T>> {
    const walker = await this.#start(after)
    const items: T[] = []
    while (items.length < limit) {
      const item = await walker.next()
      if (item === undefined) return { items }
      items.push(item)
    }
    const next = walker.cursor()
    // Looking one ahead tells whether this was the last page.
    return (await walker.next()) === undefined ? { items } : { items, next }
  }

  async count(): Promise<number> {
    let count = 0
    for await (const _ of this) count++
    return count
  }
}
