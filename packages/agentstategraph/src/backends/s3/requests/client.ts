/**
 * One signed request to an object store, and its answer.
 *
 * Every request is signed together with the SHA-256 of its body, so a body that was cut on the way is refused. Signatures are made by aws4fetch,
 * which is loaded when a store is opened. This file does not try again, and knows no keys of ours.
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { backendError, reasonOf } from '../../errors.ts'
import type { S3Place } from './address.ts'
import type { S3Credentials } from './options.ts'

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

/** How long a request may take, and how many bytes more it may have in each second. */
const requestMs = 10_000
const bytesPerMs = 200

/** Credentials are asked for again so long before they end. */
const renewMs = 60_000

/** Makes what sends requests to a bucket. */
export function senderTo(place: S3Place, provide: () => Promise<S3Credentials>): Send {
  const { AwsV4Signer } = loadAws4Fetch()
  const keys = new Map<string, ArrayBuffer>()
  const credentials = renewed(provide)
  return async ({ method, key, query = {}, headers = {}, body }) => {
    const { accessKeyId, secretAccessKey, sessionToken } = await credentials()
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
    const limitMs = requestMs + Math.ceil((body?.length ?? 0) / bytesPerMs)
    const answer = await fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
    return {
      status: answer.status,
      headers: answer.headers,
      body: new Uint8Array(await answer.arrayBuffer()),
      signedAt: signer.datetime,
    }
  }
}

/** Asks for credentials once, and again before they end. */
function renewed(provide: () => Promise<S3Credentials>): () => Promise<S3Credentials> {
  let known: Promise<S3Credentials> | undefined
  let renewAt = Number.POSITIVE_INFINITY
  return async () => {
    if (known === undefined || performance.timeOrigin + performance.now() >= renewAt) {
      known = provide()
      known.catch(() => {
        known = undefined
      })
      renewAt = ((await known).expiration?.getTime() ?? Number.POSITIVE_INFINITY) - renewMs
    }
    return known
  }
}

function loadAws4Fetch(): Aws4Fetch {
  try {
    return createRequire(import.meta.url)('aws4fetch') as Aws4Fetch
  } catch (cause) {
    throw backendError('s3-missing', { reason: reasonOf(cause) }, { cause })
  }
}
