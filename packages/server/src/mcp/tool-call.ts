/** What a call of a tool is made with, beside its arguments. */
import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server'
import type { OperationContext } from '../operations/operation.ts'
import type { ElicitationCodec } from './elicitation.ts'

export interface ToolCall {
  readonly context: ServerContext
  /** What the client said that it can do. */
  readonly capabilities: ClientCapabilities | undefined
  readonly codec: ElicitationCodec
  readonly operationContext: (signal: AbortSignal) => OperationContext
  /** Binds what was asked to the arguments, and to whoever called. */
  readonly digestOf: (input: unknown) => string
  /** Told what a caller is only given an id of. */
  readonly onUnexpected: (what: string, error: unknown) => void
}
