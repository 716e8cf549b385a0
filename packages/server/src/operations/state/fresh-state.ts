/**
 * A store before its first write. The branch `main` has no commit, and reading it is no mistake: what is there is empty.
 *
 * A caller that may see no ref at all gets the same answer, so that it does not learn whether there is one.
 */
import { isStateError } from 'agentstategraph'
import { repoError } from 'agentstategraph/internal'
import { z } from 'zod'
import { pageOf, type WirePage } from '../../wire/page.ts'
import type { Where } from './state-at.ts'

const MAIN = 'main'

const hint = 'Nothing is written yet: the first set or commit creates the branch main.'

/** Field of what is read where nothing may be written yet. */
export const freshFields = { hint: z.string().optional().describe('What to do where nothing is written yet') }

/** A page of what is read at a ref, which may have no commit yet. */
export function pageAtOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).extend(freshFields)
}

export function isRoot(path: string): boolean {
  return path === '' || path === '/'
}

function isFresh(error: unknown, { ref, as_of }: Where): boolean {
  return (
    isStateError(error, 'ref-not-found') &&
    ref === MAIN &&
    as_of === undefined &&
    (error.data as { readonly known: readonly string[] }).known.length === 0
  )
}

/** What is read, or what stands for it before the first write. */
export async function orFresh<T>(reading: Promise<T>, where: Where, fresh: (hint: string) => T): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (isFresh(error, where)) return fresh(hint)
    throw error
  }
}

export function pageOrFresh<Item>(
  reading: Promise<WirePage<Item>>,
  where: Where,
): Promise<WirePage<Item> & { readonly hint?: string }> {
  return orFresh<WirePage<Item> & { readonly hint?: string }>(reading, where, why => ({ items: [], hint: why }))
}

/** The same for one place: nothing is at it. */
export function placeOrFresh<T>(reading: Promise<T>, where: Where, path: string): Promise<T> {
  return orFresh(reading, where, () => {
    throw repoError('path-not-found', { path, at: `${MAIN}, which has no commit yet` })
  })
}
