/**
 * MCP over standard input and output: one client, one connection, one server object.
 *
 * The SDK does the framing and detects the era from the first message. Two things are added to the input. The resources that a
 * client of the newer protocol follows are read from its listen requests, which the SDK answers by itself. And the end of the
 * input is delayed until every earlier request has its response, so that a pipe that closes early loses nothing.
 */
import { PassThrough, type Readable, type Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  type McpServer,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Caller } from '../host/store-host.ts'
import { type ResourceFollower, resourceFollower } from './resource-follower.ts'
import { type McpServing, makeServer } from './server-factory.ts'

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
  const { transport, closed } = observed(options, follower)
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

/** The SDK's transport, with listen requests and open requests observed. */
function observed(
  { input, output }: StdioOptions,
  follower: ResourceFollower,
): { readonly transport: Transport; readonly closed: Promise<void> } {
  const gate = new PassThrough()
  const inner = new StdioServerTransport(gate, output, { maxBufferSize: STDIO_DEFAULT_MAX_BUFFER_SIZE })
  const listening = new Map<unknown, readonly string[]>()
  const open = new Set<unknown>()
  let hasEnded = false
  let end: () => void = () => undefined
  const closed = new Promise<void>(resolve => {
    end = resolve
  })

  function endWhenAnswered(): void {
    if (hasEnded && open.size === 0) gate.end()
  }

  async function see(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId']
      follower.leave(listening.get(id) ?? [])
      listening.delete(id)
      open.delete(id)
      return
    }
    if (!('id' in message)) return
    if (message.method !== 'subscriptions/listen') open.add(message.id)
    else {
      const uris = urisOf(message.params)
      listening.set(message.id, uris)
      if (uris.length > 0) await follower.follow(uris)
    }
  }

  input.pipe(gate, { end: false })
  const onEnd = () => {
    hasEnded = true
    endWhenAnswered()
  }
  input.once('end', onEnd)
  input.once('close', onEnd)

  const transport: Transport = {
    async start() {
      // Messages keep their order: one that waits delays those behind it.
      let before: Promise<void> = Promise.resolve()
      inner.onmessage = message => {
        before = before
          .then(() => see(message))
          .catch(error => transport.onerror?.(error))
          .then(() => transport.onmessage?.(message))
      }
      inner.onerror = error => transport.onerror?.(error)
      inner.onclose = () => {
        input.unpipe(gate)
        input.pause()
        transport.onclose?.()
        end()
      }
      await inner.start()
    },
    async send(message) {
      await inner.send(message)
      if ('id' in message && !('method' in message)) open.delete(message.id)
      endWhenAnswered()
    },
    close: () => inner.close(),
  }
  return { transport, closed }
}

function urisOf(params: unknown): readonly string[] {
  const { notifications } = (params ?? {}) as { notifications?: { resourceSubscriptions?: unknown } }
  const uris = notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : []
}
