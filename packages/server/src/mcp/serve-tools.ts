/**
 * Lists and calls tools on a server object of the SDK.
 *
 * The handlers are set directly: to register each tool on each server object would repeat for every request over HTTP what is
 * the same for all. The list is made once for a set of tools.
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as SdkTool,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Tool } from './tool.ts'

type Call = (tool: Tool, given: unknown, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>

interface Offered {
  readonly byName: ReadonlyMap<string, Tool>
  list?: SdkTool[]
}

const known = new WeakMap<readonly Tool[], Offered>()

export function serveTools(server: Server, tools: readonly Tool[], call: Call): void {
  const offered = offeredOf(tools)
  server.setRequestHandler('tools/list', () => {
    offered.list ??= tools.map(listed)
    return { tools: offered.list }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = offered.byName.get(params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`)
    const result = await call(tool, params.arguments ?? {}, context)
    return isInputRequiredResult(result) ? result : server.projectCallToolResult(result, tool.outputSchema)
  })
}

function offeredOf(tools: readonly Tool[]): Offered {
  const before = known.get(tools)
  if (before !== undefined) return before
  const offered = { byName: new Map(tools.map(tool => [tool.name, tool])) }
  known.set(tools, offered)
  return offered
}

function listed({ name, title, description, annotations, inputSchema, outputSchema }: Tool): SdkTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as SdkTool['inputSchema'],
    annotations,
    outputSchema,
  }
}
