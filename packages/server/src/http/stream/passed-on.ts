/** The stream of a mount or of the worker thread, passed on: its end is noticed, and a reader that does not read is cut. */
import type { Answer } from '../exchange/answer.ts'
import { abort, breakOff, type Controller, stalledLingerMs } from './break-off.ts'
import { isLines } from './line-response.ts'
import type { StreamOptions } from './options.ts'
import { readerOf } from './reader.ts'

interface Options extends Pick<StreamOptions, 'stallTimeoutMs' | 'onEnd' | 'cut'> {
  /** Aborts when the stream can no longer come to its end. */
  readonly gone?: AbortSignal | undefined
}

/** Calls `onEnd` once, when the response is over; at once when it is no stream. */
export function passedOn(answer: Answer, { stallTimeoutMs, onEnd, cut, gone }: Options): Answer {
  const { status, headers } = answer
  const areEvents = headers['content-type']?.startsWith('text/event-stream') === true
  if (!(answer.body instanceof ReadableStream && (areEvents || isLines(answer)))) {
    onEnd()
    return answer
  }
  const source = answer.body.getReader()
  const reader = readerOf(stallTimeoutMs)
  let isOver = false
  let onGone = (): void => {}

  function leave(): void {
    if (isOver) return
    isOver = true
    reader.asks()
    gone?.removeEventListener('abort', onGone)
    source.cancel().catch(() => undefined)
    onEnd()
  }

  function giveUp(controller: Controller, error: Error): void {
    leave()
    if (areEvents) breakOff(controller, error, stalledLingerMs, cut)
    else abort(controller, error, cut)
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      onGone = () => giveUp(controller, new Error('The stream cannot go on.'))
      if (gone?.aborted === true) onGone()
      else gone?.addEventListener('abort', onGone)
    },
    async pull(controller) {
      reader.asks()
      try {
        const { done, value } = await source.read()
        if (isOver) return
        if (!done) {
          controller.enqueue(value)
          reader.isSent(error => giveUp(controller, error))
          return
        }
        leave()
        controller.close()
      } catch (error) {
        if (isOver) return
        leave()
        abort(controller, error, cut)
      }
    },
    cancel: leave,
  })
  return { status, headers, body }
}
