/** Log entries for requests and faults. */
import type { Warning } from 'agentstategraph'
import type { Identity } from '../host/identity.ts'
import type { Fault } from '../wire/faults/fault.ts'
import type { Log } from './log-line.ts'

const MAX_PATH = 512

export interface Answered {
  /** The id of the request: the caller's X-Request-Id, or one of ours. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly identity: Identity | undefined
}

export function noteRequest(log: Log, { id, method, path, operation, status, ms, identity }: Answered): void {
  const principal = identity?.principal
  const rounded = Math.round(ms * 1000) / 1000
  const shown = path.slice(0, MAX_PATH)
  log({ level: 'info', event: 'request', id, method, path: shown, operation, status, ms: rounded, principal })
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
