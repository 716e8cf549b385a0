/** The messages of JSON-RPC 2.0: which lines are requests, and the text of what is answered. */
import { z } from 'zod'
import { serverError } from '../wire/errors.ts'
import type { Fault, FaultKind } from '../wire/faults/fault.ts'
import { inWords } from '../wire/faults/hint.ts'
import { strictJson } from '../wire/strict-json.ts'

export type RequestId = string | number

/** The members around `params`, which are levels that a value does not have. */
const MESSAGE_LEVELS = 64

const callerSchema = z.strictObject({
  agent: z.string().min(1).max(255).optional(),
  key: z.string().min(1).max(4096).optional(),
  session: z.string().min(1).max(255).optional(),
  trace: z.string().min(1).max(255).optional(),
  client: z.strictObject({ name: z.string().min(1).max(64), version: z.string().min(1).max(32) }).optional(),
  mode: z.enum(['write', 'read-only', 'propose']).optional(),
})

/** Who calls, and for what. It comes with each call, beside its params. */
export type RpcCaller = z.output<typeof callerSchema>

const requestSchema = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(255), z.number().int()]).optional(),
  method: z.string().min(1).max(64),
  params: z
    .unknown()
    .refine(params => typeof params === 'object' && params !== null && !Array.isArray(params), 'an object is needed')
    .optional() as unknown as z.ZodOptional<z.ZodType<Readonly<Record<string, unknown>>>>,
  store: z.string().min(1).max(64).optional(),
  caller: callerSchema.optional(),
})

/** One request; without an id, a notification, which is not answered. */
export type RpcRequest = z.output<typeof requestSchema>

/** The text of a line as JSON. */
export function jsonOf(line: string): unknown {
  return strictJson(line, MESSAGE_LEVELS)
}

/** Throws `input-invalid` for what is no request. */
export function requestOf(message: unknown): RpcRequest {
  if (Array.isArray(message)) throw serverError('body-not-an-object', { found: 'an array' })
  return requestSchema.parse(message)
}

/** The id of what should have been a request, so that its sender hears of it. */
export function findId(message: unknown): RequestId | undefined {
  const { id } = (message ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/**
 * The id of a line that is refused before it is read as JSON, because it is too deep or has a key twice: where the message begins with
 * its id, as those of all clients do. Without it the sender would wait for ever.
 */
export function findIdIn(line: string): RequestId | undefined {
  const found = /^\{"jsonrpc":"2\.0","id":(0|[1-9]\d{0,14}|"[^"\\\p{Cc}]{0,255}"),(?!"id":)/u.exec(line)
  return found === null ? undefined : (JSON.parse(found[1]!) as RequestId)
}

/** The codes of JSON-RPC itself. Every other fault has `FAULT`; what it is, its data say. */
const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, fault: -32000 } as const
export type RpcErrorCode = keyof typeof codes

export function codeOfKind(kind: FaultKind): RpcErrorCode {
  return kind === 'usage' ? 'params' : 'fault'
}

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data: Omit<Fault, 'message'>
}

/** Hints that speak of another way to the store. */
const hints: Readonly<Record<string, string>> = {
  unauthenticated: 'Give the key of a principal as key of the caller. Without one, a call acts as the operator.',
}

export function errorOf({ message, hint, ...data }: Fault, as: RpcErrorCode = codeOfKind(data.kind)): RpcError {
  const told = hint && inWords(hints[data.code] ?? hint, name => name)
  return { code: codes[as], message, data: told === undefined ? data : { ...data, hint: told } }
}

/** `result` is JSON already. */
export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

export function errorText(id: RequestId | null, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

export function notificationText(method: string, params: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
