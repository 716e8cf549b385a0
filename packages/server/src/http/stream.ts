/**
 * Streamed responses: events (SSE) until the caller disconnects, and lines until the end.
 *
 * An item is pulled only when the connection has accepted the previous one, so a slow reader costs no memory. The first item is
 * pulled before the response starts, so a bad request is an ordinary error. A later failure is an event `fault` or, for lines,
 * an aborted connection, so that a part is never taken for the whole.
 */
export interface StreamOptions {
  readonly heartbeatMs: number
  /** Aborted when the reader is gone, to stop the source. */
  readonly leave: AbortController
  /** Called once, when a started stream ends for any reason. */
  readonly onEnd: () => void
  /** Called with the error of a started stream; returns what the caller may see of it. */
  readonly onFault: (error: unknown) => unknown
}

/** The options of one stream with `onEnd` called at most once, and whether its reader is gone. */
interface Going extends StreamOptions {
  hasLeft: boolean
}

type Items = AsyncIterable<unknown>
type Step = IteratorResult<unknown, unknown>

const encoder = new TextEncoder()
const RETRY_MS = 1000

/** `text` for items that are plain lines, such as those of a bundle. */
export const lineTypes = { json: 'application/x-ndjson', text: 'application/jsonl' } as const

export async function lineResponse(items: Items, given: StreamOptions): Promise<Response> {
  const options = going(given)
  const iterator = items[Symbol.asyncIterator]()
  const first = await iterator.next()
  const type = typeof first.value === 'string' ? lineTypes.text : lineTypes.json
  let next: Promise<Step> = Promise.resolve(first)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await next
        if (options.hasLeft) return
        if (done === true) {
          options.onEnd()
          controller.close()
          return
        }
        controller.enqueue(
          encoder.encode(`${typeof value === 'string' ? value.replace(/\n$/, '') : JSON.stringify(value)}\n`),
        )
        next = iterator.next()
        next.catch(() => undefined)
      } catch (error) {
        if (options.hasLeft) return
        options.onFault(error)
        options.onEnd()
        controller.error(error)
      }
    },
    cancel: () => leave(iterator, options),
  })
  return new Response(body, { headers: { 'Content-Type': type } })
}

export async function eventResponse(items: Items, given: StreamOptions): Promise<Response> {
  const options = going(given)
  const iterator = items[Symbol.asyncIterator]()
  let next: Promise<Step> | undefined = iterator.next()
  // Report an immediate error now, but do not wait for the first event.
  await Promise.race([next, new Promise(resolve => setImmediate(resolve))])
  next.catch(() => undefined)
  const body = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
    async pull(controller) {
      const beat = heartbeat(options.heartbeatMs)
      try {
        next ??= iterator.next()
        const step = await Promise.race([next, beat.due])
        if (options.hasLeft) return
        if (step === undefined) return controller.enqueue(encoder.encode(': still here\n\n'))
        next = undefined
        if (step.done !== true) return controller.enqueue(encoder.encode(eventText(step.value)))
      } catch (error) {
        if (options.hasLeft) return
        controller.enqueue(encoder.encode(`event: fault\ndata: ${JSON.stringify(options.onFault(error))}\n\n`))
      } finally {
        beat.stop()
      }
      options.onEnd()
      controller.close()
    },
    cancel: () => leave(iterator, options),
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

function going(options: StreamOptions): Going {
  let isOver = false
  const onEnd = (): void => {
    if (!isOver) options.onEnd()
    isOver = true
  }
  return { ...options, onEnd, hasLeft: false }
}

function leave(iterator: AsyncIterator<unknown>, options: Going): void {
  options.hasLeft = true
  options.leave.abort()
  iterator.return?.()?.catch(() => undefined)
  options.onEnd()
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

function heartbeat(ms: number): { readonly due: Promise<undefined>; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const due = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return { due, stop: () => clearTimeout(timer) }
}
