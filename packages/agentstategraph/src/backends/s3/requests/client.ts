/**
 * One signed request to an object store, and its answer.
 *
 * Every request is signed together with the SHA-256 of its body, so a body that was cut on the way is refused. Signatures are made by aws4fetch,
 * which is loaded when a store is opened. This file does not try again, and knows no keys of ours.
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { joinedBytes } from '../../../core/index.ts'
import { backendError, reasonOf } from '../../errors.ts'
import type { S3Place } from './address.ts'
import type { S3Credentials } from './options.ts'
import { elementOf } from './xml.ts'

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** The time that the request was signed with, in the form of the protocol. */
  readonly signedAt: string
}

/** Sends a request. Rejects when there is no whole answer. */
export type Send = (request: S3Request) => Promise<S3Answer>

interface Signer {
  readonly datetime: string
  sign(): Promise<{ readonly method: string; readonly url: URL; readonly headers: Headers }>
}

interface Aws4Fetch {
  readonly AwsV4Signer: new (options: object) => Signer
}

/** How long an answer may take to begin, and to go on; with each so many bytes that are sent, a millisecond more. */
const silentMs = 10_000
const bytesPerMs = 200

/** Credentials are asked for again so long before they end. */
const renewMs = 60_000

/** Makes what sends requests to a bucket. */
export function senderTo(place: S3Place, provide: () => Promise<S3Credentials>): Send {
  const { AwsV4Signer } = loadAws4Fetch()
  const keys = new Map<string, ArrayBuffer>()
  const credentials = renewed(provide)

  async function sendOnce({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Answer> {
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials.get()
    const path = key === undefined ? '' : `/${(place.prefix + key).split('/').map(encodeURIComponent).join('/')}`
    const signer = new AwsV4Signer({
      method,
      url: `${place.url}${path}?${new URLSearchParams(query)}`,
      headers: {
        ...headers,
        'X-Amz-Content-Sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      sessionToken,
      service: 's3',
      region: place.region,
      cache: keys,
    })
    const signed = await signer.sign()
    const silence = silenceOf(silentMs + Math.ceil((body?.length ?? 0) / bytesPerMs))
    try {
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
        redirect: 'manual',
        signal: silence.signal,
      })
      const parts: Uint8Array[] = []
      for await (const part of answer.body ?? []) {
        silence.broken()
        parts.push(part)
      }
      return { status: answer.status, headers: answer.headers, body: joinedBytes(parts), signedAt: signer.datetime }
    } finally {
      silence.end()
    }
  }

  return async request => {
    const answer = await sendOnce(request)
    if (answer.status < 400 || elementOf(answer.body, 'Code') !== 'ExpiredToken') return answer
    // A file or a provider may have newer ones.
    credentials.forget()
    return sendOnce(request)
  }
}

/** A signal that aborts after so long without a byte. A large answer over a slow line goes on. */
function silenceOf(ms: number): { readonly signal: AbortSignal; broken(): void; end(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no byte came for ${ms / 1000} seconds`)), ms)
  return { signal: controller.signal, broken: () => void timer.refresh(), end: () => clearTimeout(timer) }
}

interface Renewed {
  get(): Promise<S3Credentials>
  /** The next call asks for them again. */
  forget(): void
}

/** Asks for credentials once, and again before they end. */
function renewed(provide: () => Promise<S3Credentials>): Renewed {
  let known: Promise<S3Credentials> | undefined
  let renewAt = Number.POSITIVE_INFINITY
  const forget = (): void => {
    known = undefined
  }
  return {
    forget,
    async get() {
      if (known === undefined || performance.timeOrigin + performance.now() >= renewAt) {
        const asked = provide()
        known = asked
        asked.catch(forget)
        renewAt = ((await asked).expiration?.getTime() ?? Number.POSITIVE_INFINITY) - renewMs
        return asked
      }
      return known
    },
  }
}

function loadAws4Fetch(): Aws4Fetch {
  try {
    return createRequire(import.meta.url)('aws4fetch') as Aws4Fetch
  } catch (cause) {
    throw backendError('s3-missing', { reason: reasonOf(cause) }, { cause })
  }
}
