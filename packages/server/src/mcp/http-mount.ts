/**
 * MCP over Streamable HTTP, as something that the HTTP server mounts at `/mcp`.
 *
 * The HTTP server has decided who calls, and how much they may send, before a request gets here. A fresh server object answers
 * each request. Clients of the newer protocol may follow resources over a stream that they keep open; those of the older one
 * get none over HTTP, because nothing is kept between their requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler, type ServerEventBus } from '@modelcontextprotocol/server'
import type { Caller } from '../host/store-host.ts'
import { type ResourceFollower, resourceFollower } from './resource-follower.ts'
import { type McpServing, makeServer } from './server-factory.ts'
import { findNamedClient, findSessionId } from './session-id.ts'

export interface McpMount {
  readonly path: '/mcp'
  fetch(request: Request, caller: Caller): Promise<Response>
  /** Ends the streams of those who follow resources; what is being answered is answered. */
  close(): Promise<void>
}

/** What belongs to one request, wherever the SDK calls back from. */
interface Exchange {
  readonly caller: Caller
  /** The follower of a request that listens, until a stream takes it over. */
  follower?: ResourceFollower | undefined
  tell?: ((uri: string) => void) | undefined
}

export function mcpMount(serving: McpServing): McpMount {
  const exchanges = new AsyncLocalStorage<Exchange>()
  const leaving = new AbortController()
  const handler = createMcpHandler(
    ({ era }) => makeServer(serving, exchangeOf(exchanges).caller, era === 'modern' ? 'listened' : undefined),
    { bus: busOf(exchanges) },
  )
  return {
    path: '/mcp',
    async fetch(request, caller) {
      const client = findNamedClient(request) ?? caller.client
      const exchange: Exchange = { caller: { ...caller, client } }
      if (request.headers.get('mcp-method') !== 'subscriptions/listen') {
        const sessionId = await findSessionId(request)
        return withSession(await exchanges.run(exchange, () => handler.fetch(request)), sessionId)
      }
      await beginFollowing(serving, exchange, request)
      const signal = AbortSignal.any([request.signal, leaving.signal])
      try {
        return await exchanges.run(exchange, () => handler.fetch(new Request(request, { signal })))
      } finally {
        // Nobody took it over: the request was refused.
        exchange.follower?.close()
      }
    },
    async close() {
      leaving.abort()
    },
  }
}

function withSession(response: Response, sessionId: string | undefined): Response {
  if (sessionId === undefined || !response.ok) return response
  const headers = new Headers(response.headers)
  headers.set('mcp-session-id', sessionId)
  return new Response(response.body, { status: response.status, headers })
}

/** The watch is on before the client is told that it follows. */
async function beginFollowing({ host, onUnexpected }: McpServing, exchange: Exchange, request: Request): Promise<void> {
  const uris = await urisOf(request)
  if (uris.length === 0) return
  exchange.follower = resourceFollower(
    () => host.context(exchange.caller).repo(),
    uri => exchange.tell?.(uri),
    error => onUnexpected('watch', error),
  )
  await exchange.follower.follow(uris)
}

/** What a request wants to follow; the SDK tells the client when the request is malformed. */
async function urisOf(request: Request): Promise<readonly string[]> {
  try {
    const body = (await request.clone().json()) as { params?: { notifications?: { resourceSubscriptions?: unknown } } }
    const uris = body.params?.notifications?.resourceSubscriptions
    return Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : []
  } catch {
    return []
  }
}

/** A stream that opens takes over the follower of its own request, so nobody hears of the changes of another's namespace. */
function busOf(exchanges: AsyncLocalStorage<Exchange>): ServerEventBus {
  return {
    publish() {
      // Lists never change while a server runs, and resources are told by their follower.
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
