/**
 * An HTTP server over one store, from start to graceful shutdown.
 *
 * By default it listens on the loopback only and requires a token. At shutdown it ends streams and finishes active requests, while
 * it refuses new ones; then it stops listening, and closes the store last.
 */
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import type { Warning } from 'agentstategraph'
import { digestOf, type KeptToken, newToken, tokenIn } from '../host/operator-token.ts'
import { findFile } from '../host/store-address.ts'
import { assertStored, type HostOptions, openHost, type StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type Asked, answersOf } from './app.ts'
import type { AppOptions, Mount } from './app-options.ts'
import type { Answer } from './exchange/answer.ts'
import { drainRest } from './exchange/drain-rest.ts'
import { findUrl, requestOf } from './exchange/incoming-request.ts'
import { runningOf } from './exchange/running.ts'
import { sendAnswer } from './exchange/send-answer.ts'
import { answerUnparsed } from './exchange/unparsed.ts'
import { defaultServeLimits, type ServeLimits } from './limits.ts'
import { type Log, logLine } from './log-line.ts'
import { noteFault, noteWarning } from './notes.ts'
import { problemAnswer } from './problem.ts'
import type { WorkerOrders } from './worker/messages.ts'
import { serverWorker } from './worker/server-worker.ts'

/** Options of `serve`. */
export interface ServeOptions extends Omit<AppOptions, 'ending' | 'limits' | 'mounts'> {
  /** The store's file; in memory without one. */
  readonly store?: string | undefined
  /** 0 picks a free port. */
  readonly port?: number | undefined
  readonly address?: string | undefined
  /** The token to use in place of a generated one. */
  readonly token?: string | undefined
  /** Replaces the token; the old one becomes invalid. */
  readonly renewToken?: boolean | undefined
  readonly storeOptions?: Omit<HostOptions, 'token' | 'mode'> | undefined
  /** Other handlers, made when the store is open. */
  readonly mounts?: ((host: StoreHost) => readonly Mount[]) | undefined
  readonly limits?: Partial<ServeLimits> | undefined
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string
  readonly host: StoreHost
  /** The token, if it was just made. It cannot be shown later. */
  readonly shownToken: string | undefined
  /** Ends streams, finishes active requests, refuses new ones, and closes the store. */
  close(): Promise<void>
}

const DEFAULT_PORT = 3001
const LOOPBACK = '127.0.0.1'
const MAX_HEADER_BYTES = 16 * 1024
const MAX_REQUESTS_PER_SOCKET = 10_000
const IDLE_LOOK_MS = 20

/** Starts a server. */
export async function serve(options: ServeOptions = {}): Promise<RunningServer> {
  const { address = LOOPBACK, authentication = 'key', hosts = [], mode } = options
  assertMayListen(address, authentication, hosts)
  // Before the token, whose file would be left without a store.
  if (mode === 'read-only') await assertStored(options.store)
  const token = authentication === 'none' ? undefined : tokenOf(options)
  const log: Log = options.log ?? (entry => process.stderr.write(logLine(new Date(), entry)))
  const onWarning = (warning: Warning): void => noteWarning(log, warning)
  const host = await openHost(options.store, { onWarning, ...options.storeOptions, mode, token: token?.digest })
  try {
    const ending = new AbortController()
    const names = isLoopback(address) || isEverywhere(address) ? hosts : [bracketed(address), ...hosts]
    const mounts = options.mounts?.(host) ?? []
    const orders = findWorkerOrders(options, token, mounts)
    const worker = orders === undefined ? undefined : serverWorker(orders, log)
    const answer = answersOf(host, { ...options, mounts, log, hosts: names, ending: ending.signal }, worker)
    const limits = { ...defaultServeLimits, ...options.limits }
    const server = createServer(serverOptions(limits), listenerOf(answer, log))
    answerUnparsed(server)
    const running = runningOf(server)
    server.maxConnections = limits.connections
    server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET
    const port = await listen(server, options.port ?? DEFAULT_PORT, address)
    let closing: Promise<void> | undefined
    async function close(): Promise<void> {
      ending.abort()
      const late = AbortSignal.timeout(limits.stopTimeoutMs)
      late.addEventListener('abort', () => server.closeAllConnections())
      await Promise.all([running.finished(), ...mounts.map(mount => mount.close?.())])
      await stopListening(server, late)
      await worker?.close(late)
      await host.close()
    }
    return {
      url: `http://${bracketed(address)}:${port}`,
      host,
      shownToken: token?.shown,
      close: () => (closing ??= close()),
    }
  } catch (error) {
    await host.close()
    throw error
  }
}

/** Beyond the loopback, the server requires authentication and a list of its host names. */
function assertMayListen(address: string, authentication: 'key' | 'none', hosts: readonly string[]): void {
  if (isLoopback(address)) return
  if (authentication === 'none' || (isEverywhere(address) && hosts.length === 0))
    throw serverError('bind-refused', { address })
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/** Not a valid host name: browsers used to treat it as the loopback. */
function isEverywhere(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address
}

/**
 * A worker thread can open the store with the same options only where they are no code. It has no app: operations that use it
 * stay in this thread.
 */
function findWorkerOrders(
  options: ServeOptions,
  token: KeptToken | undefined,
  mounts: readonly Mount[],
): WorkerOrders | undefined {
  const { store, storeOptions = {}, operations, limits } = options
  const { agent, apps, ...others } = storeOptions
  if (store === undefined || operations !== undefined || Object.keys(others).length > 0) return undefined
  const ordered = mounts.flatMap(({ inWorker }) => (inWorker === undefined ? [] : [inWorker.orders]))
  return { store, agent, token: token?.digest, limits, mounts: ordered }
}

function tokenOf({ store, token, renewToken }: ServeOptions): KeptToken {
  if (token !== undefined) return { digest: digestOf(token), shown: undefined }
  const file = store === undefined ? undefined : findFile(store)
  if (file !== undefined) return tokenIn(`${file}.token`, { renew: renewToken })
  const shown = newToken()
  return { digest: digestOf(shown), shown }
}

function serverOptions({ headersTimeoutMs, bodyTimeoutMs }: ServeLimits): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    // Of two keys or two types, none may be taken for the only one.
    joinDuplicateHeaders: true,
    headersTimeout: headersTimeoutMs,
    // The app handles slow bodies; this timeout ends connections that the app never sees.
    requestTimeout: headersTimeoutMs + 2 * bodyTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
  }
}

function listenerOf(answer: (asked: Asked) => Promise<Answer>, log: Log): RequestListener {
  async function answerTo(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Answer> {
    const url = findUrl(incoming)
    if (url === undefined) return problemAnswer(faultOf(serverError('request-malformed', {})))
    const request = requestOf(incoming, outgoing, url)
    const { socket } = incoming
    const peer = socket.remoteAddress ?? 'local'
    return answer({ request, url, peer, connection: socket, cut: () => outgoing.destroy() })
  }
  return async (incoming, outgoing) => {
    try {
      const sent = sendAnswer(await answerTo(incoming, outgoing), outgoing)
      if (!incoming.complete) drainRest(incoming)
      await sent
    } catch (error) {
      noteFault(log, faultOf(error), error)
      outgoing.destroy()
    }
  }
}

function listen(server: Server, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}

async function stopListening(server: Server, late: AbortSignal): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  // A connection becomes idle after its last response, which may be after the server was closed.
  const idleCheck = setInterval(() => {
    if (late.aborted) server.closeAllConnections()
    else server.closeIdleConnections()
  }, IDLE_LOOK_MS)
  await closed
  clearInterval(idleCheck)
}
