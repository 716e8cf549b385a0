/**
 * One call of a tool: checks the input, asks the person where needed, runs the operation, and returns the result.
 *
 * A failure is a result that a model can read and correct; only a malformed message is an error of the protocol.
 */
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { answerText, runLimited } from '../host/limited-run.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { answer, refusal } from './answer/tool-result.ts'
import { refuseUnconfirmed } from './confirmation.ts'
import {
  aboutPlaces,
  canBeAsked,
  conflictQuestion,
  findConflicts,
  resolutionsFrom,
  resolutionsHint,
} from './conflict-question.ts'
import { answerTo, ask, canAsk } from './elicitation.ts'
import { pageOf } from './stream-page.ts'
import type { Tool } from './tool.ts'
import type { ToolCall } from './tool-call.ts'

export async function callTool(
  tool: Tool,
  given: unknown,
  call: ToolCall,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const { own, input } = split(tool, given)
    const refused = await refuseUnconfirmed(tool, input, own['confirm'] === true, call)
    if (refused !== undefined) return refused
    return await runResolving(tool, input, own, call)
  } catch (error) {
    const fault = faultOf(error)
    if (fault.kind === 'internal') call.onUnexpected(fault.message, error)
    return refusal(fault)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that MCP added and those of the operation, both validated. */
function split({ operation, added }: Tool, given: unknown): { readonly own: Fields; readonly input: Fields } {
  const fields = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const isAdded = ([name]: readonly [string, unknown]) => Object.hasOwn(added.shape, name)
  return {
    own: added.parse(Object.fromEntries(fields.filter(isAdded))),
    input: operation.input.parse(Object.fromEntries(fields.filter(field => !isAdded(field)))),
  }
}

/** Runs the operation; on conflicts, asks the person where possible and runs it again with their resolutions. */
async function runResolving(
  tool: Tool,
  input: Fields,
  own: Fields,
  call: ToolCall,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await runAnswering(tool, input, own, call)
  } catch (error) {
    const fault = faultOf(error)
    const places = findConflicts(tool.operation, fault)
    if (places === undefined) throw error
    const told = refusal({ ...fault, hint: resolutionsHint(tool.name, places) })
    if (!canBeAsked(places) || !canAsk(call.capabilities)) return told
    const asked = { call: call.digestOf(input), about: aboutPlaces(places) }
    const said = answerTo(call.codec, call.context, asked)
    if (said.kind === 'unasked') return ask(call.codec, call.context, asked, conflictQuestion(fault.message, places))
    const chosen = said.kind === 'accepted' ? resolutionsFrom(places, said.content) : undefined
    if (chosen === undefined) return told
    const resolutions = { ...(input['resolutions'] as Fields | undefined), ...chosen }
    return runAnswering(tool, { ...input, resolutions }, own, call)
  }
}

async function runAnswering(tool: Tool, input: Fields, own: Fields, call: ToolCall): Promise<CallToolResult> {
  const output = tool.brief((await run(tool, input, own, call)) ?? {})
  return answer(tool.summary, output, await answerText(tool.operation, call.limits, output))
}

async function run({ operation }: Tool, input: Fields, own: Fields, call: ToolCall): Promise<unknown> {
  if (operation.stream !== undefined) return pageOf(operation, input, own, call)
  return runLimited(operation, call.limits, call.operationContext(call.context.mcpReq.signal), input)
}
