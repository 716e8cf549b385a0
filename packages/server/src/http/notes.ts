/** Log entries for requests and faults. */
import type { Warning } from 'agentstategraph'
import type { Identity } from '../host/identity.ts'
import type { Fault } from '../wire/faults/fault.ts'
import type { Log } from './log-line.ts'

export interface Answered {
  readonly method: string
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly identity: Identity | undefined
}

export function noteRequest(log: Log, { method, operation, status, ms, identity }: Answered): void {
  const principal = identity?.principal
  log({ level: 'info', event: 'request', method, operation, status, ms: Math.round(ms * 1000) / 1000, principal })
}

/** Logs what the library noticed and went on from. */
export function noteWarning(log: Log, { code, message }: Warning): void {
  log({ level: 'warn', event: 'warning', code, what: message })
}

/** Logs unexpected errors in full, under the id that the caller got. Errors of callers are not logged. */
export function noteFault(log: Log, { code, kind, data }: Fault, error: unknown): void {
  if (kind !== 'internal' && kind !== 'unavailable' && kind !== 'full' && kind !== 'verification') return
  const { id } = (data ?? {}) as { readonly id?: string }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  log({ level: kind === 'internal' ? 'error' : 'warn', event: 'fault', code, id, what })
}
