/** A listing that is loaded page by page, and again when the store changes. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Page } from '../source/shapes/state.ts'
import { Answered } from './said.tsx'
import { useAnswer } from './use-answer.ts'

interface ListingProps<T> {
  /** Names what is listed. */
  readonly name: string
  readonly version?: number
  load(limit: number, signal: AbortSignal): Promise<Page<T>>
  show(items: readonly T[]): ComponentChildren
  /** What is said when there is nothing. */
  readonly empty?: ComponentChildren
}

const PAGE = 50

export function Listing<T>({ name, version = 0, load, show, empty }: ListingProps<T>) {
  const [limit, setLimit] = useState(PAGE)
  const answer = useAnswer(name, signal => load(limit, signal), version + limit * 1_000_000)
  return (
    <Answered
      answer={answer}
      show={({ items, next_cursor }) => (
        <>
          {items.length === 0 ? empty : show(items)}
          {next_cursor !== undefined && (
            <button type="button" onClick={() => setLimit(Math.min(limit * 2, 1000))}>
              Show more
            </button>
          )}
        </>
      )}
    />
  )
}
