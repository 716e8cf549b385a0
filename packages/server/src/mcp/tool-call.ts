/** The context of a tool call, beside its arguments. */
import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server'
import type { CallLimits } from '../host/call-limits.ts'
import type { OperationContext } from '../operations/operation.ts'
import type { ElicitationCodec } from './elicitation.ts'

export interface ToolCall {
  readonly context: ServerContext
  /** The capabilities that the client declared. */
  readonly capabilities: ClientCapabilities | undefined
  readonly codec: ElicitationCodec
  readonly limits: CallLimits
  readonly operationContext: (signal: AbortSignal) => OperationContext
  /** Binds a question to the arguments and the caller. */
  readonly digestOf: (input: unknown) => string
  /** Called with unexpected errors; the caller only gets an id. */
  readonly onUnexpected: (what: string, error: unknown) => void
}
