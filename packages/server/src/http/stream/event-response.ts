/**
 * A response of events (SSE) until the caller disconnects.
 *
 * An event is pulled only when the connection has accepted the previous one, so a slow reader costs no memory. An immediate error
 * of the source is an ordinary error. A later one, a reader that does not read, and the shutdown of the server end the stream with
 * an event `fault`, whose data is a problem.
 */
import { serverError } from '../../wire/errors.ts'
import { faultOf } from '../../wire/faults/fault.ts'
import { problemOf } from '../problem.ts'
import { breakOff, type Controller, endingLingerMs, endWith, stalledLingerMs } from './break-off.ts'
import type { StreamOptions } from './options.ts'
import { type Patience, patienceWith } from './patience.ts'
import { readerOf } from './reader.ts'
import { type Step, sourceOf } from './source.ts'

const encoder = new TextEncoder()
const RETRY_MS = 1000

export async function eventResponse(items: AsyncIterable<unknown>, options: StreamOptions): Promise<Response> {
  const { ending, cut } = options
  const source = sourceOf(items, options)
  const reader = readerOf(options.stallTimeoutMs)
  const first = source.next()
  // Report an immediate error now, but do not wait for the first event.
  await Promise.race([first, new Promise(resolve => setImmediate(resolve))])
  let next: Patience<Step> | undefined = patienceWith(first)
  let onEnding = (): void => {}

  function send(controller: Controller, text: string): void {
    controller.enqueue(encoder.encode(text))
    reader.isSent(error => {
      leave()
      breakOff(controller, error, stalledLingerMs, cut)
    })
  }

  function leave(): void {
    reader.asks()
    ending.removeEventListener('abort', onEnding)
    source.end()
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      onEnding = () => {
        // A reader that waits for an event gets the reason when the source has ended.
        if (reader.isWaiting()) return source.stop()
        leave()
        breakOff(controller, serverError('shutting-down', {}), endingLingerMs, cut)
      }
      if (ending.aborted) source.stop()
      else ending.addEventListener('abort', onEnding)
      send(controller, `retry: ${RETRY_MS}\n\n`)
    },
    async pull(controller) {
      reader.asks()
      try {
        next ??= patienceWith(source.next())
        const step = await next.within(options.heartbeatMs)
        if (source.isOver()) return
        if (step === undefined) return send(controller, ': still here\n\n')
        next = undefined
        if (step.done !== true) return send(controller, eventText(step.value))
        leave()
        if (ending.aborted) endWith(controller, problemOf(faultOf(serverError('shutting-down', {}))))
        else controller.close()
      } catch (error) {
        if (source.isOver()) return
        leave()
        endWith(controller, options.onFault(error))
      }
    },
    cancel: leave,
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

/** The id of an event, after which a client resumes: its cursor, or its sequence number. */
function eventText(item: unknown): string {
  const {
    seq,
    cursor = seq,
    kind,
  } = item as { readonly seq?: unknown; readonly cursor?: unknown; readonly kind?: unknown }
  const id = /^[\d.]+$/.test(String(cursor)) ? `id: ${cursor}\n` : ''
  const event = typeof kind === 'string' && /^[\w-]+$/.test(kind) ? `event: ${kind}\n` : ''
  return `${id}${event}data: ${JSON.stringify(item)}\n\n`
}
