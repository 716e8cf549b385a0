/**
 * What runs in the worker thread of a server: the same calls as in the server itself, with a connection of their own to the store.
 *
 * The server has authenticated the caller, counted the request and read its body. It knows neither sockets nor limits of rate.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openHost, type StoreHost } from '../host/store-host.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type Mount, settingsOf } from './app-options.ts'
import { joined } from './body/read-body.ts'
import { type Call, callsOf } from './call.ts'
import { type Answer, wholeAnswer } from './exchange/answer.ts'
import { newMetrics } from './metrics.ts'
import { noteFault } from './notes.ts'
import { problemAnswer } from './problem.ts'
import type { ForwardedRequest, FromWorker, ToWorker, WorkerOrders } from './worker/messages.ts'

/** A message for each line would cost more than the line. */
const CHUNK_BYTES = 64 * 1024
/** The server cuts a reader that does not read. */
const NEVER_MS = 2 ** 31 - 1

const encoder = new TextEncoder()

const outsideLimits: Call['entered'] = { becomeStream() {}, leave() {} }

/** Makes the mounts of the server again. */
export type MountsOf = (
  host: StoreHost,
  orders: WorkerOrders,
  onUnexpected: (what: string, error: unknown) => void,
) => readonly Mount[]

/** Answers the requests that the server forwards, until it says that there are no more. */
export async function runWorker(mountsOf: MountsOf): Promise<void> {
  const port = parentPort!
  const orders = workerData as WorkerOrders
  const { store, agent, token, limits } = orders
  const host = await openHost(store, { agent, token })
  const send = (message: FromWorker, transferred: readonly (ArrayBuffer | ReadableStream)[] = []): void =>
    port.postMessage(message, transferred as ArrayBuffer[])
  const settings = settingsOf({
    limits: { ...limits, stallTimeoutMs: NEVER_MS },
    log: entry => send({ kind: 'log', entry }),
  })
  const mounts = mountsOf(host, orders, (_, error) => noteFault(settings.log, faultOf(error), error))
  const call = callsOf({ host, settings, metrics: newMetrics(), worker: undefined })

  async function respond({ url, method, headers, body, caller, identity }: ForwardedRequest): Promise<Answer> {
    try {
      const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body: joined(body) }) })
      const { pathname } = new URL(url)
      const mount = mounts.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
      if (mount !== undefined) return await wholeAnswer(await mount.fetch(request, caller))
      const admitted = { caller, identity }
      return await call({
        request,
        url: new URL(url),
        admitted,
        onOperation() {},
        entered: outsideLimits,
        cut: undefined,
      })
    } catch (error) {
      const fault = faultOf(error)
      noteFault(settings.log, fault, error)
      return problemAnswer(fault)
    }
  }

  async function answer(id: number, forwarded: ForwardedRequest): Promise<void> {
    const { status, headers, body } = await respond(forwarded)
    if (body === null) return send({ kind: 'response', id, status, headers, body })
    if (body instanceof ReadableStream) {
      const isEvents = headers['content-type']?.startsWith('text/event-stream') === true
      const stream = isEvents ? body : body.pipeThrough(inChunks())
      return send({ kind: 'response', id, status, headers, body: stream }, [stream])
    }
    const { buffer } = typeof body === 'string' ? new Uint8Array(encoder.encode(body)) : body
    send({ kind: 'response', id, status, headers, body: buffer }, [buffer])
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'request') void answer(message.id, message.request)
    else void host.close().then(() => port.close())
  })
}

/** Joins chunks until there are enough bytes for a message. */
function inChunks(): TransformStream<Uint8Array, Uint8Array> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  const flush = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (bytes > 0) controller.enqueue(Buffer.concat(chunks))
    chunks = []
    bytes = 0
  }
  return new TransformStream({
    transform(chunk, controller) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= CHUNK_BYTES) flush(controller)
    },
    flush,
  })
}
