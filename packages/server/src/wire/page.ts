/** Listings as the wire carries them: a page, and the cursor of the next. */
import type { Listing } from 'agentstategraph'
import { coreError } from 'agentstategraph/internal'
import { z } from 'zod'

const MOST_ITEMS = 1000

const cursor = z.string().max(10_000).optional().describe('The next_cursor of the previous page')

/** The size of a page and where it starts. */
export function pageFields(limit: number) {
  return {
    limit: z.number().int().min(1).max(MOST_ITEMS).default(limit).describe('How many at most'),
    cursor,
  }
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    next_cursor: z.string().optional().describe('Pass it as cursor for the next page; absent on the last one'),
  })
}

export interface WirePage<Item> {
  readonly items: readonly Item[]
  readonly next_cursor?: string | undefined
}

interface PageInput {
  readonly limit: number
  readonly cursor?: string | undefined
}

export async function wirePage<T, Item = T>(
  listing: Listing<T>,
  { limit, cursor: after }: PageInput,
  wire: (item: T) => Item | Promise<Item> = item => item as unknown as Item,
): Promise<WirePage<Item>> {
  const { items, next } = await listing.page({ limit, after })
  const wired: Item[] = []
  for (const item of items) wired.push(await wire(item))
  return { items: wired, ...(next === undefined ? {} : { next_cursor: next }) }
}

/** A page of an array, ordered by a number of each item that never changes. The number of the last item is the cursor. */
export function pageIn<Item>(
  all: readonly Item[],
  numberOf: (item: Item) => number,
  { limit, cursor }: PageInput,
): WirePage<Item> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    const reason = `"${cursor}" is not one that a page of this listing gave`
    throw coreError('option-invalid', { field: 'cursor', reason })
  }
  const after = cursor === undefined ? -1 : Number(cursor)
  const rest = all.filter(item => numberOf(item) > after).sort((a, b) => numberOf(a) - numberOf(b))
  const items = rest.slice(0, limit)
  return { items, ...(rest.length > limit ? { next_cursor: String(numberOf(items.at(-1)!)) } : {}) }
}
