/**
 * The HTTP surface: one store, whose routes are the table of operations.
 *
 * A request passes these checks in order: the Host, the Origin, no key in the URL, authentication, rate limits; only then is it
 * routed. Every response is logged and counted, and none may be stored by a cache.
 */
import { randomUUID } from 'node:crypto'
import { assertReadsAll, defaultNamespace } from 'agentstategraph/internal'
import type { StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type Admitted, admissionOf, type Entered, type Sender } from './admission.ts'
import { type AppOptions, type AppSettings, type Mount, settingsOf } from './app-options.ts'
import { type Blocks, joined, lengthOf, readBody } from './body/read-body.ts'
import { callsOf } from './call.ts'
import { type Answer, responseOf, wholeAnswer } from './exchange/answer.ts'
import type { HttpRequest } from './exchange/http-request.ts'
import { explorerOf, wantsPage } from './explorer.ts'
import { forward, LARGE_BODY_BYTES } from './forward.ts'
import { gateOf } from './gate.ts'
import { type Metrics, metricsType, newMetrics } from './metrics.ts'
import { noteFault, noteRequest } from './notes.ts'
import { openApiDocument } from './openapi.ts'
import { problemAnswer } from './problem.ts'
import { passedOn } from './stream/passed-on.ts'
import { assertNoKeyIn } from './url-fields.ts'
import { welcomeText } from './welcome.ts'
import type { ServerWorker } from './worker/server-worker.ts'

/** The HTTP surface of an open store. */
export interface App {
  fetch(request: Request): Promise<Response>
}

/** A request, and the connection that it came over. */
export interface Asked extends Sender {
  /** The URL of the request. */
  readonly url: URL
  /** Destroys the connection; undefined for a call within the process. */
  readonly cut: (() => void) | undefined
}

/** What becomes known about a request on its way, for its response, its log entry and its metrics. */
interface Progress {
  /** The name of the operation in logs and metrics. */
  operation: string
  headers: Readonly<Record<string, string>>
  admitted?: Admitted
}

const safeHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
const jsonHeaders = { 'content-type': 'application/json' } as const
const textHeaders = { 'content-type': 'text/plain; charset=UTF-8' } as const

/** What everybody may read. */
const pages: ReadonlySet<string> = new Set(['/', '/healthz', '/api/health', '/openapi.json'])
const requestId = /^[\w.:-]{1,128}$/

/** Makes the HTTP app of an open store. */
export function makeApp(host: StoreHost, options: AppOptions = {}): App {
  const answer = answersOf(host, options, undefined)
  return {
    async fetch(request) {
      const url = new URL(request.url)
      return responseOf(await answer({ request, url, peer: 'local', connection: undefined, cut: undefined }))
    },
  }
}

