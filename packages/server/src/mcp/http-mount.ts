/**
 * MCP over Streamable HTTP, mounted by the HTTP server at `/mcp`.
 *
 * The HTTP server has authenticated the caller and limited the body before a request gets here. What answers is loaded by the first
 * request: the SDK of MCP takes six megabytes, and many servers are never asked for it.
 */
import type { Caller } from '../host/store-host.ts'
import { operations } from '../operations/table.ts'
import type { McpEndpoint } from './http-endpoint.ts'
import type { McpServing } from './server-factory.ts'

/** The MCP endpoint of an HTTP app. */
export interface McpMount {
  readonly path: '/mcp'
  fetch(request: Request, caller: Caller): Promise<Response>
  opensStream(request: { readonly headers: Pick<Headers, 'get'> }): boolean
  readonly inWorker: McpInWorker | undefined
  /** Ends the streams of followed resources; active requests still get their response. */
  close(): Promise<void>
}

/** What a server's worker thread needs to answer requests with a large body. */
interface McpInWorker {
  readonly orders: McpOrders
  canAnswer(body: Uint8Array): boolean
}

/** What makes the same endpoint in another thread. */
export interface McpOrders {
  /** The names of its tools, with commas between. */
  readonly tools: string
}

type Mounted = Omit<McpServing, 'codec'>

/** Makes the MCP endpoint of an HTTP app. */
export function mcpMount(serving: Mounted): McpMount {
  let loading: Promise<McpEndpoint> | undefined
  return {
    path: '/mcp',
    inWorker: findInWorker(serving),
    opensStream,
    async fetch(request, caller) {
      loading ??= import('./http-endpoint.ts').then(({ mcpEndpoint }) => mcpEndpoint(serving))
      return (await loading).fetch(request, caller, opensStream(request))
    },
    async close() {
      await (await loading)?.close()
    },
  }
}

/** A thread of its own has only our operations, and no app: a body that names a tool which may use the app stays here. */
function findInWorker({ tools, host }: Mounted): McpInWorker | undefined {
  if (!tools.every(({ operation }) => operations.includes(operation))) return undefined
  const staying = tools.filter(({ operation }) => operation.runsIn === 'main').map(({ name }) => name)
  return {
    orders: { tools: tools.map(({ operation }) => operation.name).join(',') },
    canAnswer(body) {
      if (host.context({}).apps === undefined) return true
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      return !staying.some(name => bytes.includes(name))
    },
  }
}

function opensStream({ headers }: { readonly headers: Pick<Headers, 'get'> }): boolean {
  return headers.get('mcp-method') === 'subscriptions/listen'
}
