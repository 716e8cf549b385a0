/**
 * Listings: `await` one for an array, `for await` it to walk it, `page` it for a user interface.
 *
 * Nothing is read before the first item is asked for. A page's cursor names the last item that was given, and what it was read from where
 * that can change, never a position: with writes between two pages, an item that is there all the time comes exactly once.
 *
 * One rule for every `limit`: a whole number of 0 or more, or Infinity. It is the limit of the whole listing, over all pages.
 */

import { checkOptions, coreError, type Options, optionsOf } from '../core/index.ts'

/** A listing: `await` it for an array, `for await` it to walk it, `page` it for a user interface. */
export interface Listing<T> extends Promise<readonly T[]>, AsyncIterable<T> {
  /** At most `limit` items, one or more, after a cursor that another page of the same listing gave. */
  page(options: PageOptions): Promise<Page<T>>
  count(): Promise<number>
}

/** Options of `page`: how many items, and after which cursor. */
export interface PageOptions {
  limit: number
  after?: string | undefined
}

/** One page of a listing. */
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

interface Limited {
  readonly limit?: number | undefined
}

/** A listing. What it was asked with is checked when it is first read; `limit` among it ends the walk. */
export function listing<T, O extends object = object>(start: Start<T>, call?: Options<O>, given?: O): Listing<T> {
  return new LazyListing(async after => {
    if (call !== undefined) checkOptions(call, given)
    const limit = checkedLimit((given as Limited | undefined)?.limit)
    const [count, inner] = after === undefined ? [0, undefined] : splitCursor(after)
    return limited(await start(inner), count, limit)
  })
}

/** How the items of a listing that is at hand are ordered: by keys that do not change as long as the item is there. */
export interface KeyOrder<T> {
  key(item: T): string
  /** By text unless given. */
  compare?(a: string, b: string): number
}

/** A listing of things that are at hand all at once, in the order of their keys. */
export function keyedListing<T, O extends object = object>(
  all: () => Promise<readonly T[]>,
  { key, compare = compareTexts }: KeyOrder<T>,
  call?: Options<O>,
  given?: O,
): Listing<T> {
  const start: Start<T> = async after => {
    const sorted = [...(await all())].sort((a, b) => compare(key(a), key(b)))
    const items = after === undefined ? sorted : sorted.filter(item => compare(key(item), after) > 0)
    let at = 0
    let last = after ?? ''
    return {
      async next() {
        const item = items[at++]
        if (item !== undefined) last = key(item)
        return item
      },
      cursor: () => last,
    }
  }
  return listing(start, call, given)
}

/** How many items of a listing are read at once: each read costs a turn of the event loop. */
const ITEMS_TOGETHER = 32

/** Some items after a key, in order, and the key to go on after; none when there are no more. */
export interface ListedPart<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
}

/** A listing of things that are read a few at a time, in the order of their keys. */
export function partedListing<T, O extends object = object>(
  read: (after: string, limit: number) => Promise<ListedPart<T>>,
  key: (item: T) => string,
  call?: Options<O>,
  given?: O,
): Listing<T> {
  const start: Start<T> = async (after = '') => {
    let next: string | undefined = after
    let waiting: T[] = []
    let last = after
    return {
      async next() {
        while (waiting.length === 0 && next !== undefined) {
          const part: ListedPart<T> = await read(next, ITEMS_TOGETHER)
          waiting = part.items.toReversed()
          next = part.next
        }
        const item = waiting.pop()
        if (item !== undefined) last = key(item)
        return item
      },
      cursor: () => last,
    }
  }
  return listing(start, call, given)
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Gives a limit back, Infinity when there is none, or says why it is none. */
export function checkedLimit(limit: number | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY
  if ((Number.isSafeInteger(limit) && limit >= 0) || limit === Number.POSITIVE_INFINITY) return limit
  throw coreError('option-invalid', { field: 'limit', reason: `${String(limit)} is not a whole number of 0 or more` })
}

/** The error for a cursor that no page gave. */
export function badCursor(cursor: string): Error {
  const reason = `"${cursor}" is not one that a page of this listing gave`
  return coreError('option-invalid', { field: 'cursor', reason })
}

/** Ends a walk at a limit. A cursor also says how many items were given before it. */
function limited<T>(walker: Walker<T>, given: number, limit: number): Walker<T> {
  let count = given
  return {
    async next() {
      const item = count < limit ? await walker.next() : undefined
      if (item !== undefined) count++
      return item
    },
    cursor: () => `${count}:${walker.cursor()}`,
  }
}

function splitCursor(cursor: string): readonly [count: number, inner: string] {
  const [, count, inner] = /^(\d{1,15}):(.*)$/s.exec(String(cursor)) ?? []
  if (count === undefined || inner === undefined) throw badCursor(String(cursor))
  return [Number(count), inner]
}

const pageOptions = optionsOf<PageOptions>('page', { limit: true, after: true })

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
    // `await` calls `then` without a caller on the stack. One tick later the caller waits, and is in the stack of an error.
    await undefined
    const items: T[] = []
    for await (const item of this) items.push(item)
    return items
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const walker = await this.#start(undefined)
    for (let item = await walker.next(); item !== undefined; item = await walker.next()) yield item
  }

  async page(options: PageOptions): Promise<Page<T>> {
    checkOptions(pageOptions, options)
    const limit = checkedLimit(options.limit)
    if (limit === 0) throw coreError('option-invalid', { field: 'limit', reason: 'a page has one item or more' })
    const walker = await this.#start(options.after)
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
