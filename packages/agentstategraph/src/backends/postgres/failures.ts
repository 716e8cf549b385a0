/**
 * What the errors of a server and of connections mean: whether a call may be tried again, and what is told to its caller.
 */
import { isStateError } from '../../core/index.ts'
import { backendError, reasonOf } from '../errors.ts'

/** The SQLSTATE of a server's error, or the code of a system call. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Whether the server told the error. Codes of system calls can have the form of an SQLSTATE, such as EPIPE. */
function isTold(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'severity' in error && codeOf(error).length === 5
}

/** Whether the error is the server's answer, after which the connection can still be used. */
export function isAnswer(error: unknown): boolean {
  return isTold(error) && !isEnding(codeOf(error))
}

/** The server ends the session, does not take one yet, or has too many. */
function isEnding(code: string): boolean {
  return code.startsWith('08') || code.startsWith('57P') || code === '25P03' || code === '25P04' || code === '53300'
}

/** Lost a race with another transaction: a serialization failure, a deadlock, or a lock that was not free in time. */
const lostRaces: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

/** A pooler gave the next transaction to another connection, on which a statement of this name is unknown, or known already. */
const unknownStatements: ReadonlySet<string> = new Set(['26000', '42P05'])

export function isUnknownStatement(error: unknown): boolean {
  return unknownStatements.has(codeOf(error))
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Whether the same call may succeed soon. Nothing was written, unless it was a COMMIT. */
export function isTransient(error: unknown): boolean {
  if (isStateError(error)) return false
  const code = codeOf(error)
  if (isTold(error)) return isEnding(code) || lostRaces.has(code) || unknownStatements.has(code)
  return true
}

/** Whether no server answered at all, or the client refused to go on. It gives a code to what it refuses, or names the step. */
export function isUnreachable(error: unknown): boolean {
  return !isTold(error) && (codeOf(error) || stepOf(error)) !== ''
}

/** The step of making a connection in which `pg` refused to go on, without a code: the password is missing, or TLS. */
function stepOf(error: unknown): string {
  return /^SASL|support SSL/.exec(String((error as Error | undefined)?.message))?.[0] ?? ''
}

/** Whether the tables are not there. */
export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === '42P01' || codeOf(error) === '3F000'
}

/** Whether another process is making the tables at the same time. */
export function isMadeMeanwhile(error: unknown): boolean {
  return ['23505', '42P06', '42P07', '42710', 'XX000'].includes(codeOf(error))
}

/** What makes a certificate unfit. */
const certificate = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
]

/** Refusals that trying again does not change, and what to do about each. */
const refusals: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [['ERR_INVALID_URL'], 'Check the address. In name and password, write /, ?, # and @ as %2F, %3F, %23 and %40.'],
  [['28P01', '28000', 'SASL'], 'Check name and password in the address, and pg_hba.conf of the server.'],
  [
    [...certificate, 'support SSL'],
    'Check sslmode, sslrootcert and the host in the address, and the certificate of the server.',
  ],
  [['3D000'], 'Check the name of the database in the address, or create it.'],
  [['42501'], 'Grant the account the rights that docs/postgres.md lists.'],
  [['25006'], 'Name the primary server, or open it with readOnly.'],
]

/** The error for the caller. */
export function failed(error: unknown, place: string): Error {
  if (isStateError(error)) return error
  const code = codeOf(error) || stepOf(error)
  const reason = reasonOf(error)
  const refusal = refusals.find(([codes]) => codes.includes(code))
  if (refusal !== undefined) {
    return backendError('postgres-refused', { place, reason, remedy: refusal[1] }, { cause: error })
  }
  if (code === '53100') return backendError('disk-full', { file: place }, { cause: error })
  return backendError('postgres-failed', { place, reason }, { cause: error })
}
