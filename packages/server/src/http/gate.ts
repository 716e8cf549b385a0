/**
 * Checks of the Host and Origin headers.
 *
 * A page that rebinds its own DNS name to this machine has the same origin as the server; only the Host header reveals it. So the
 * Host is checked first, then the Origin, on every method and path and before authentication.
 */
import { serverError } from '../wire/errors.ts'
import type { Answer } from './exchange/answer.ts'
import type { HttpRequest } from './exchange/http-request.ts'

export interface GateOptions {
  /** Host names without port, in addition to those of the loopback. */
  readonly hosts?: readonly string[] | undefined
  /** Origins of pages that may call, such as `https://app.example`. Only they get CORS headers. */
  readonly origins?: readonly string[] | undefined
}

export interface Gate {
  /** Throws `host-refused` or `origin-refused`; returns the CORS headers of the response. */
  admit(request: HttpRequest, url: URL): Readonly<Record<string, string>>
  /** The response to a CORS preflight. */
  preflight(request: HttpRequest): Answer | undefined
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']
const exposed = 'ETag, Link, Retry-After, X-Request-Id'
const accepted =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id, traceparent'
const PREFLIGHT_SECONDS = '600'

export function gateOf({ hosts = [], origins = [] }: GateOptions): Gate {
  const names = new Set([...loopbackNames, ...hosts].map(name => name.toLowerCase()))
  const pages = new Set(origins)

  function admit(request: HttpRequest, url: URL): Readonly<Record<string, string>> {
    const host = (request.headers.get('host') ?? url.host).toLowerCase()
    if (!names.has(host.replace(/:\d+$/, ''))) throw serverError('host-refused', { host })
    const origin = request.headers.get('origin')
    if (origin === null) return {}
    if (pages.has(origin)) {
      return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' }
    }
    // A page from this server itself: its origin is the Host, which was just checked.
    if (origin === `http://${host}` || origin === `https://${host}`) return {}
    throw serverError('origin-refused', { origin })
  }

  return {
    admit,
    preflight(request) {
      if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined
      if (!pages.has(request.headers.get('origin') ?? '')) return undefined
      const headers = {
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': accepted,
        'access-control-max-age': PREFLIGHT_SECONDS,
      }
      return { status: 204, headers, body: null }
    },
  }
}
