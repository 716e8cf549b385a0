/**
 * The HTTP surface: a hono app over one store, whose routes are the table of operations.
 *
 * The order is the defence: the name the server is called by, the page that calls, keys in URLs, who it is, whether there is
 * room, and only then what is asked. Every answer is noted and counted; none may be kept by a cache that does not ask again.
 */
import { Hono } from 'hono'
import type { StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { type Admitted, admissionOf } from './admission.ts'
import { type AppOptions, type AppSettings, settingsOf } from './app-options.ts'
import { callsOf } from './call.ts'
import { gateOf } from './gate.ts'
import { metricsType, newMetrics } from './metrics.ts'
import { noteFault, noteRequest } from './notes.ts'
import { openApiDocument } from './openapi.ts'
import { problemResponse } from './problem.ts'
import { readBody } from './read-body.ts'
import { assertNoKeyIn } from './url-fields.ts'
import { welcomeText } from './welcome.ts'

interface Env {
  /** What the Node adapter gives; nothing in a call within the process. */
  Bindings: { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } }
  Variables: {
    /** What the request is for, as logs and metrics name it. */
    operation: string
    headers: Readonly<Record<string, string>>
    admitted: Admitted
    /** Ends the request's place among those under way. */
    leave: () => void
  }
}

const safeHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const
const jsonHeaders = { 'Content-Type': 'application/json' } as const

export function makeApp(host: StoreHost, options: AppOptions = {}): Hono<Env> {
  const settings = settingsOf(options)
  const { now, ending, limits, log } = settings
  const gate = gateOf(options)
  const metrics = newMetrics()
  const admission = admissionOf(host, settings)
  const call = callsOf(host, settings, metrics)
  let document: string | undefined
  const app = new Hono<Env>()

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

  app.use(async (c, next) => {
    c.set('headers', gate.admit(c.req.raw))
    if (ending.aborted) throw serverError('shutting-down', {})
    const preflight = gate.preflight(c.req.raw)
    if (preflight !== undefined) return preflight
    assertNoKeyIn(new URL(c.req.url).searchParams)
    return next()
  })

  app.get('/', c => c.text(welcomeText(new URL(c.req.url).origin)))
  for (const path of ['/healthz', '/api/health']) {
    app.get(path, async c => {
      c.set('operation', 'health')
      // A store that cannot be read is not in good health.
      await host.context({}).namespaces()
      return c.json({ status: 'ok', version: settings.version })
    })
  }

  app.use(async (c, next) => {
    const admitted = await admission.authenticate(c.req.raw, c.env?.incoming?.socket?.remoteAddress ?? 'local')
    c.set('admitted', admitted)
    c.set('leave', admission.enter(admitted, c.req.method))
    return next()
  })

  app.get('/openapi.json', c => {
    c.set('operation', 'openapi')
    c.get('leave')()
    document ??= `${JSON.stringify(openApiDocument(settings.operations, settings.version))}\n`
    return c.body(document, 200, jsonHeaders)
  })
  app.get('/metrics', c => {
    c.set('operation', 'metrics')
    c.get('leave')()
    return c.body(metrics.text(), 200, { 'Content-Type': metricsType })
  })

  for (const mount of settings.mounts) {
    for (const pattern of [mount.path, `${mount.path}/*`]) {
      app.all(pattern, async c => {
        c.set('operation', 'mount')
        try {
          return await mount.fetch(await wholeRequest(c.req.raw, limits), c.get('admitted').caller)
        } finally {
          c.get('leave')()
        }
      })
    }
  }

  app.all('*', c =>
    call({
      request: c.req.raw,
      admitted: c.get('admitted'),
      onOperation: name => c.set('operation', name),
      onEnd: c.get('leave'),
    }),
  )

  app.onError(error => {
    const fault = faultOf(error)
    noteFault(log, fault, error)
    return problemResponse(fault)
  })

  return app
}

/** A request whose body has arrived, within the limits that hold for all bodies. */
async function wholeRequest(request: Request, limits: AppSettings['limits']): Promise<Request> {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const bytes = await readBody(request, limits)
  const { method, headers, signal } = request
  return new Request(request.url, {
    method,
    headers,
    signal,
    ...(bytes.length === 0 ? {} : { body: Buffer.from(bytes) }),
  })
}
