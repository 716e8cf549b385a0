/** Confirmation of destructive calls. */
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import { refusal } from './answer/tool-result.ts'
import { type Asked, answerTo, ask, canAsk } from './elicitation.ts'
import type { Tool } from './tool.ts'
import type { ToolCall } from './tool-call.ts'

/** Undefined when the call may proceed, otherwise its result. */
export async function refuseUnconfirmed(
  { name, summary, operation }: Tool,
  input: Readonly<Record<string, unknown>>,
  isConfirmed: boolean,
  { context, capabilities, codec, digestOf }: ToolCall,
): Promise<CallToolResult | InputRequiredResult | undefined> {
  if (operation.effect !== 'destructive') return undefined
  if (!canAsk(capabilities)) {
    if (isConfirmed) return undefined
    return refusal({
      code: 'confirmation-needed',
      kind: 'usage',
      message: `${summary}: a later call may not be able to bring back what it removes.`,
      hint: `Ask the person. When they agree, call ${name} again with the same arguments and confirm: true.`,
    })
  }
  const asked: Asked = { call: digestOf(input), about: 'confirm' }
  const answer = answerTo(codec, context, asked)
  if (answer.kind === 'unasked')
    return ask(codec, context, asked, {
      message: `${summary}? ${JSON.stringify(input)}`,
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean', title: summary, description: 'Yes, do it', default: false } },
        required: ['confirm'],
      },
    })
  if (answer.kind === 'accepted' && answer.content['confirm'] === true) return undefined
  return refusal({
    code: 'declined',
    kind: 'denied',
    message: `${summary}: the person did not agree.`,
    hint: 'Nothing was changed. Do not call again unless they ask for it.',
  })
}
