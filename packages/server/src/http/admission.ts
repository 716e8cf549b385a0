/**
 * Authentication and rate limits.
 *
 * A key is accepted in the Authorization header only. Every failure has the same response, except that a peer with many failures
 * is rate-limited. Then limits of rate and concurrency apply to each principal.
 */
import type { Identity } from '../host/identity.ts'
import type { Caller, StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { type AppSettings, unauthenticatedAgent } from './app-options.ts'
import { bucketsOf } from './rate.ts'

export interface Admitted {
  readonly caller: Caller
  readonly identity: Identity
}

export interface Admission {
  /** Throws `unauthenticated`, or `rate-limited` when this peer failed too often. */
  authenticate(request: Request, peer: string): Promise<Admitted>
  /** Counts a request against the limits; returns the function that ends it. */
  enter(admitted: Admitted, method: string): () => void
}

const bearer = /^Bearer ([\w.~+/-]+=*)$/i
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const product = /^([\w.+-]{1,64})\/([\w.+-]{1,32})/

export function admissionOf(host: StoreHost, { authentication, mode, limits, now }: AppSettings): Admission {
  const failures = bucketsOf(limits.failures, now)
  const reads = bucketsOf(limits.reads, now)
  const writes = bucketsOf(limits.writes, now)
  const underWay = new Map<string, number>()
  let all = 0

  function callerOf({ headers }: Request): Caller {
    const trace = headers.get('traceparent') ?? ''
    const client = product.exec(headers.get('user-agent') ?? '')
    return {
      ...(authentication === 'none' ? { agent: unauthenticatedAgent } : { key: keyIn(headers) }),
      trace: traceparent.test(trace) ? trace : undefined,
      client: client === null ? undefined : { name: client[1]!, version: client[2]! },
      mode,
    }
  }

  return {
    async authenticate(request, peer) {
      try {
        const caller = callerOf(request)
        return { caller, identity: await host.identify(caller) }
      } catch (error) {
        const waitSeconds = failures.take(peer)
        if (waitSeconds > 0) throw serverError('rate-limited', { retryAfterSeconds: waitSeconds })
        throw error
      }
    },
    enter({ identity: { principal } }, method) {
      if (all >= limits.atOnce) throw serverError('server-busy', { limit: limits.atOnce })
      const count = underWay.get(principal) ?? 0
      if (count >= limits.atOnceEach) throw serverError('too-many-at-once', { limit: limits.atOnceEach })
      const waitSeconds = (method === 'GET' || method === 'HEAD' ? reads : writes).take(principal)
      if (waitSeconds > 0) throw serverError('rate-limited', { retryAfterSeconds: waitSeconds })
      all++
      underWay.set(principal, count + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        all--
        const left = underWay.get(principal)! - 1
        if (left === 0) underWay.delete(principal)
        else underWay.set(principal, left)
      }
    },
  }
}

function keyIn(headers: Headers): string {
  const key = bearer.exec(headers.get('authorization') ?? '')?.[1]
  if (key === undefined) throw serverError('unauthenticated', {})
  return key
}
