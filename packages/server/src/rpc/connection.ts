/**
 * One client on one pair of pipes: JSON-RPC 2.0, one message a line.
 *
 * Every operation of the table is a method. Beside them are those of the connection itself: hello, open, close, cancel, more. It
 * treats all operations alike and knows none by name. docs/rpc.md is the protocol.
 */
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import type { CallLimits } from '../host/call-limits.ts'
import { answerText, runLimited } from '../host/limited-run.ts'
import type { Caller } from '../host/store-host.ts'
import type { Operation, OperationContext } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { type Fault, faultOf } from '../wire/faults/fault.ts'
import { Refusal } from '../wire/faults/refusal.ts'
import type { RpcLimits } from './limits.ts'
import { readLines } from './line-reader.ts'
import { writeLines } from './line-writer.ts'
import {
  errorOf,
  errorText,
  findId,
  findIdIn,
  jsonOf,
  type RpcErrorCode,
  type RpcRequest,
  requestOf,
  resultText,
} from './message.ts'
import { DEFAULT_STORE, type OpenStore, storesOf } from './stores.ts'
import { streamsOf } from './streams.ts'

/** The version of the protocol. A change that an older client cannot ignore makes another. */
export const PROTOCOL = 1

export interface RpcOptions {
  readonly input: Readable
  readonly output: Writable
  readonly operations: readonly Operation[]
  readonly limits: RpcLimits
  /** The version of this program. */
  readonly version: string
  /** Called with unexpected errors, under the id that the client gets, and with warnings of the library. */
  readonly onNote: (text: string, error?: unknown) => void
}

export interface RpcConnection {
  /** Resolves when the input has ended, everything accepted is answered, and the stores are closed. */
  readonly closed: Promise<void>
  /** Accepts nothing more. */
  end(): void
}

const helloSchema = z.strictObject({
  protocol: z.number().int().min(1),
  client: z.strictObject({ name: z.string().min(1).max(64), version: z.string().min(1).max(32) }).optional(),
})
const idSchema = z.union([z.string().max(255), z.number().int()])
const cancelSchema = z.strictObject({ id: idSchema })
const moreSchema = z.strictObject({ id: idSchema, items: z.number().int().min(1).max(1_000_000) })
const nothing = z.strictObject({})

type Params = Readonly<Record<string, unknown>>

