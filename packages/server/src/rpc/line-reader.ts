/**
 * The lines of a pipe, one by one, as fast as they are taken.
 *
 * A line that is too long is dropped up to its end, and told by its length. What is after the last line end is no line: the writer
 * died before it was complete.
 */
import type { Readable } from 'node:stream'

const NEW_LINE = 0x0a

export interface LineTaker {
  /** Whether the next line may come now. */
  readonly isReady: () => boolean
  readonly onLine: (line: string, bytes: number) => void
  readonly onTooLong: () => void
  readonly onEnd: () => void
}

export interface LineReader {
  /** Called when the taker may have become ready. */
  resume(): void
  stop(): void
}

export function readLines(input: Readable, most: number, taker: LineTaker): LineReader {
  // The beginning of the line that is not complete, and the blocks behind it that were not looked at yet.
  let begun: Buffer[] = []
  let begunBytes = 0
  let isDropping = false
  let rest: Buffer | undefined
  let hasEnded = false
  let isStopped = false

  function add(part: Buffer): void {
    if (isDropping || part.length === 0) return
    begunBytes += part.length
    if (begunBytes <= most) {
      begun.push(part)
      return
    }
    isDropping = true
    begun = []
  }

  function complete(): void {
    const [parts, bytes, isDropped] = [begun, begunBytes, isDropping]
    begun = []
    begunBytes = 0
    isDropping = false
    if (isDropped) taker.onTooLong()
    else if (bytes > 0) taker.onLine((parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8'), bytes)
  }

  function take(): void {
    while (rest !== undefined && !isStopped) {
      if (!taker.isReady()) {
        input.pause()
        return
      }
      const at = rest.indexOf(NEW_LINE)
      if (at < 0) {
        add(rest)
        rest = undefined
        break
      }
      add(rest.subarray(0, at))
      rest = at + 1 < rest.length ? rest.subarray(at + 1) : undefined
      complete()
    }
    if (isStopped) return
    if (hasEnded) {
      isStopped = true
      taker.onEnd()
    } else if (input.isPaused()) input.resume()
  }

  function onEnd(): void {
    hasEnded = true
    if (rest === undefined) take()
  }

  input.on('data', (block: Buffer) => {
    rest = rest === undefined ? block : Buffer.concat([rest, block])
    take()
  })
  input.once('end', onEnd)
  input.once('close', onEnd)
  input.once('error', onEnd)

  return {
    resume() {
      if (rest !== undefined) take()
    },
    stop() {
      isStopped = true
      input.pause()
    },
  }
}
