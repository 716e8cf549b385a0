/** A listing that is loaded page by page, and again when the store changes. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Page } from '../source/shapes/state.ts'
import { Answered } from './said.tsx'
import { useAnswer } from './use-answer.ts'

interface PageFields {
  readonly limit: number
  readonly cursor: string | undefined
}

interface ListingProps<T> {
  /** Names what is listed. */
  readonly name: string
  readonly version?: number
  load(page: PageFields, signal: AbortSignal): Promise<Page<T>>
  show(items: readonly T[]): ComponentChildren
  /** What is said when there is nothing. */
  readonly empty?: ComponentChildren
}

const PAGE = 50
const MOST_AT_ONCE = 1000

export function Listing<T>({ name, version = 0, load, show, empty }: ListingProps<T>) {
  const [limit, setLimit] = useState(PAGE)
  const answer = useAnswer(name, signal => loadUpTo(limit, load, signal), version + limit * 1_000_000)
  return (
    <Answered
      answer={answer}
      show={({ items, next_cursor }) => (
        <>
          {items.length === 0 ? empty : show(items)}
          {next_cursor !== undefined && (
            <button type="button" onClick={() => setLimit(limit * 2)}>
              Show more
            </button>
          )}
        </>
      )}
    />
  )
}

async function loadUpTo<T>(limit: number, load: ListingProps<T>['load'], signal: AbortSignal): Promise<Page<T>> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await load({ limit: Math.min(limit - items.length, MOST_AT_ONCE), cursor }, signal)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined && items.length < limit)
  return cursor === undefined ? { items } : { items, next_cursor: cursor }
}
