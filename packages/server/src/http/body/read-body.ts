/**
 * Reads the body of a request within limits of size and time.
 *
 * It stops reading as soon as a limit is exceeded, whatever the headers say. It does not interpret the bytes.
 */
import { serverError } from '../../wire/errors.ts'
import type { AppLimits } from '../limits.ts'

export type BodyLimits = Pick<AppLimits, 'bodyBytes' | 'bodyTimeoutMs'>

/** Refuses other media types than uncompressed JSON. A request without a body needs no type. */
export function assertJsonMedia(request: Request): void {
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

export async function readBody(request: Request, { bodyBytes, bodyTimeoutMs }: BodyLimits): Promise<Uint8Array> {
  const promised = Number(request.headers.get('content-length') ?? 0)
  if (promised > bodyBytes) throw serverError('body-too-large', { limit: bodyBytes })
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  const late = alarm(bodyTimeoutMs)
  try {
    for (;;) {
      const read = await Promise.race([reader.read().catch(brokenOff), late.rung])
      if (read.done) return joined(chunks, length)
      length += read.value.length
      if (length > bodyBytes) throw serverError('body-too-large', { limit: bodyBytes })
      chunks.push(read.value)
    }
  } catch (error) {
    reader.cancel().catch(() => undefined)
    throw error
  } finally {
    late.stop()
  }
}

function brokenOff(): never {
  throw serverError('body-broken-off', {})
}

function alarm(timeoutMs: number): { readonly rung: Promise<never>; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  const rung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(serverError('body-late', { timeoutMs })), timeoutMs)
  })
  // The race may be over when the timer fires: avoid an unhandled rejection.
  rung.catch(() => undefined)
  return { rung, stop: () => clearTimeout(timer) }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
