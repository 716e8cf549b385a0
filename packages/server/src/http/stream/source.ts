/** The items of a stream, which end once: when they are over, when the reader leaves, or when the stream is cut. */
import type { StreamOptions } from './options.ts'

export type Step = IteratorResult<unknown, unknown>

export interface Source {
  next(): Promise<Step>
  /** Asks the items to end. */
  stop(): void
  /** Ends the stream for its source. */
  end(): void
  isOver(): boolean
}

export function sourceOf(
  items: AsyncIterable<unknown>,
  { leave, onEnd }: Pick<StreamOptions, 'leave' | 'onEnd'>,
): Source {
  const iterator = items[Symbol.asyncIterator]()
  let isOver = false
  return {
    next: () => iterator.next(),
    stop: () => leave.abort(),
    end() {
      if (isOver) return
      isOver = true
      leave.abort()
      iterator.return?.()?.catch(() => undefined)
      onEnd()
    },
    isOver: () => isOver,
  }
}
