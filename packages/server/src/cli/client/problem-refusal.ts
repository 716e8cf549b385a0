/** A problem of a server as a refusal, with the same code, kind and message as a local call has. */
import { type FaultCode, type FaultKind, faultKinds } from '../../wire/faults/fault-kind.ts'
import { withoutUrls } from '../../wire/faults/hint.ts'
import { Refusal } from '../../wire/faults/refusal.ts'
import type { JsonValue } from '../../wire/json-value.ts'

/** Undefined when it is no problem of such a server. */
export function findRefusal(problem: unknown): Refusal | undefined {
  const { code, detail, hint, data, status } = (problem ?? {}) as Readonly<Record<string, JsonValue>>
  if (typeof code !== 'string' || typeof detail !== 'string') return undefined
  return new Refusal({
    code,
    kind: kindOf(code, Number(status)),
    message: detail,
    ...(typeof hint === 'string' ? { hint: withoutUrls(hint) } : {}),
    data,
  })
}

/** The kind of a problem, from its code or, for a code of a newer server, from its status. */
function kindOf(code: string, status: number): FaultKind {
  if (Object.hasOwn(faultKinds, code)) return faultKinds[code as FaultCode]
  return kindOfStatus.get(status) ?? 'internal'
}

const kindOfStatus: ReadonlyMap<number, FaultKind> = new Map([
  [400, 'usage'],
  [401, 'unauthenticated'],
  [403, 'denied'],
  [404, 'not-found'],
  [409, 'conflict'],
  [412, 'moved'],
  [413, 'too-large'],
  [415, 'unsupported'],
  [422, 'invalid'],
  [429, 'too-many'],
  [503, 'unavailable'],
  [507, 'full'],
])
