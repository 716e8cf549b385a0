/**
 * What HTTP says in headers and an operation takes as fields: the shortcuts that this surface has beside the table.
 *
 * `If-Match` is `only_if_head`, `Idempotency-Key` is `idempotency_key`, `Last-Event-ID` is `after`; a commit id is an `ETag`. A header
 * that an operation has no field for is refused, because whoever sent it relies on it.
 */
import { z } from 'zod'
import type { Operation, OperationContext } from '../operations/operation.ts'
import { commitSchema } from '../wire/commit.ts'
import { serverError } from '../wire/errors.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields that the headers of a request give. */
export function fieldsOfHeaders(headers: Headers, operation: Operation, given: Fields): Fields {
  return {
    ...fieldOf(headers, operation, given, 'If-Match', 'only_if_head', commitIn),
    ...fieldOf(headers, operation, given, 'Idempotency-Key', 'idempotency_key', text => text),
    ...fieldOf(headers, operation, given, 'Last-Event-ID', 'after', cursorIn),
  }
}

function fieldOf(
  headers: Headers,
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
  // A client that reconnects repeats its URL, with where it once began; the header says where it is.
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

/** The cursor of an event: a sequence number, or one and a part of that entry. */
function cursorIn(text: string): string | number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return /^\d{1,15}\.\d{1,15}$/.test(text) ? text : undefined
}

/**
 * The commit that a read is about to speak of, where its answer will not say so itself.
 *
 * Found before the value is read, so it is never too new: who relies on it is refused too often rather than too rarely.
 */
export async function findCommitToRead(
  operation: Operation,
  context: OperationContext,
  input: Fields,
): Promise<string | undefined> {
  const { ref, as_of: asOf, cursor, namespace } = input
  // A page after the first speaks of the commit that the first was read from.
  const isElsewhere = asOf !== undefined || cursor !== undefined
  if (!readsState(operation) || tellsCommit(operation) || isElsewhere || typeof ref !== 'string') return undefined
  const repo = await context.repo(typeof namespace === 'string' ? namespace : undefined)
  return (await repo.at(ref).head()).id
}

/** The commit that an answer speaks of: the one that was read, or the one that was made. */
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

/** Whether a client has this already. `W/` makes no difference here: a read compares weakly. */
export function hasAlready(headers: Headers, etag: string): boolean {
  const known = headers.get('If-None-Match') ?? ''
  return known.split(',').some(one => one.trim().replace(/^W\//, '') === etag)
}
