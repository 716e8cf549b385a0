/** The official client, connected to our server in either era: over HTTP without a network, or to a real process over stdio. */

import { fileURLToPath } from 'node:url'
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { CallLimits } from '../../../src/host/call-limits.ts'
import type { Caller, StoreHost } from '../../../src/host/store-host.ts'
import { type McpMount, mcpMount } from '../../../src/mcp/http-mount.ts'
import { toolSet } from '../../../src/mcp/tool-set.ts'

export const eras = ['2026-07-28', '2025-11-25'] as const

export type Era = (typeof eras)[number]

export interface Connecting {
  readonly era?: Era | undefined
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly capabilities?: ClientCapabilities | undefined
}

export const mcpProgram = fileURLToPath(new URL('../../../bin/agentstategraph-mcp.mjs', import.meta.url))

export function mountOn(
  host: StoreHost,
  tools = 'all',
  isReadOnly = false,
  limits: Partial<CallLimits> = {},
): McpMount {
  return mcpMount({
    host,
    limits,
    tools: toolSet(tools, { isReadOnly }),
    onUnexpected(what, error) {
      throw new Error(what, { cause: error })
    },
  })
}

export function newClient({
  era = '2026-07-28',
  name = 'test-client',
  version = '1.2.3',
  capabilities = {},
}: Connecting) {
  return new Client(
    { name, version },
    { capabilities, versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  )
}

/** Over HTTP, in this process. */
export async function connectTo(mount: McpMount, connecting: Connecting & { readonly caller?: Caller } = {}) {
  const client = newClient(connecting)
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (url, init) => mount.fetch(new Request(url, init), connecting.caller ?? {}),
  })
  await client.connect(transport)
  return client
}

/** A real process, over its standard input and output. */
export async function connectToProcess(args: readonly string[], connecting: Connecting = {}) {
  const client = newClient(connecting)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [mcpProgram, ...args],
      stderr: 'ignore',
      env: getDefaultEnvironment(),
    }),
  )
  return client
}

/** What a tool answered, as far as tests look at it. */
export interface Told {
  readonly isError: boolean
  readonly line: string
  readonly data: Readonly<Record<string, unknown>>
}

export async function tell(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const {
    content,
    isError = false,
    structuredContent,
  } = await client.callTool({
    name: `agentstategraph_${name}`,
    arguments: args,
  })
  const [block] = content
  const text = block?.type === 'text' ? block.text : ''
  const [, line = text, json = '{}'] = /^(.*?)\n(\{.*\})$/s.exec(text) ?? []
  if (!isError) return { isError, line, data: structuredContent as Told['data'] }
  const [code] = line.split(':')
  return { isError, line, data: { code, data: JSON.parse(json) } }
}
