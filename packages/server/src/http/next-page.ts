/** The address of the next page of a listing, for answers that say where they stopped. */
import type { Operation } from '../operations/operation.ts'

export function nextPageLink({ route, input }: Operation, url: URL, result: unknown): string | undefined {
  const { next_cursor: cursor } = (result ?? {}) as { readonly next_cursor?: unknown }
  if (typeof cursor !== 'string' || !route.startsWith('GET ') || !Object.hasOwn(input.shape, 'cursor')) return undefined
  const next = new URLSearchParams(url.searchParams)
  next.set('cursor', cursor)
  return `<${url.pathname}?${next}>; rel="next"`
}