export function serveRpc(options: RpcOptions): RpcConnection {
  const { limits, onNote } = options
  const operations = new Map(options.operations.map(operation => [operation.name, operation]))
  const stores = storesOf(limits.stores, ({ code, message }) => onNote(`${code}: ${message}`))
  const writer = writeLines(options.output, () => reader.resume())
  const streams = streamsOf(limits, writer.send, noted)
  /** A call of this process fills no thread but its own client's, so only its answer is limited. */
  const callLimits: CallLimits = {
    workMs: Number.POSITIVE_INFINITY,
    maintenanceMs: Number.POSITIVE_INFINITY,
    answerBytes: limits.lineBytes,
  }
  let client: Caller['client']
  let hasAgreed = false
  let underWay = 0
  let heldBytes = 0
  let finish: () => void = () => {}
  const closed = new Promise<void>(resolve => {
    finish = resolve
  })
  let isEnding = false

  const reader = readLines(options.input, limits.lineBytes, {
    isReady: () => underWay < limits.requests && heldBytes < limits.heldBytes && writer.heldBytes() < limits.heldBytes,
    onLine: (line, bytes) => void receive(line, bytes),
    onTooLong: () => writer.send(errorText(null, errorOf(tooLong(limits.lineBytes), 'request'))),
    onEnd: end,
  })

  /** The fault of an error. The details of an unexpected one are noted, and not sent. */
  function noted(error: unknown): Fault {
    const fault = faultOf(error)
    if (fault.code === 'internal') onNote(fault.message, error)
    return fault
  }

  async function receive(line: string, bytes: number): Promise<void> {
    underWay++
    heldBytes += bytes
    try {
      await answer(line)
    } finally {
      underWay--
      heldBytes -= bytes
      reader.resume()
      if (isEnding && underWay === 0) void close()
    }
  }

  async function answer(line: string): Promise<void> {
    let message: unknown
    let stage: RpcErrorCode | undefined = 'parse'
    try {
      message = jsonOf(line)
      stage = 'request'
      const request = requestOf(message)
      stage = undefined
      const result = await resultOf(request)
      if (request.id !== undefined && result !== undefined) writer.send(resultText(request.id, result))
    } catch (error) {
      const id = stage === 'parse' ? findIdIn(line) : findId(message)
      const isNotification = stage === undefined && id === undefined
      if (!isNotification) writer.send(errorText(id ?? null, errorOf(noted(error), stage ?? stageOf(error))))
    }
  }

  /** The text of the result; undefined when it was sent already. */
  async function resultOf(request: RpcRequest): Promise<string | undefined> {
    const { method, params = {}, store = DEFAULT_STORE } = request
    if (method === 'hello') return JSON.stringify(hello(params))
    if (!hasAgreed) throw helloNeeded()
    const operation = operations.get(method)
    if (operation !== undefined) return call(operation, request)
    if (method === 'open') await stores.open(store, params)
    else if (method === 'close') await closeStore(store, params)
    else if (method === 'cancel') return JSON.stringify({ cancelled: streams.cancel(cancelSchema.parse(params).id) })
    else if (method === 'more') {
      const { id, items } = moreSchema.parse(params)
      streams.more(id, items)
    } else throw unknownMethod(method)
    return '{}'
  }

  function hello(params: Params): unknown {
    const asked = helloSchema.parse(params)
    client = asked.client
    hasAgreed = true
    return {
      // The newest protocol that both know.
      protocol: Math.min(PROTOCOL, asked.protocol),
      version: options.version,
      runtime: `node ${process.versions.node}`,
      pid: process.pid,
      limits: {
        line_bytes: limits.lineBytes,
        requests: limits.requests,
        streams: limits.streams,
        stream_items: limits.streamItems,
        stores: limits.stores,
      },
    }
  }

  async function closeStore(name: string, params: Params): Promise<void> {
    nothing.parse(params)
    await stores.close(name)
  }

  async function call(operation: Operation, request: RpcRequest): Promise<string | undefined> {
    const store = await stores.get(request.store ?? DEFAULT_STORE)
    const input = operation.input.parse(request.params ?? {}) as Params
    if (operation.stream !== undefined) return startStream(operation, request, store, input)
    const context = contextOf(store, request, undefined)
    return answerText(operation, callLimits, await runLimited(operation, callLimits, context, input))
  }

  /** Answers when the stream has begun; its items follow, and its end. */
  async function startStream(
    operation: Operation,
    request: RpcRequest,
    store: OpenStore,
    input: Params,
  ): Promise<undefined> {
    const { id } = request
    if (id === undefined) throw idNeeded(operation.name)
    const signal = streams.begin(id)
    try {
      const context = contextOf(store, request, signal)
      const items = (await runLimited(operation, callLimits, context, input)) as AsyncIterable<unknown>
      writer.send(resultText(id, JSON.stringify({ stream: id })))
      void streams.run(id, items)
    } catch (error) {
      streams.drop(id)
      throw error
    }
    return undefined
  }

  function contextOf(
    { host, mode }: OpenStore,
    { caller = {} }: RpcRequest,
    signal: AbortSignal | undefined,
  ): OperationContext {
    const { session: own, ...who } = caller
    const context = host.context({ client, ...who, mode: narrower(mode, who.mode) }, signal)
    return own === undefined
      ? context
      : { ...context, repo: (namespace, session = own) => context.repo(namespace, session) }
  }

  function end(): void {
    if (isEnding) return
    isEnding = true
    reader.stop()
    streams.breakOff()
    if (underWay === 0) void close()
  }

  async function close(): Promise<void> {
    await writer.flushed()
    await stores.closeAll()
    finish()
  }

  return { closed, end }
}

const width = { 'read-only': 0, propose: 1, write: 2 } as const

/** A call can narrow what its store allows, and not widen it. */
function narrower(store: OpenStore['mode'], call: Caller['mode'] = 'write'): OpenStore['mode'] {
  return width[call] < width[store] ? call : store
}

function stageOf(error: unknown): RpcErrorCode | undefined {
  return error instanceof Refusal && error.fault.code === 'method-unknown' ? 'method' : undefined
}

function unknownMethod(method: string): Refusal {
  return new Refusal({
    code: 'method-unknown',
    kind: 'usage',
    message: `There is no method ${JSON.stringify(method)}.`,
    hint: 'docs/operations.md lists the operations of this version; a client may be newer than the program.',
  })
}

function helloNeeded(): Refusal {
  return new Refusal({ code: 'hello-needed', kind: 'usage', message: 'The first request of a connection is hello.' })
}

function idNeeded(method: string): Refusal {
  return new Refusal({ code: 'id-needed', kind: 'usage', message: `${method} is a stream and needs an id.` })
}

function tooLong(limit: number): Fault {
  return faultOf(serverError('body-too-large', { limit }))
}
