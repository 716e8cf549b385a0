/** What the answers of an object store mean: to be tried again, or refused, and then why and what to do. */
import { backendError, reasonOf } from '../../errors.ts'
import type { S3Place } from './address.ts'
import type { S3Answer } from './client.ts'
import { elementOf } from './xml.ts'

/** Whether the same request may succeed later. */
export function isTransient({ status, body }: S3Answer): boolean {
  return (
    (status >= 500 && status !== 501) ||
    status === 429 ||
    status === 409 ||
    elementOf(body, 'Code') === 'RequestTimeout'
  )
}

/** Whether the store asks for fewer requests. */
export function isSlowDown({ status }: S3Answer): boolean {
  return status === 503 || status === 429
}

/** What the store says: its code and its message. */
export function saidBy({ status, body }: S3Answer): string {
  const code = elementOf(body, 'Code')
  const message = elementOf(body, 'Message')?.replace(/\.$/, '')
  return code === undefined ? `the store answered with status ${status}` : `${code}${message ? ` (${message})` : ''}`
}

/** The error for an answer that no retry will change. */
export function refusalOf(answer: S3Answer, { name, bucket, region }: S3Place): Error {
  const refused = (reason: string, remedy: string): Error =>
    backendError('s3-refused', { place: name, reason, remedy }, { cause: new Error(saidBy(answer)) })
  const code = elementOf(answer.body, 'Code') ?? ''
  const right = answer.headers.get('x-amz-bucket-region') ?? elementOf(answer.body, 'Region')
  switch (code) {
    case 'NoSuchBucket':
      return refused(`there is no bucket "${bucket}"`, 'Create the bucket, or correct the address.')
    case 'InvalidAccessKeyId':
      return refused('the access key is not known there', 'Check the access key and the endpoint.')
    case 'SignatureDoesNotMatch':
      return refused('the secret does not belong to the access key', 'Check the secret access key.')
    case 'ExpiredToken':
    case 'InvalidToken':
      return refused('the session token has expired or is not valid', 'Get new credentials.')
    case 'RequestTimeTooSkewed':
      return refused(`the clock of this machine is ${skewOf(answer)}`, 'Set the clock, for example with NTP.')
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'IllegalLocationConstraintException':
      return refused(
        `the bucket is in ${right === null || right === undefined ? 'another region' : `the region ${right}`}, not in ${region}`,
        'Give the right region: ?region=… in the address, the option region, or AWS_REGION for asg.',
      )
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return refused(
        'the credentials have no right to do this',
        'Grant them GetObject, PutObject and ListBucket, and DeleteObject for compact.',
      )
    default:
      if (answer.status === 301 || answer.status === 307) {
        return refused(
          `the bucket is elsewhere${right ? `: in the region ${right}` : ''}`,
          'Give the right region and endpoint.',
        )
      }
      return refused(saidBy(answer), 'Check the endpoint and what it says.')
  }
}

/** How far the time of a request is from that of the store. */
function skewOf({ headers, signedAt }: S3Answer): string {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(signedAt) ?? []
  const ms = Date.parse(headers.get('date') ?? '') - Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
  if (Number.isNaN(ms)) return 'too far from that of the store'
  const minutes = Math.round(Math.abs(ms) / 60_000)
  return `${minutes} minutes ${ms > 0 ? 'behind' : 'ahead of'} that of the store`
}

/** The error for a store that gives no answer, or fails. */
export function unreachable({ name }: S3Place, reason: string, cause?: unknown): Error {
  return backendError('s3-failed', { place: name, reason }, { cause })
}

/** Why a request has no answer. The reason that `fetch` gives is in the cause. */
export function noAnswer(error: unknown): string {
  const cause = (error as { readonly cause?: unknown }).cause
  return reasonOf(cause instanceof Error && cause.message !== '' ? cause : error)
}
