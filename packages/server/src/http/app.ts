/**
 * The HTTP surface: a hono app over one store, whose routes are the table of operations.
 *
 * A request passes these checks in order: the Host, the Origin, no key in the URL, authentication, rate limits; only then is it
 * routed. Every response is logged and counted, and none may be stored by a cache.
 */
import { assertReadsAll } from 'agentstategraph/internal'
import { Hono } from 'hono'
import { defaultNamespace } from '../host/opened-namespaces.ts'
import type { StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type Admission, type Admitted, admissionOf, type Entered } from './admission.ts'
import { type AppOptions, type AppSettings, settingsOf } from './app-options.ts'
import { joined, readBody } from './body/read-body.ts'
import { callsOf } from './call.ts'
import { type Gate, gateOf } from './gate.ts'
import { type Metrics, metricsType, newMetrics } from './metrics.ts'
import { noteFault, noteRequest } from './notes.ts'
import { openApiDocument } from './openapi.ts'
import { problemResponse } from './problem.ts'
import { passedOn } from './stream/passed-on.ts'
import { assertNoKeyIn } from './url-fields.ts'
import { welcomeText } from './welcome.ts'
import type { ServerWorker } from './worker/server-worker.ts'

interface Env {
  /** Set by the Node adapter; absent for a call within the process. */
  Bindings: {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } }
    readonly outgoing?: { destroy(): void }
  }
  Variables: {
    /** The name of the operation in logs and metrics. */
    operation: string
    headers: Readonly<Record<string, string>>
    admitted: Admitted
    /** The request as the limits of concurrent requests and streams count it. */
    entered: Entered
  }
}

const safeHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const
const jsonHeaders = { 'Content-Type': 'application/json' } as const

type App = Hono<Env>

/** Makes the HTTP app of an open store. */
export function makeApp(host: StoreHost, options: AppOptions = {}): App {
  return makeAppWith(host, options, undefined)
}

/** The order of the steps is the defence: each one runs before the next sees the request. */
export function makeAppWith(host: StoreHost, options: AppOptions, worker: ServerWorker | undefined): App {
  const settings = settingsOf(options)
  const metrics = newMetrics()
  const app: App = new Hono<Env>()
  recordResponses(app, settings, metrics)
  checkOrigin(app, settings, gateOf(options))
  addPublicRoutes(app, host, settings)
  authenticate(app, admissionOf(host, settings))
  addDocuments(app, host, settings, metrics)
  addMounts(app, settings, metrics)
  const call = callsOf({ host, settings, metrics, worker })
  app.all('*', c =>
    call({
      request: c.req.raw,
      admitted: c.get('admitted'),
      onOperation: name => c.set('operation', name),
      entered: c.get('entered'),
      cut: cutOf(c.env),
    }),
  )
  app.onError(error => {
    const fault = faultOf(error)
    noteFault(settings.log, fault, error)
    return problemResponse(fault)
  })
  return app
}

function recordResponses(app: App, { now, ending, log }: AppSettings, metrics: Metrics): void {
  app.use(async (c, next) => {
    const start = now()
    const over = metrics.begun()
    c.set('operation', 'none')
    c.set('headers', {})
    await next()
    over()
    for (const [name, value] of Object.entries({ ...safeHeaders, ...c.get('headers') })) c.res.headers.set(name, value)
    if (ending.aborted) c.res.headers.set('Connection', 'close')
    const ms = now() - start
    const operation = c.get('operation')
    const { status } = c.res
    metrics.answered(operation, status, ms / 1000)
    noteRequest(log, { method: c.req.method, operation, status, ms, identity: c.get('admitted')?.identity })
  })
}

function checkOrigin(app: App, { ending }: AppSettings, gate: Gate): void {
  app.use(async (c, next) => {
    c.set('headers', gate.admit(c.req.raw))
    if (ending.aborted) throw serverError('shutting-down', {})
    const preflight = gate.preflight(c.req.raw)
    if (preflight !== undefined) return preflight
    assertNoKeyIn(new URL(c.req.url).searchParams)
    return next()
  })
}

function addPublicRoutes(app: App, host: StoreHost, { version }: AppSettings): void {
  app.get('/', c => c.text(welcomeText(new URL(c.req.url).origin)))
  for (const path of ['/healthz', '/api/health']) {
    app.get(path, async c => {
      c.set('operation', 'health')
      // A server whose store cannot be read is not healthy.
      await host.context({}).namespaces()
      return c.json({ status: 'ok', version })
    })
  }
}

function authenticate(app: App, admission: Admission): void {
  app.use(async (c, next) => {
    const admitted = await admission.authenticate(c.req.raw, c.env?.incoming?.socket?.remoteAddress ?? 'local')
    c.set('admitted', admitted)
    c.set('entered', admission.enter(admitted, c.req.method))
    return next()
  })
}

function addDocuments(app: App, host: StoreHost, { operations, version }: AppSettings, metrics: Metrics): void {
  let document: string | undefined
  app.get('/openapi.json', c => {
    c.set('operation', 'openapi')
    c.get('entered').leave()
    document ??= `${JSON.stringify(openApiDocument(operations, version))}\n`
    return c.body(document, 200, jsonHeaders)
  })
  app.get('/metrics', async c => {
    c.set('operation', 'metrics')
    c.get('entered').leave()
    await assertMayMeasure(host, c.get('admitted'))
    return c.body(metrics.text(), 200, { 'Content-Type': metricsType })
  })
}

/** Metrics tell of all namespaces: they are for the operator, and for those who may read everything in the default one. */
async function assertMayMeasure(host: StoreHost, { caller, identity: { home } }: Admitted): Promise<void> {
  if (home !== undefined && home !== defaultNamespace) {
    throw serverError('access-unavailable', { what: 'Metrics with a key of another namespace' })
  }
  const { handle } = await host.context(caller).repo()
  await handle.journal.run(assertReadsAll(handle))
}

function addMounts(app: App, { mounts, limits }: AppSettings, metrics: Metrics): void {
  const { stallTimeoutMs } = limits
  for (const mount of mounts) {
    for (const pattern of [mount.path, `${mount.path}/*`]) {
      app.all(pattern, async c => {
        c.set('operation', 'mount')
        const entered = c.get('entered')
        const closed = mount.opensStream?.(c.req.raw) === true ? openStream(entered, metrics) : () => {}
        const onEnd = (): void => {
          closed()
          entered.leave()
        }
        try {
          const response = await mount.fetch(await wholeRequest(c.req.raw, limits), c.get('admitted').caller)
          return passedOn(response, { stallTimeoutMs, onEnd, cut: cutOf(c.env) })
        } catch (error) {
          onEnd()
          throw error
        }
      })
    }
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

function cutOf(env: Env['Bindings'] | undefined): (() => void) | undefined {
  const outgoing = env?.outgoing
  return outgoing === undefined ? undefined : () => outgoing.destroy()
}

/** A request with its whole body read, within the limits of all bodies. */
async function wholeRequest(request: Request, limits: AppSettings['limits']): Promise<Request> {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const bytes = joined(await readBody(request, limits))
  const { method, headers, signal } = request
  return new Request(request.url, {
    method,
    headers,
    signal,
    ...(bytes.length === 0 ? {} : { body: bytes }),
  })
}
