/** The reader of a stream as its writer knows it: it asks for more in time, or it has stalled. */
import { serverError } from '../../wire/errors.ts'

export interface Reader {
  /** The reader has taken everything and asks for more. */
  asks(): void
  /** Something was sent; `onStall` is called when the reader does not ask for more in time. */
  isSent(onStall: (error: Error) => void): void
  /** Whether it has taken everything that was sent. */
  isWaiting(): boolean
}

export function readerOf(timeoutMs: number): Reader {
  let timer: NodeJS.Timeout | undefined
  return {
    asks() {
      clearTimeout(timer)
      timer = undefined
    },
    isSent(onStall) {
      timer = setTimeout(() => onStall(serverError('reader-stalled', { timeoutMs })), timeoutMs).unref()
    },
    isWaiting: () => timer === undefined,
  }
}
