/**
 * Authentication and rate limits.
 *
 * A key is accepted in the Authorization header only. Every failure has the same response, except that a peer with many failures
 * is rate-limited. Then limits of rate and concurrency apply to each principal; streams of events have their own.
 */
import type { Identity } from '../host/identity.ts'
import type { Caller, StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type AppSettings, unauthenticatedAgent } from './app-options.ts'
import type { HttpRequest, RequestHeaders } from './exchange/http-request.ts'
import { placesOf } from './places.ts'
import { bucketsOf, type Rate } from './rate.ts'
import { turnsOf } from './turns.ts'

/** A request, and where it came from. */
export interface Sender {
  readonly request: HttpRequest
  /** The address of the client; `local` for a call within the process. */
  readonly peer: string
  /** What stands for the connection; undefined for a call within the process. */
  readonly connection: object | undefined
}

export interface Admitted {
  readonly caller: Caller
  readonly identity: Identity
}

export interface Admission {
  /** Throws `unauthenticated`, or `rate-limited` when this peer failed too often. */
  authenticate(sender: Sender): Promise<Admitted>
  /** Counts a request against the limits. */
  enter(admitted: Admitted, method: string): Entered
}

/** A request that is under way. */
export interface Entered {
  /** From now on it counts as a stream. Throws when there are too many streams. */
  becomeStream(): void
  leave(): void
}

const BURST_SECONDS = 10

/** The headers that tell who calls. */
const telling = ['authorization', 'traceparent', 'user-agent'] as const
const bearer = /^Bearer ([\w.~+/-]+=*)$/i
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const product = /^([\w.+-]{1,64})\/([\w.+-]{1,32})/

export function admissionOf(host: StoreHost, { authentication, mode, limits, now }: AppSettings): Admission {
  const failures = bucketsOf({ perSecond: limits.failuresPerMinute / 60, burst: limits.failuresPerMinute }, now)
  const reads = bucketsOf(rateOf(limits.readsPerSecond), now)
  const writes = bucketsOf(rateOf(limits.writesPerSecond), now)
  const takeRequest = placesOf('requests', limits.requests, limits.totalRequests)
  // Unknown keys of one peer are looked for one after the other, so that each failure counts before the next one's work.
  const inTurn = turnsOf()
  const takeStream = placesOf('streams', limits.streams, limits.totalStreams)

  function findCaller({ headers }: HttpRequest): Caller | undefined {
    const key = authentication === 'none' ? undefined : findKey(headers)
    if (authentication !== 'none' && key === undefined) return undefined
    const trace = headers.get('traceparent') ?? ''
    const client = product.exec(headers.get('user-agent') ?? '')
    return {
      ...(key === undefined ? { agent: unauthenticatedAgent } : { key }),
      trace: traceparent.test(trace) ? trace : undefined,
      client: client === null ? undefined : { name: client[1]!, version: client[2]! },
      mode,
    }
  }

  /** A client says who it is on each request of a connection, mostly in the same words. */
  const lastOf = new WeakMap<object, { readonly words: string; readonly caller: Caller | undefined }>()

  function findCallerOn(connection: object, request: HttpRequest): Caller | undefined {
    const words = telling.map(name => request.headers.get(name) ?? '').join('\n')
    const last = lastOf.get(connection)
    if (last?.words === words) return last.caller
    const caller = findCaller(request)
    lastOf.set(connection, { words, caller })
    return caller
  }

  /** `caller` is undefined for a request without a key. */
  async function identified(caller: Caller | undefined, peer: string): Promise<Admitted> {
    // A request without a key guesses nothing, so it is no failure that counts: a page that asks first and gets its key then is not locked out.
    if (caller === undefined) throw serverError('unauthenticated', {})
    try {
      // Finding out whose an unknown key is takes a hash and a read, so a peer with many failures does not get that far.
      const waitSeconds = host.isKnown(caller) ? 0 : failures.look(peer)
      if (waitSeconds > 0) throw serverError('rate-limited', { retryAfterSeconds: waitSeconds })
      return { caller, identity: await host.identify(caller) }
    } catch (error) {
      if (faultOf(error).code !== 'unauthenticated') throw error
      const waitSeconds = failures.take(peer)
      if (waitSeconds > 0) throw serverError('rate-limited', { retryAfterSeconds: waitSeconds })
      throw error
    }
  }

  return {
    async authenticate({ request, peer, connection }) {
      const caller = connection === undefined ? findCaller(request) : findCallerOn(connection, request)
      const isKnown = caller !== undefined && host.isKnown(caller)
      return isKnown ? identified(caller, peer) : inTurn(peer, () => identified(caller, peer))
    },
    enter({ identity }, method) {
      const who = accountOf(identity)
      let leave = takeRequest(who)
      const waitSeconds = (method === 'GET' || method === 'HEAD' ? reads : writes).take(who)
      if (waitSeconds > 0) {
        leave()
        throw serverError('rate-limited', { retryAfterSeconds: waitSeconds })
      }
      return {
        becomeStream() {
          const leaveStream = takeStream(who)
          leave()
          leave = leaveStream
        },
        leave: () => leave(),
      }
    },
  }
}

/** Whose requests count together. Principals of two namespaces are two, also when they have one name. */
function accountOf({ principal, home }: Identity): string {
  return JSON.stringify([home, principal])
}

function rateOf(perSecond: number): Rate {
  return { perSecond, burst: Math.max(1, perSecond * BURST_SECONDS) }
}

function findKey(headers: RequestHeaders): string | undefined {
  return bearer.exec(headers.get('authorization') ?? '')?.[1]
}
