/**
 * The streams of a connection: their items are notifications.
 *
 * A stream sends as many items as its client asked for, so a client that is slow with one stream holds up nothing else.
 */
import { pacedJson } from '../host/paced-json.ts'
import { serverError } from '../wire/errors.ts'
import type { Fault } from '../wire/faults/fault.ts'
import type { RpcLimits } from './limits.ts'
import { errorOf, notificationText, type RequestId } from './message.ts'

interface OpenStream {
  readonly leave: AbortController
  credit: number
  /** Called when there is credit again, or the stream is left. */
  wake: () => void
}

export interface Streams {
  /** Counts a stream that is about to start; the signal aborts when it is cancelled. */
  begin(id: RequestId): AbortSignal
  /** Sends the items of a stream, then its end. */
  run(id: RequestId, items: AsyncIterable<unknown>): Promise<void>
  /** Forgets a stream that could not start. */
  drop(id: RequestId): void
  more(id: RequestId, items: number): void
  /** False when there is no such stream: it has ended. */
  cancel(id: RequestId): boolean
  /** Ends all streams with an error, so that a part is never taken for the whole. */
  breakOff(): void
}

export function streamsOf(
  limits: RpcLimits,
  send: (text: string) => void,
  faultOf: (error: unknown) => Fault,
): Streams {
  const streams = new Map<RequestId, OpenStream>()
  let isBrokenOff = false

  async function credited(stream: OpenStream): Promise<boolean> {
    while (stream.credit === 0 && !stream.leave.signal.aborted) {
      await new Promise<void>(resolve => {
        stream.wake = resolve
      })
    }
    stream.credit--
    return !stream.leave.signal.aborted
  }

  function cancel(id: RequestId): boolean {
    const stream = streams.get(id)
    stream?.leave.abort()
    stream?.wake()
    return stream !== undefined
  }

  return {
    begin(id) {
      if (streams.size >= limits.streams)
        throw serverError('too-many-at-once', { limit: limits.streams, what: 'streams' })
      const leave = new AbortController()
      streams.set(id, { leave, credit: limits.streamItems, wake: () => {} })
      return leave.signal
    },
    async run(id, items) {
      const stream = streams.get(id)!
      try {
        if (await credited(stream)) {
          for await (const item of items) {
            const text = await pacedJson(item, limits.lineBytes)
            send(`{"jsonrpc":"2.0","method":"item","params":{"id":${JSON.stringify(id)},"item":${text}}}`)
            if (!(await credited(stream))) break
          }
        }
        if (isBrokenOff) throw serverError('shutting-down', {})
        send(notificationText('end', { id }))
      } catch (error) {
        const isLeft = stream.leave.signal.aborted && !isBrokenOff
        send(notificationText('end', isLeft ? { id } : { id, error: errorOf(faultOf(error)) }))
      } finally {
        streams.delete(id)
      }
    },
    drop: id => streams.delete(id),
    more(id, items) {
      const stream = streams.get(id)
      if (stream === undefined) return
      stream.credit += items
      stream.wake()
    },
    cancel,
    breakOff() {
      isBrokenOff = true
      for (const id of streams.keys()) cancel(id)
    },
  }
}
