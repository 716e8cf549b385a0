/** Listings as the wire carries them: a page, and the cursor of the next. */
import type { Listing } from 'agentstategraph'
import { storeError } from 'agentstategraph/store'
import { z } from 'zod'

const MOST_ITEMS = 1000

const cursor = z.string().max(10_000).optional().describe('The next_cursor of the page before')

/** How many items, and after which. */
export function pageFields(limit: number) {
  return {
    limit: z.number().int().min(1).max(MOST_ITEMS).default(limit).describe('How many at most'),
    cursor,
  }
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    next_cursor: z.string().optional().describe('Give it as cursor for the next page; absent on the last'),
  })
}

export interface WirePage<Item> {
  items: Item[]
  next_cursor?: string | undefined
}

export async function wirePage<T, Item>(
  listing: Listing<T>,
  { limit, cursor: after }: { readonly limit: number; readonly cursor?: string | undefined },
  wire: (item: T) => Item,
): Promise<WirePage<Item>> {
  const { items, next } = await listing.page({ limit, after })
  return { items: items.map(wire), ...(next === undefined ? {} : { next_cursor: next }) }
}

/** A page of things that are at hand all at once; their places are its cursors. */
export function pageIn<Item>(
  all: readonly Item[],
  { limit, cursor: after = '0' }: { readonly limit: number; readonly cursor?: string | undefined },
): WirePage<Item> {
  const from = placeOf(after)
  const items = all.slice(from, from + limit)
  return { items, ...(from + limit < all.length ? { next_cursor: String(from + limit) } : {}) }
}

/** The place that a cursor of a listing at hand stands for. */
export function placeOf(cursor: string): number {
  if (/^\d+$/.test(cursor)) return Number(cursor)
  const reason = `"${cursor}" is not one that a page of this listing gave`
  throw storeError('info-invalid', { field: 'cursor', reason })
}
