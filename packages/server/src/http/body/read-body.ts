/**
 * Reads the body of a request within limits of size and time.
 *
 * It stops reading as soon as a limit is exceeded, whatever the headers say. It does not interpret the bytes.
 */
import { serverError } from '../../wire/errors.ts'
import type { HttpRequest } from '../exchange/http-request.ts'
import type { AppLimits } from '../limits.ts'

export type BodyLimits = Pick<AppLimits, 'bodyBytes' | 'bodyTimeoutMs'>

/** Refuses other media types than uncompressed JSON. A request without a body needs no type. */
export function assertJsonMedia(request: HttpRequest): void {
  const type = request.headers.get('content-type') ?? ''
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity') throw serverError('encoding-unsupported', { found: encoding })
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map(part => part.trim())
  if (media !== 'application/json') throw serverError('media-type-unsupported', { found: type })
  const isOther = parameters.some(parameter => /^charset=/.test(parameter) && !/^charset="?utf-?8"?$/.test(parameter))
  if (isOther) throw serverError('media-type-unsupported', { found: type })
}

/** Bytes in blocks: joining those of a large body in one turn would keep other requests waiting. */
export type Blocks = readonly Uint8Array<ArrayBuffer>[]

const BLOCK_BYTES = 2 ** 20

export async function readBody(request: HttpRequest, { bodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Blocks> {
  const promised = Number(request.headers.get('content-length') ?? 0)
  if (promised > bodyBytes) throw serverError('body-too-large', { limit: bodyBytes })
  if (request.body === null) return []
  const reader = request.body.getReader()
  const blocks: Uint8Array<ArrayBuffer>[] = []
  let chunks: Uint8Array[] = []
  let gathered = 0
  let length = 0
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    reader.cancel().catch(() => undefined)
  }, bodyTimeoutMs)
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (isLate) throw serverError('body-late', { timeoutMs: bodyTimeoutMs })
      if (done || value === undefined) break
      length += value.length
      if (length > bodyBytes) throw serverError('body-too-large', { limit: bodyBytes })
      chunks.push(value)
      gathered += value.length
      if (gathered < BLOCK_BYTES) continue
      blocks.push(joined(chunks))
      chunks = []
      gathered = 0
    }
  } catch (error) {
    reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(late)
  }
  if (gathered > 0) blocks.push(joined(chunks))
  return blocks
}

function brokenOff(): never {
  throw serverError('body-broken-off', {})
}

export function lengthOf(blocks: readonly Uint8Array[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0)
}

/** All bytes in a buffer of their own, which can be transferred. */
export function joined(blocks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(lengthOf(blocks))
  let at = 0
  for (const block of blocks) {
    bytes.set(block, at)
    at += block.length
  }
  return bytes
}