/** How an open store answers requests. The order of the steps is the defence: each one runs before the next sees the request. */
export function answersOf(
  host: StoreHost,
  options: AppOptions,
  worker: ServerWorker | undefined,
): (asked: Asked) => Promise<Answer> {
  const settings = settingsOf(options)
  const { now, ending, log, version, operations, limits } = settings
  const metrics = newMetrics()
  const gate = gateOf(options)
  const admission = admissionOf(host, settings)
  const call = callsOf({ host, settings, metrics, worker })
  const explorer = explorerOf()
  let document: string | undefined
  /** A look at the store that is under way. */
  let looking: Promise<unknown> | undefined

  /** Everybody may ask for it, and a look at a store elsewhere may cost something: those who ask meanwhile share one. */
  function lookAtStore(): Promise<unknown> {
    looking ??= host
      .context({})
      .namespaces()
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  async function pageAt({ pathname, origin }: URL, progress: Progress): Promise<Answer> {
    if (pathname === '/') return { status: 200, headers: { ...textHeaders }, body: welcomeText(origin) }
    if (pathname === '/openapi.json') {
      progress.operation = 'openapi'
      document ??= `${JSON.stringify(openApiDocument(operations, version))}\n`
      return { status: 200, headers: { ...jsonHeaders }, body: document }
    }
    progress.operation = 'health'
    // A server whose store cannot be read is not healthy.
    await lookAtStore()
    return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify({ status: 'ok', version }) }
  }

  async function metricsFor(admitted: Admitted, progress: Progress): Promise<Answer> {
    progress.operation = 'metrics'
    await assertMayMeasure(host, admitted)
    return { status: 200, headers: { 'content-type': metricsType }, body: metrics.text() }
  }

  async function respond(asked: Asked, progress: Progress): Promise<Answer> {
    const { request, url, cut } = asked
    progress.headers = gate.admit(request, url)
    if (ending.aborted) throw serverError('shutting-down', {})
    const preflight = gate.preflight(request)
    if (preflight !== undefined) return preflight
    if (url.search !== '') assertNoKeyIn(url.searchParams)
    const { pathname } = url
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const file = isRead && (pathname !== '/' || wantsPage(request)) ? explorer(pathname) : undefined
    if (file !== undefined) {
      progress.operation = 'explorer'
      return file
    }
    if (isRead && pages.has(pathname)) return pageAt(url, progress)
    const admitted = await admission.authenticate(asked)
    progress.admitted = admitted
    const entered = admission.enter(admitted, request.method)
    if (isRead && pathname === '/metrics') {
      entered.leave()
      return metricsFor(admitted, progress)
    }
    const mount = settings.mounts.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    if (mount !== undefined) {
      progress.operation = 'mount'
      return mounted(mount, { request, admitted, entered, cut, limits, metrics, worker })
    }
    const onOperation = (name: string): void => {
      progress.operation = name
    }
    return call({ request, url, admitted, onOperation, entered, cut })
  }

  return async asked => {
    const { request, url } = asked
    const start = now()
    const over = metrics.begun()
    const progress: Progress = { operation: 'none', headers: {} }
    const given = request.headers.get('x-request-id') ?? ''
    const id = requestId.test(given) ? given : randomUUID()
    let answer: Answer
    try {
      answer = await respond(asked, progress)
    } catch (error) {
      const fault = faultOf(error)
      noteFault(log, fault, error)
      answer = problemAnswer(fault)
    }
    const { status, headers, body } = answer
    over()
    headers['x-request-id'] = id
    Object.assign(headers, safeHeaders, progress.headers)
    if (ending.aborted) headers['connection'] = 'close'
    const ms = now() - start
    const { operation, admitted } = progress
    metrics.answered(operation, status, ms / 1000)
    noteRequest(log, {
      id,
      method: request.method,
      path: url.pathname,
      operation,
      status,
      ms,
      identity: admitted?.identity,
    })
    return { status, headers, body: request.method === 'HEAD' ? withoutBody(body) : body }
  }
}

function withoutBody(body: Answer['body']): null {
  if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
  return null
}

/** Metrics tell of all namespaces: they are for the operator, and for those who may read everything in the default one. */
async function assertMayMeasure(host: StoreHost, { caller, identity: { home } }: Admitted): Promise<void> {
  if (home !== undefined && home !== defaultNamespace) {
    throw serverError('access-unavailable', { what: 'Metrics with a key of another namespace' })
  }
  const { handle } = await host.context(caller).repo()
  await handle.journal.run(assertReadsAll(handle))
}

interface MountCall extends Pick<Asked, 'request' | 'cut'> {
  readonly admitted: Admitted
  readonly entered: Entered
  readonly limits: AppSettings['limits']
  readonly metrics: Metrics
  readonly worker: ServerWorker | undefined
}

async function mounted(mount: Mount, call: MountCall): Promise<Answer> {
  const { request, admitted, entered, cut, limits, metrics, worker } = call
  const { stallTimeoutMs } = limits
  const isStream = mount.opensStream?.(request) === true
  const closed = isStream ? openStream(entered, metrics) : () => {}
  const onEnd = (): void => {
    closed()
    entered.leave()
  }
  try {
    const body = request.method === 'GET' || request.method === 'HEAD' ? [] : await readBody(request, limits)
    const isLarge = lengthOf(body) > LARGE_BODY_BYTES
    if (isLarge && isStream) throw serverError('body-too-large', { limit: LARGE_BODY_BYTES })
    if (isLarge && worker !== undefined && mount.inWorker?.canAnswer(joined(body)) === true) {
      return await forward({ settings: { limits }, metrics }, worker, call, body)
    }
    const response = await mount.fetch(wholeRequest(request, body), admitted.caller)
    return passedOn(await wholeAnswer(response), { stallTimeoutMs, onEnd, cut })
  } catch (error) {
    onEnd()
    throw error
  }
}

function openStream(entered: Entered, metrics: Metrics): () => void {
  try {
    entered.becomeStream()
    return metrics.streamOpened()
  } catch (error) {
    entered.leave()
    throw error
  }
}

/** A request of the Fetch API with a body that has been read. */
function wholeRequest({ url, method, headers, signal }: HttpRequest, blocks: Blocks): Request {
  const body = blocks.length === 0 ? {} : { body: joined(blocks) }
  return new Request(url, { method, headers: [...headers], signal, ...body })
}
