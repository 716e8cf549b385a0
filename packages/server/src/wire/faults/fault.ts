/**
 * A failure as every surface reports it.
 *
 * Every thrown error becomes one `Fault`: a stable code to branch on, the kind that decides the HTTP status and the exit code,
 * and a message for people. An unexpected error becomes `internal` with an id; the log has the details under that id, and the
 * caller does not see them.
 */
import { randomUUID } from 'node:crypto'
import { isStateError } from 'agentstategraph'
import { z } from 'zod'
import { type JsonValue, wireValue } from '../json-value.ts'
import { cutData, cutText } from './cut-data.ts'
import { type FaultCode, faultKinds } from './fault-kind.ts'
import { hintOf } from './hint.ts'
import { issueReason } from './issue-reason.ts'
import { type Fault, Refusal } from './refusal.ts'

export type { FaultKind } from './fault-kind.ts'
export type { Fault } from './refusal.ts'

/** The fault that an error is told as. */
export function faultOf(error: unknown): Fault {
  const { message, hint, ...fault } = uncutFault(error)
  return { ...fault, message: cutText(message), ...(hint === undefined ? {} : { hint: cutText(hint) }) }
}

function uncutFault(error: unknown): Fault {
  if (error instanceof Refusal) return { ...error.fault, data: cutData(error.fault.data) as JsonValue | undefined }
  if (isStateError(error)) {
    const { code, message, hint, data } = error
    // A code of a newer library is reported as it is; only its kind is unknown.
    const kind = Object.hasOwn(faultKinds, code) ? faultKinds[code as FaultCode] : 'internal'
    return { code, kind, message, hint: hintOf(code, data, hint), data: findData(data) }
  }
  if (error instanceof z.ZodError) return inputFault(error)
  const id = randomUUID()
  return {
    code: 'internal',
    kind: 'internal',
    message: `Something failed that should not. It is noted as ${id}.`,
    hint: 'Nothing of this is your fault. Report it with this id.',
    data: { id },
  }
}

const NAMED_AT_MOST = 10

/** Input that a schema refused, field by field. */
function inputFault({ issues }: z.ZodError): Fault {
  const found = issues.flatMap(issuesOf).slice(0, NAMED_AT_MOST)
  return {
    code: 'input-invalid',
    kind: 'usage',
    message: `The input is not valid: ${found.map(({ field, reason }) => (field === '' ? reason : `${field}: ${reason}`)).join('; ')}.`,
    hint: 'Nothing was changed. Correct these fields and try again.',
    data: cutData({ issues: found }) as JsonValue,
  }
}

/** An unrecognized key is reported by its own name. */
function issuesOf(issue: z.core.$ZodIssue): { readonly field: string; readonly reason: string }[] {
  const field = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [{ field, reason: issueReason(issue) }]
  const inside = field === '' ? '' : `${field}.`
  return issue.keys.map(key => ({ field: `${inside}${key}`, reason: 'there is no such field' }))
}

/** The data of an error as JSON; undefined when it cannot be converted. */
function findData(data: unknown): JsonValue | undefined {
  try {
    return data === undefined ? undefined : wireValue(cutData(data))
  } catch {
    return undefined
  }
}
