/**
 * The request that Node parsed, as the app reads it.
 *
 * A `Request` of the Fetch API, with its headers and its stream, would cost more than most operations.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyReader, HttpRequest, RequestHeaders } from './http-request.ts'

/** Duplicate headers have to be joined by the server. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): HttpRequest {
  const { method = 'GET' } = incoming
  let gone: AbortController | undefined
  return {
    method,
    get url() {
      return url.href
    },
    headers: headersOf(incoming),
    body: method === 'GET' || method === 'HEAD' ? null : { getReader: () => readerOf(incoming) },
    get signal() {
      if (gone === undefined) {
        const controller = new AbortController()
        gone = controller
        const leave = (): void => {
          if (!outgoing.writableFinished) controller.abort(new Error('The client disconnected.'))
        }
        // A connection that is closed already tells it no more.
        if (outgoing.destroyed) leave()
        else outgoing.once('close', leave)
      }
      return gone.signal
    },
  }
}

/** The URL that was asked for; undefined when the target and the Host make none. */
export function findUrl({ url: target = '', headers }: IncomingMessage): URL | undefined {
  const [path = ''] = target.split('?', 1)
  if (path.includes('\\')) return undefined
  if (/^https?:\/\//.test(path)) return parsed(target)
  const { host = '' } = headers
  return target.startsWith('/') && /^[\w.:[\]-]+$/.test(host) ? parsed(`http://${host}${target}`) : undefined
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function headersOf({ headers }: IncomingMessage): RequestHeaders {
  function get(name: string): string | null {
    const value = headers[name.toLowerCase()]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }
  return {
    get,
    has: name => headers[name.toLowerCase()] !== undefined,
    *[Symbol.iterator]() {
      for (const name of Object.keys(headers)) yield [name, get(name)!]
    },
  }
}

/** Reads without a stream of the Fetch API. What comes after `cancel` is thrown away. */
function readerOf(incoming: IncomingMessage): BodyReader {
  const chunks: Uint8Array[] = []
  let state: 'open' | 'ended' | 'broken' | 'cancelled' = 'open'
  let wake = (): void => {}
  const enter = (next: typeof state) => (): void => {
    if (state === 'open') state = next
    wake()
  }
  incoming.on('data', (chunk: Uint8Array) => {
    if (state !== 'open') return
    chunks.push(chunk)
    incoming.pause()
    wake()
  })
  incoming.once('end', enter('ended'))
  incoming.once('error', enter('broken'))
  incoming.once('close', enter('broken'))
  return {
    async read() {
      for (;;) {
        const value = chunks.shift()
        if (value !== undefined) return { done: false, value }
        if (state === 'broken') throw new Error('The body broke off.')
        if (state !== 'open') return { done: true }
        const waiting = new Promise<void>(resolve => {
          wake = resolve
        })
        incoming.resume()
        await waiting
      }
    },
    async cancel() {
      chunks.length = 0
      enter('cancelled')()
      incoming.resume()
    },
  }
}
