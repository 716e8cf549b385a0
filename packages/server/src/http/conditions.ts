/**
 * Headers that stand for fields of an operation.
 *
 * `If-Match` is `only_if_head`, `Idempotency-Key` is `idempotency_key`, `Last-Event-ID` is `after`; a commit id is an `ETag`. A
 * header without a matching field is refused, because the client relies on it.
 */
import { z } from 'zod'
import type { Operation, OperationContext } from '../operations/operation.ts'
import { commitSchema } from '../wire/commit.ts'
import { serverError } from '../wire/errors.ts'
import type { RequestHeaders } from './exchange/http-request.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields from the headers of a request. */
export function fieldsOfHeaders(headers: RequestHeaders, operation: Operation, given: Fields): Fields {
  return {
    ...fieldOf(headers, operation, given, 'If-Match', 'only_if_head', commitIn),
    ...fieldOf(headers, operation, given, 'Idempotency-Key', 'idempotency_key', text => text),
    ...fieldOf(headers, operation, given, 'Last-Event-ID', 'after', cursorIn),
  }
}

function fieldOf(
  headers: RequestHeaders,
  operation: Operation,
  given: Fields,
  header: string,
  field: string,
  read: (text: string) => string | number | undefined,
): Fields {
  const text = headers.get(header)
  if (text === null) return {}
  if (!Object.hasOwn(operation.input.shape, field))
    throw serverError('header-unsupported', { header, operation: operation.name })
  // A reconnecting client repeats its URL with the old `after`; the header has the newer one.
  if (given[field] !== undefined && field !== 'after')
    throw serverError('header-invalid', { header, reason: `the field ${field} says it too` })
  const value = read(text)
  if (value === undefined)
    throw serverError('header-invalid', { header, reason: `${JSON.stringify(text)} cannot be read` })
  return { [field]: value }
}

function commitIn(text: string): string | undefined {
  return /^"([0-9a-f]{64})"$/.exec(text)?.[1]
}

/** The cursor of an event: a sequence number, optionally with a part of that entry. */
function cursorIn(text: string): string | number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return /^\d{1,15}\.\d{1,15}$/.test(text) ? text : undefined
}

/**
 * The commit for the ETag of a read whose result does not contain it.
 *
 * It is resolved before the value is read, so it is never newer than the value: a precondition on it may fail needlessly, but
 * never pass wrongly.
 */
export async function findCommitToRead(
  operation: Operation,
  context: OperationContext,
  input: Fields,
): Promise<string | undefined> {
  const { ref, as_of: asOf, cursor, namespace } = input
  // Later pages come from the commit of the first page.
  const isElsewhere = asOf !== undefined || cursor !== undefined
  if (!readsState(operation) || tellsCommit(operation) || isElsewhere || typeof ref !== 'string') return undefined
  const repo = await context.repo(typeof namespace === 'string' ? namespace : undefined)
  return (await repo.at(ref).head()).id
}

/** The commit of a result: the one that was read, or the one that was written. */
export function findCommitIn(operation: Operation, result: unknown): string | undefined {
  if (operation.output === commitSchema) return (result as { readonly id: string }).id
  return readsState(operation) && tellsCommit(operation) ? (result as { readonly commit: string }).commit : undefined
}

function readsState({ group, effect }: Operation): boolean {
  return group === 'state' && effect === 'read'
}

function tellsCommit({ output }: Operation): boolean {
  return output instanceof z.ZodObject && Object.hasOwn(output.shape, 'commit')
}

export function etagOf(commit: string): string {
  return `"${commit}"`
}

/** Whether If-None-Match contains the ETag. The comparison is weak, so `W/` is ignored. */
export function hasAlready(headers: RequestHeaders, etag: string): boolean {
  const known = headers.get('If-None-Match') ?? ''
  return known.split(',').some(one => one.trim().replace(/^W\//, '') === etag)
}
