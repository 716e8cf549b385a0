/**
 * MCP over standard input and output: one client, one connection, one server object.
 *
 * The SDK does the framing and detects the era from the first message. Three things are added to the input. Lines are as strict as
 * bodies of HTTP. The resources that a client of the newer protocol follows are read from its listen requests, which the SDK answers
 * by itself. And the end of the input is delayed until every earlier request has its response, so that a pipe that closes early
 * loses nothing.
 */
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  type McpServer,
  ProtocolErrorCode,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Caller } from '../host/store-host.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type ResourceFollower, resourceFollower, urisIn } from './resources/follower.ts'
import { type McpServing, makeServer } from './server-factory.ts'
import { strictLines } from './strict-lines.ts'

export interface StdioOptions {
  readonly input: Readable
  readonly output: Writable
  readonly signal?: AbortSignal | undefined
}

/** Serves until the client disconnects or the signal aborts. */
export async function serveOverStdio(serving: McpServing, caller: Caller, options: StdioOptions): Promise<void> {
  let server: McpServer | undefined
  const follower = resourceFollower(
    () => serving.host.context(caller).repo(),
    uri => void server?.server.sendResourceUpdated({ uri }).catch(error => serving.onUnexpected('notify', error)),
    error => serving.onUnexpected('watch', error),
  )
  const { transport, closed } = trackedTransport(options, follower)
  const handle = serveStdio(
    () => {
      server = makeServer(serving, caller, follower)
      return server
    },
    { transport, onerror: error => serving.onUnexpected('mcp', error) },
  )
  options.signal?.addEventListener('abort', () => void handle.close(), { once: true })
  await closed
  follower.close()
}

/** The requests of a connection: which are open, and which follow resources. */
class Requests {
  readonly #follower: ResourceFollower
  readonly #listening = new Map<unknown, readonly string[]>()
  readonly #open = new Set<unknown>()

  constructor(follower: ResourceFollower) {
    this.#follower = follower
  }

  get areAnswered(): boolean {
    return this.#open.size === 0
  }

  async receive(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return
    if (message.method === 'notifications/cancelled') this.#cancel(message.params?.['requestId'])
    else if (!('id' in message)) return
    else if (message.method !== 'subscriptions/listen') this.#open.add(message.id)
    else {
      const uris = urisIn(message.params)
      this.#listening.set(message.id, uris)
      if (uris.length > 0) await this.#follower.follow(uris)
    }
  }

  #cancel(id: unknown): void {
    this.#follower.leave(this.#listening.get(id) ?? [])
    this.#listening.delete(id)
    this.#open.delete(id)
  }

  answer(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message)) this.#open.delete(message.id)
  }
}

/** The SDK's transport, with its requests tracked and the end of the input delayed until they are answered. */
function trackedTransport(
  { input, output }: StdioOptions,
  follower: ResourceFollower,
): { readonly transport: Transport; readonly closed: Promise<void> } {
  const gate = strictLines((message, error) => void refuse(message, error))
  const inner = new StdioServerTransport(gate, output, { maxBufferSize: STDIO_DEFAULT_MAX_BUFFER_SIZE })
  const requests = new Requests(follower)
  const { promise: closed, resolve: onClosed } = deferred()
  let hasEnded = false

  function endWhenAnswered(): void {
    if (hasEnded && requests.areAnswered) gate.end()
  }
  /** A request gets the reason; anything else has no answer. */
  async function refuse(message: unknown, error: unknown): Promise<void> {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown }
    if (method === undefined || !(typeof id === 'string' || typeof id === 'number')) return
    const reply = { code: ProtocolErrorCode.InvalidRequest, message: faultOf(error).message }
    await transport.send({ jsonrpc: '2.0', id, error: reply })
  }
  function onEnd(): void {
    hasEnded = true
    endWhenAnswered()
  }
  input.pipe(gate, { end: false })
  input.once('end', onEnd)
  input.once('close', onEnd)

  const transport: Transport = {
    async start() {
      // Messages keep their order: one that waits delays those behind it.
      let before: Promise<void> = Promise.resolve()
      inner.onmessage = message => {
        before = before
          .then(() => requests.receive(message))
          .then(() => transport.onmessage?.(message))
          .catch(error => refuse(message, error))
      }
      inner.onerror = error => transport.onerror?.(error)
      inner.onclose = () => {
        input.unpipe(gate)
        input.pause()
        transport.onclose?.()
        onClosed()
      }
      await inner.start()
    },
    async send(message) {
      await inner.send(message)
      requests.answer(message)
      endWhenAnswered()
    },
    close: () => inner.close(),
  }
  return { transport, closed }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}
