/**
 * A response of lines until the end.
 *
 * A line is pulled only when the connection has accepted the previous one, so a slow reader costs no memory. The first one is
 * pulled before the response starts, so a bad request is an ordinary error. A later failure and a reader that does not read abort
 * the connection, so that a part is never taken for the whole.
 */
import type { Answer } from '../exchange/answer.ts'
import { abort } from './break-off.ts'
import type { StreamOptions } from './options.ts'
import { readerOf } from './reader.ts'
import { type Step, sourceOf } from './source.ts'

const encoder = new TextEncoder()

/** `text` for items that are plain lines, such as those of a bundle. */
export const lineTypes = { json: 'application/x-ndjson', text: 'application/jsonl' } as const

export function isLines({ headers }: Answer): boolean {
  const type = headers['content-type']
  return type === lineTypes.json || type === lineTypes.text
}

export async function lineResponse(items: AsyncIterable<unknown>, options: StreamOptions): Promise<Response> {
  const source = sourceOf(items, options)
  const reader = readerOf(options.stallTimeoutMs)
  const first = await source.next()
  const type = typeof first.value === 'string' ? lineTypes.text : lineTypes.json
  let next: Promise<Step> = Promise.resolve(first)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      reader.asks()
      try {
        const { done, value } = await next
        if (source.isOver()) return
        if (done === true) {
          source.end()
          controller.close()
          return
        }
        controller.enqueue(encoder.encode(lineText(value)))
        next = source.next()
        next.catch(() => undefined)
        reader.isSent(error => {
          source.end()
          abort(controller, error, options.cut)
        })
      } catch (error) {
        if (source.isOver()) return
        options.onFault(error)
        source.end()
        abort(controller, error, options.cut)
      }
    },
    cancel() {
      reader.asks()
      source.end()
    },
  })
  return new Response(body, { headers: { 'Content-Type': type } })
}

function lineText(item: unknown): string {
  return `${typeof item === 'string' ? item.replace(/\n$/, '') : JSON.stringify(item)}\n`
}
