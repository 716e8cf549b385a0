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
import { operations } from '../operations/table.ts'
import { type Tool, toolPrefix } from './tool.ts'

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
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, notFound(params.name, tools))
    const result = await call(tool, params.arguments ?? {}, context)
    return isInputRequiredResult(result) ? result : server.projectCallToolResult(result, tool.outputSchema)
  })
}

const NAMED_AT_MOST = 5

/** With the tools that share a word with the name: `create_branch` means `branch`. */
function notFound(name: string, tools: readonly Tool[]): string {
  const asked = wordsOf(name)
  const near = tools.filter(tool => wordsOf(tool.name).some(word => asked.includes(word))).slice(0, NAMED_AT_MOST)
  const there =
    near.length === 0 ? 'tools/list names those there are' : `There is ${near.map(tool => tool.name).join(', ')}`
  const isLeftOut = operations.some(operation => `${toolPrefix}${operation.name}` === name)
  return `Tool ${name} not found. ${isLeftOut ? 'This server was started without it (--tools, --read-only)' : there}.`
}

function wordsOf(name: string): readonly string[] {
  return name.replace(toolPrefix, '').split('_')
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
