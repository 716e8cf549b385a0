/**
 * Faults as HTTP responses: `application/problem+json` with an exact status.
 *
 * The kind of a fault decides the status, except for a few codes with a status of their own. Faults of the server are reported
 * without details, which are about its files and not about the request.
 */
import type { Fault, FaultKind } from '../wire/faults/fault.ts'
import type { FaultCode } from '../wire/faults/fault-kind.ts'
import { inUrls } from '../wire/faults/hint.ts'
import type { Answer } from './exchange/answer.ts'
import { inRouteWords } from './routes/words.ts'

const statusOfKind: Readonly<Record<FaultKind, number>> = {
  usage: 400,
  unauthenticated: 401,
  denied: 403,
  'not-found': 404,
  conflict: 409,
  moved: 412,
  'too-large': 413,
  unsupported: 415,
  invalid: 422,
  verification: 422,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
  full: 507,
}

/** Codes with another status than their kind. */
const statusOfCode: ReadonlyMap<string, number> = new Map<FaultCode, number>([
  ['method-not-allowed', 405],
  ['not-acceptable', 406],
  ['body-late', 408],
  ['headers-late', 408],
  ['reader-stalled', 408],
  ['headers-too-large', 431],
  ['object-corrupt', 503],
  ['derived-corrupt', 503],
  ['store-damaged', 503],
  ['history-short', 503],
  ['history-forked', 503],
  ['version-corrupt', 503],
  ['schema-unreadable', 503],
  ['subject-key-damaged', 503],
  ['key-file-invalid', 503],
])

type Words = Pick<Fault, 'message' | 'hint' | 'data'>

const unavailable: Words = {
  message: 'The store cannot be used at the moment.',
  hint: 'Nothing was changed. Try again in a moment, or ask the operator of the server.',
}
const full: Words = {
  message: 'There is no room left to write.',
  hint: 'Nothing was changed. What is stored can still be read.',
}

const unknown: Words = {
  message: 'Whether the write was done is unknown.',
  hint: 'Read whether it is there, or repeat it with the same idempotency key, under which it is done once.',
}

/** Faults of the server whose message reveals nothing about its files. */
const tellable: ReadonlySet<string> = new Set<FaultCode>(['server-busy', 'shutting-down', 'reader-stalled'])

/** What a restart takes, roughly. */
const restartSeconds = '10'

export const problemType = 'application/problem+json'

export function statusOf({ code, kind }: Fault): number {
  return statusOfCode.get(code) ?? statusOfKind[kind]
}

export type Problem = Readonly<Record<string, unknown>>

/** The part of a fault that a caller over HTTP may see. */
export function problemOf(fault: Fault): Problem {
  const { code, kind } = fault
  const { message: detail, hint, data } = wordsOf(fault)
  const type = `urn:agentstategraph:fault:${code}`
  return {
    type,
    title: titleOf(code),
    status: statusOf(fault),
    detail,
    code,
    kind,
    hint: hint && hintInRoutes(code, hint),
    data,
  }
}

function hintInRoutes(code: string, hint: string): string {
  return code === 'ref-not-found' ? `${inRouteWords(hint)}${inUrls}` : inRouteWords(hint)
}

export function problemAnswer(fault: Fault): Answer {
  return {
    status: statusOf(fault),
    headers: { 'content-type': problemType, ...headersOf(fault) },
    body: `${JSON.stringify(problemOf(fault))}\n`,
  }
}

function wordsOf(fault: Fault): Words {
  if (tellable.has(fault.code)) return fault
  if (fault.code === 'outcome-unknown') return unknown
  if (fault.kind === 'full') return full
  return fault.kind === 'unavailable' || namesFile(fault) ? unavailable : fault
}

function namesFile({ data }: Fault): boolean {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'file')
}

function titleOf(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`
}

/** The headers of a problem. */
function headersOf({ code, kind, data }: Fault): Record<string, string> {
  const told = data as { readonly retryAfterSeconds?: number; readonly allowed?: readonly string[] } | undefined
  if (kind === 'unauthenticated') return { 'www-authenticate': 'Bearer' }
  if (code === 'method-not-allowed') return { allow: told?.allowed?.join(', ') ?? '' }
  if (code === 'rate-limited') return { 'retry-after': String(told?.retryAfterSeconds ?? 1) }
  // The rate limit of a grant covers the last minute.
  if (code === 'rate-exceeded') return { 'retry-after': '60' }
  if (code === 'server-busy' || code === 'too-many-at-once') return { 'retry-after': '1' }
  if (code === 'shutting-down') return { connection: 'close', 'retry-after': restartSeconds }
  if (code === 'body-late' || code === 'body-too-large') return { connection: 'close' }
  return {}
}
