/**
 * The client program of a call.
 *
 * Clients of the newer protocol name themselves in every request, those of the older handshake once for each connection. The name
 * is recorded and proves nothing.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type McpServer,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server'
import type { Caller } from '../host/store-host.ts'

export function capabilitiesOf(context: ServerContext, { server }: McpServer): ClientCapabilities | undefined {
  return (
    (envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.getClientCapabilities()
  )
}

/** The caller, with the client program and the trace of this call. */
export function callerOf(caller: Caller, context: ServerContext, { server }: McpServer): Caller {
  const info = (envelopeOf(context)[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion()
  const client = info === undefined ? caller.client : { name: info.name, version: info.version }
  const traceparent = context.mcpReq._meta?.[TRACEPARENT_META_KEY]
  const isNamed = caller.key !== undefined || caller.agent !== undefined
  return {
    ...caller,
    client,
    ...(isNamed || client === undefined ? {} : { agent: agentNameOf(client.name) }),
    ...(typeof traceparent === 'string' ? { trace: traceparent } : {}),
  }
}

const MAX_NAME = 64

/** The agent name for a client, whose own name may be any text. */
function agentNameOf(client: string): string {
  const name = client
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME)
  return `agent/${name === '' ? 'mcp' : name}`
}

/** The reserved keys of a request, which the SDK validated. */
function envelopeOf({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  return (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>
}
