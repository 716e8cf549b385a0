/**
 * The objects of a store in a bucket: read by range, created once, replaced, deleted and listed. Requests that may succeed later are
 * tried again with growing pauses.
 *
 * Creating an object is safe to try again: whichever request arrives first creates it, and the others find it there.
 */
import { randomInt } from 'node:crypto'
import { appendAll, isStateError } from '../../../core/index.ts'
import { backendError, reasonOf } from '../../errors.ts'
import type { S3Place } from './address.ts'
import type { S3Answer, S3Request, Send } from './client.ts'
import { isSlowDown, isTransient, noAnswer, refusalOf, saidBy, unreachable } from './failures.ts'
import { elementOf, unescaped } from './xml.ts'

/** How long a read, and how long a write is tried again. */
const readMs = 10_000
const writeMs = 30_000
const longestPauseMs = 2000

/** The bytes of an object, or of a part of it, and the size of the whole. */
export interface Found {
  readonly bytes: Uint8Array
  readonly size: number
}

/** From a byte on, up to another one that is not included; or the last bytes. */
export type Range = { readonly from: number; readonly to: number } | { readonly last: number }

export interface Listed {
  readonly key: string
  readonly size: number
}

export interface Bucket {
  readonly place: S3Place
  /** How many requests of each kind were sent. */
  readonly sent: Readonly<Record<'GET' | 'PUT' | 'DELETE' | 'LIST', number>>
  get(key: string, range?: Range): Promise<Found | undefined>
  /** Creates an object, or says that there is one; `unclear` when it may be that of this call, because an answer was lost. */
  create(key: string, bytes: Uint8Array): Promise<'created' | 'exists' | 'unclear'>
  put(key: string, bytes: Uint8Array): Promise<void>
  remove(key: string): Promise<void>
  /** The first keys after one, in the order of their bytes. */
  list(prefix: string, after: string, max: number): Promise<readonly Listed[]>
  /** The names of the folders below a prefix. */
  folders(prefix: string): Promise<readonly string[]>
  /** The answer to a request that creates an object once, whatever it is, unless it may change. */
  answerToCreate(key: string, body: Uint8Array): Promise<S3Answer>
}

