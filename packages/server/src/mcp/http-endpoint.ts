/**
 * Answers requests of MCP over HTTP.
 *
 * Each request has its own server object. Clients of the newer protocol may follow resources over an open stream; those of the
 * older one cannot over HTTP, because nothing is kept between their requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler, type ServerEventBus } from '@modelcontextprotocol/server'
import type { Caller } from '../host/store-host.ts'
import { elicitationCodec } from './elicitation.ts'
import { type ResourceFollower, resourceFollower, urisIn } from './resources/follower.ts'
import { type McpServing, makeServer } from './server-factory.ts'
import { findNamedClient, findSessionId } from './session-id.ts'
import { pacedStrictMessage } from './strict-message.ts'

/** The state of one request during callbacks of the SDK. */
interface Exchange {
  readonly caller: Caller
  /** The follower of a request that listens, until a stream takes it over. */
  follower?: ResourceFollower | undefined
  tell?: ((uri: string) => void) | undefined
}

/** What answers the requests of a mount. */
export interface McpEndpoint {
  fetch(request: Request, caller: Caller, opensStream: boolean): Promise<Response>
  /** Ends the streams of followed resources; active requests still get their response. */
  close(): Promise<void>
}

export function mcpEndpoint(mounted: Omit<McpServing, 'codec'>): McpEndpoint {
  const serving: McpServing = { ...mounted, codec: elicitationCodec() }
  const exchanges = new AsyncLocalStorage<Exchange>()
  const newHandler = (): ReturnType<typeof createMcpHandler> =>
    createMcpHandler(
      ({ era }) => makeServer(serving, exchangeOf(exchanges).caller, era === 'modern' ? 'listened' : undefined),
      { bus: busOf(exchanges) },
    )
  const calls = newHandler()
  // Closing a handler ends its streams with the result that says so, and breaks off its calls. So streams have their own.
  const streams = newHandler()
  return {
    async fetch(request, caller, opensStream) {
      const client = findNamedClient(request) ?? caller.client
      const exchange: Exchange = { caller: { ...caller, client } }
      const message = await messageIn(request)
      if (!opensStream) {
        const sessionId = findSessionId(request, message)
        return withSession(await exchanges.run(exchange, () => calls.fetch(request)), sessionId)
      }
      await beginFollowing(serving, exchange, message)
      try {
        return await exchanges.run(exchange, () => streams.fetch(request))
      } finally {
        // No stream took the follower: the request was refused.
        exchange.follower?.close()
      }
    },
    close: () => streams.close(),
  }
}

function withSession(response: Response, sessionId: string | undefined): Response {
  if (sessionId === undefined || !response.ok) return response
  const headers = new Headers(response.headers)
  headers.set('mcp-session-id', sessionId)
  return new Response(response.body, { status: response.status, headers })
}

/** The watch starts before the client learns that it follows. */
async function beginFollowing({ host, onUnexpected }: McpServing, exchange: Exchange, message: unknown): Promise<void> {
  const uris = urisIn((message as { readonly params?: unknown } | undefined)?.params)
  if (uris.length === 0) return
  exchange.follower = resourceFollower(
    () => host.context(exchange.caller).repo(),
    uri => exchange.tell?.(uri),
    error => onUnexpected('watch', error),
  )
  await exchange.follower.follow(uris)
}

/** The body of a request, as strict as every body; undefined without one. */
async function messageIn(request: Request): Promise<unknown> {
  const text = await request.clone().text()
  return text === '' ? undefined : await pacedStrictMessage(text)
}

/** A stream takes the follower of its own request, so no client gets changes of another's namespace. */
function busOf(exchanges: AsyncLocalStorage<Exchange>): ServerEventBus {
  return {
    publish() {
      // Lists never change while a server runs; followers send the updates of resources.
    },
    subscribe(listener) {
      const exchange = exchangeOf(exchanges)
      const { follower } = exchange
      exchange.follower = undefined
      exchange.tell = uri => listener({ kind: 'resource_updated', uri })
      return () => follower?.close()
    },
  }
}

function exchangeOf(exchanges: AsyncLocalStorage<Exchange>): Exchange {
  const exchange = exchanges.getStore()
  if (exchange === undefined) throw new Error('outside a request')
  return exchange
}
