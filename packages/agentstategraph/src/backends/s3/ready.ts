/**
 * Makes a store, or finds it: the `format` object, and the proof that `If-None-Match` is honoured.
 *
 * Creating an object once is the compare-and-swap of the journal. A store that ignores the header would lose commits without a
 * sign, so it is refused.
 */
import { randomBytes } from 'node:crypto'
import { backendError } from '../errors.ts'
import type { Bucket } from './requests/bucket.ts'
import type { S3Answer } from './requests/client.ts'
import { refusalOf } from './requests/failures.ts'
import { elementOf } from './requests/xml.ts'

const formatKey = 'format'
const formatName = 'agentstategraph'
const format = 1
/** How many requests race to make a store, of which one may win. */
const racers = 4

export interface Ready {
  /** The id of the store. */
  readonly id: string
  /** Whether nothing may be written, by the option or by the rights of the credentials. */
  readonly isReadOnly: boolean
}

/** Checks a store, and makes it when there is none and it may be written. */
export async function makeReady(bucket: Bucket, readOnly: boolean): Promise<Ready> {
  const { name } = bucket.place
  const found = await bucket.get(formatKey)
  if (found !== undefined) {
    const id = idIn(bucket, found.bytes)
    return { id, isReadOnly: readOnly || !(await mayWrite(bucket, found.bytes)) }
  }
  const [foreign] = await bucket.list('', '', 1)
  if (foreign !== undefined && foreign.key !== formatKey) {
    throw backendError('not-a-store', { file: name, found: `a place with other objects, such as "${foreign.key}"` })
  }
  if (readOnly) throw backendError('store-missing', { file: name })
  const id = randomBytes(16).toString('hex')
  const body = Buffer.from(`${JSON.stringify({ name: formatName, format, id })}\n`)
  await race(bucket, body)
  const made = await bucket.get(formatKey)
  if (made === undefined)
    throw backendError('s3-unsafe', { place: name, reason: 'an object is not there after it was written' })
  return { id: idIn(bucket, made.bytes), isReadOnly: false }
}

function idIn({ place }: Bucket, bytes: Uint8Array): string {
  const { name, format: found, id } = parsed(bytes)
  if (name !== formatName || typeof found !== 'number' || typeof id !== 'string') {
    throw backendError('not-a-store', { file: place.name, found: 'a place with an object "format" of something else' })
  }
  if (found !== format) throw backendError('format-unsupported', { file: place.name, found, supported: format })
  return id
}

function parsed(bytes: Uint8Array): { readonly name?: unknown; readonly format?: unknown; readonly id?: unknown } {
  try {
    return (JSON.parse(Buffer.from(bytes).toString()) ?? {}) as object
  } catch {
    return {}
  }
}

/** Whether the store may be written. It is sent what it has, so one that ignores the header changes nothing. */
async function mayWrite(bucket: Bucket, body: Uint8Array): Promise<boolean> {
  const answer = await bucket.answerToCreate(formatKey, body)
  if (answer.status === 412) return true
  if (answer.status === 200) throw unsafe(bucket, 'it overwrote an object though the request said If-None-Match: *')
  if (isDenied(answer)) return false
  throw notImplemented(bucket, answer) ?? refusalOf(answer, bucket.place)
}

/** Makes the store by several requests at once, and then proves that it cannot be made again. */
async function race(bucket: Bucket, body: Uint8Array): Promise<void> {
  const answers = await Promise.all(Array.from({ length: racers }, () => bucket.answerToCreate(formatKey, body)))
  const made = answers.filter(({ status }) => status === 200).length
  if (made > 1) throw unsafe(bucket, `${made} of ${racers} requests with If-None-Match: * created the same object`)
  const refused = answers.find(({ status }) => status !== 200 && status !== 412)
  if (refused !== undefined) throw notImplemented(bucket, refused) ?? refusalOf(refused, bucket.place)
  await mayWrite(bucket, body)
}

function notImplemented(bucket: Bucket, { status, body }: S3Answer): Error | undefined {
  const code = elementOf(body, 'Code')
  return status === 501 || code === 'NotImplemented' ? unsafe(bucket, 'it does not know If-None-Match') : undefined
}

function isDenied(answer: S3Answer): boolean {
  const code = elementOf(answer.body, 'Code')
  return answer.status === 403 && (code === 'AccessDenied' || code === 'AllAccessDisabled')
}

function unsafe({ place }: Bucket, reason: string): Error {
  return backendError('s3-unsafe', { place: place.name, reason })
}
