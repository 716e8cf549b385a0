/** The events of a mount, passed on: their end is noticed, and a reader that does not read is cut. */
import { breakOff, stalledLingerMs } from './break-off.ts'
import type { StreamOptions } from './options.ts'
import { readerOf } from './reader.ts'

type Options = Pick<StreamOptions, 'stallTimeoutMs' | 'onEnd' | 'cut'>

/** Calls `onEnd` once, when the response is over; at once when it is no stream of events. */
export function passedOn(response: Response, { stallTimeoutMs, onEnd, cut }: Options): Response {
  if (response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    onEnd()
    return response
  }
  const source = response.body.getReader()
  const reader = readerOf(stallTimeoutMs)
  function leave(): void {
    reader.asks()
    source.cancel().catch(() => undefined)
    onEnd()
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      reader.asks()
      const { done, value } = await source.read()
      if (done) {
        onEnd()
        controller.close()
        return
      }
      controller.enqueue(value)
      reader.isSent(error => {
        leave()
        breakOff(controller, error, stalledLingerMs, cut)
      })
    },
    cancel: leave,
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