export function bucketAt(place: S3Place, sendOnce: Send, assertOpen: () => void): Bucket {
  const sent = { GET: 0, PUT: 0, DELETE: 0, LIST: 0 }
  let wasReached = false

  const send: Send = async request => {
    assertOpen()
    sent[request.key === undefined ? 'LIST' : request.method]++
    const answer = await sendOnce(request)
    wasReached = true
    return answer
  }

  /** Sends until there is an answer that will stay. */
  async function answered(request: S3Request, limitMs: number, onRetry = (): void => {}): Promise<S3Answer> {
    const began = performance.now()
    for (let tries = 1; ; tries++) {
      let reason: string
      let cause: unknown
      let pauseMs = 20
      try {
        const answer = await send(request)
        if (!isTransient(answer)) return answer
        reason = saidBy(answer)
        if (isSlowDown(answer)) pauseMs = 100
      } catch (error) {
        // No credentials, or closed.
        if (isStateError(error)) throw error
        cause = error
        reason = noAnswer(error)
        // An address that was never reached is most likely a wrong one.
        if (!wasReached && isNowhere(error)) throw unreachable(place, reason, error)
      }
      if (performance.now() - began >= limitMs) throw unreachable(place, reason, cause)
      const longest = Math.min(longestPauseMs, pauseMs * 2 ** tries)
      onRetry()
      await new Promise(resolve => setTimeout(resolve, randomInt(longest)))
    }
  }

  const encryption = encryptionHeaders(place)
  const createHeaders = { 'if-none-match': '*', ...encryption }

  async function list(query: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const answer = await answered({ method: 'GET', query: { 'list-type': '2', ...query } }, readMs)
    if (answer.status !== 200) throw refusalOf(answer, place)
    return answer.body
  }

  return {
    place,
    sent,
    answerToCreate: (key, body) => answered({ method: 'PUT', key, headers: createHeaders, body }, writeMs),
    async get(key, range) {
      const headers = range === undefined ? {} : { range: rangeHeader(range) }
      const answer = await answered({ method: 'GET', key, headers }, readMs)
      // A service may answer a range with the whole object.
      if (answer.status === 200) return { bytes: within(answer.body, range), size: answer.body.length }
      if (answer.status === 206) return { bytes: answer.body, size: sizeIn(answer) }
      if (answer.status === 416) return { bytes: new Uint8Array(), size: 0 }
      if (answer.status === 404 && elementOf(answer.body, 'Code') !== 'NoSuchBucket') return undefined
      throw refusalOf(answer, place)
    },
    async create(key, body) {
      let isRepeated = false
      const answer = await answered({ method: 'PUT', key, headers: createHeaders, body }, writeMs, () => {
        isRepeated = true
      }).catch((error: unknown) => {
        const isRefusal = isStateError(error) && error.code !== 's3-failed'
        throw isRepeated && isRefusal ? unreachable(place, reasonOf(error), error) : error
      })
      if (answer.status === 200) return 'created'
      if (answer.status === 412) return isRepeated ? 'unclear' : 'exists'
      const refusal = refusalOf(answer, place)
      // The request before may have been done.
      throw isRepeated ? unreachable(place, reasonOf(refusal), refusal) : refusal
    },
    async put(key, body) {
      const answer = await answered({ method: 'PUT', key, headers: encryption, body }, writeMs)
      if (answer.status !== 200) throw refusalOf(answer, place)
    },
    async remove(key) {
      const answer = await answered({ method: 'DELETE', key }, writeMs)
      if (answer.status >= 300 && answer.status !== 404) throw refusalOf(answer, place)
    },
    async list(prefix, after, max) {
      const found: Listed[] = []
      const start = after === '' ? {} : { 'start-after': place.prefix + after }
      let next: string | undefined
      // An answer may have fewer keys than were asked for, and even none, and say that there are more.
      do {
        const query = { prefix: place.prefix + prefix, 'max-keys': `${max - found.length}` }
        const body = await list({ ...query, ...(next === undefined ? start : { 'continuation-token': next }) })
        appendAll(found, contentsOf(body, place.prefix.length))
        next = nextIn(body)
      } while (next !== undefined && found.length < max)
      return found
    },
    async folders(prefix) {
      const found: string[] = []
      let next: string | undefined
      do {
        const query = { prefix: place.prefix + prefix, delimiter: '/', ...(next && { 'continuation-token': next }) }
        const body = await list(query)
        for (const [, one] of new TextDecoder().decode(body).matchAll(/<CommonPrefixes><Prefix>([^<]*)<\/Prefix>/g)) {
          found.push(unescaped(one!).slice(place.prefix.length + prefix.length, -1))
        }
        next = nextIn(body)
      } while (next !== undefined)
      return found
    },
  }
}

/** What asks for the keys after those of a list; undefined when there are none. */
function nextIn(body: Uint8Array): string | undefined {
  const next = elementOf(body, 'NextContinuationToken')
  return next === undefined || next === '' ? undefined : unescaped(next)
}

/** The bytes of a whole object that a range asked for. */
function within(bytes: Uint8Array, range: Range | undefined): Uint8Array {
  if (range === undefined) return bytes
  return 'last' in range ? bytes.subarray(-range.last) : bytes.subarray(range.from, range.to)
}

/** Whether there is no server at an address. */
function isNowhere(error: unknown): boolean {
  const { code } = ((error as { readonly cause?: unknown }).cause ?? {}) as { readonly code?: string }
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}

function rangeHeader(range: Range): string {
  return 'last' in range ? `bytes=-${range.last}` : `bytes=${range.from}-${range.to - 1}`
}

/** The size of the whole object, from the header of a part of it. */
function sizeIn({ headers }: S3Answer): number {
  return Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
}

function encryptionHeaders({ encryption }: S3Place): Readonly<Record<string, string>> {
  if (encryption === undefined) return {}
  const [, method, key] = /^(AES256|aws:kms)(?::(.+))?$/.exec(encryption) ?? []
  if (method === undefined) {
    throw backendError('s3-refused', {
      place: 's3:',
      reason: `"${encryption}" is not an encryption`,
      remedy: 'Give AES256, aws:kms, or aws:kms: and the id of a key.',
    })
  }
  return {
    'x-amz-server-side-encryption': method,
    ...(key === undefined ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
  }
}

function contentsOf(body: Uint8Array, skip: number): readonly Listed[] {
  const text = new TextDecoder().decode(body)
  return [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one]) => ({
    key: unescaped(/<Key>([^<]*)<\/Key>/.exec(one!)?.[1] ?? '').slice(skip),
    size: Number(/<Size>(\d+)<\/Size>/.exec(one!)?.[1] ?? 0),
  }))
}
