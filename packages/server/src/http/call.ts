/**
 * One request for one operation, from its URL to its response.
 *
 * It treats all operations alike and knows none by name.
 */
import { answerText, runLimited } from '../host/limited-run.ts'
import type { StoreHost } from '../host/store-host.ts'
import type { Operation } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { assertAccepted, wantsProgress } from './accept.ts'
import type { Admitted, Entered } from './admission.ts'
import type { AppSettings } from './app-options.ts'
import { type Blocks, lengthOf } from './body/read-body.ts'
import { etagOf, findCommitIn, findCommitToRead, hasAlready } from './conditions.ts'
import { type Answer, answerFrom } from './exchange/answer.ts'
import type { HttpRequest } from './exchange/http-request.ts'
import { forward, LARGE_BODY_BYTES } from './forward.ts'
import type { Metrics } from './metrics.ts'
import { noteFault } from './notes.ts'
import { problemOf } from './problem.ts'
import { requestReader } from './request-fields.ts'
import { restOperations } from './routes/rest.ts'
import { routerOf } from './routes/router.ts'
import { eventResponse } from './stream/event-response.ts'
import { lineResponse } from './stream/line-response.ts'
import { workEvents } from './stream/work-events.ts'
import type { ServerWorker } from './worker/server-worker.ts'

export interface Call {
  readonly request: HttpRequest
  readonly url: URL
  readonly admitted: Admitted
  /** Called with the name of the operation as soon as it is known. */
  readonly onOperation: (name: string) => void
  /** Left when the response is complete; for a stream, when it ends. */
  readonly entered: Entered
  /** Destroys the connection; undefined for a call within the process. */
  readonly cut: (() => void) | undefined
}

export interface Serving {
  readonly host: StoreHost
  readonly settings: AppSettings
  readonly metrics: Metrics
  /** The worker thread, if there is one, for long operations and those with a large body. */
  readonly worker: ServerWorker | undefined
}

type Fields = Record<string, unknown>

/** What logs and metrics count an answer as that nobody waits for; nginx uses the same number. */
const CLIENT_LEFT = 499

export function callsOf(serving: Serving): (call: Call) => Promise<Answer> {
  const { operations } = serving.settings
  const router = routerOf([...operations, ...restOperations(operations)])
  const reader = requestReader(serving.settings.limits)

  return async call => {
    const { request, url, onOperation, entered } = call
    let isStreaming = false
    try {
      const match = router.match(request.method === 'HEAD' ? 'GET' : request.method, url.pathname)
      const { operation } = match
      onOperation(operation.name)
      if (operation.stream === 'events') entered.becomeStream()
      // The headers of a stream are known only once it has started.
      if (request.method === 'HEAD' && operation.stream !== undefined) {
        throw serverError('method-not-allowed', { method: 'HEAD', allowed: ['GET'] })
      }
      assertAccepted(request.headers.get('accept'), operation)
      const body = await reader.body(request, url.searchParams, match)
      if (serving.worker !== undefined && belongsInWorker(operation, body)) {
        const response = await forward(serving, serving.worker, call, body)
        isStreaming = true
        return response
      }
      const input = operation.input.parse(await reader.fields(request, url.searchParams, match, body)) as Fields
      const isWhole = operation.stream === undefined && !isFollowed(request, operation)
      if (isWhole) return await respond(serving, call, operation, input)
      const response = await respondStreaming(serving, call, operation, input)
      isStreaming = true
      return response
    } finally {
      if (!isStreaming) entered.leave()
    }
  }
}

function belongsInWorker({ runsIn }: Operation, body: Blocks | undefined): boolean {
  return runsIn === 'worker' || (runsIn !== 'main' && body !== undefined && lengthOf(body) > LARGE_BODY_BYTES)
}

async function respond(serving: Serving, call: Call, operation: Operation, input: Fields): Promise<Answer> {
  const { host, settings } = serving
  const { request, url, admitted } = call
  const context = host.context(admitted.caller, undefined, admitted.identity)
  const read = await findCommitToRead(operation, context, input)
  let result: unknown
  try {
    result = await runLimited(operation, settings.limits, context, input, request.signal)
  } catch (error) {
    if (request.signal.aborted && faultOf(error).code === 'too-costly')
      return { status: CLIENT_LEFT, headers: {}, body: null }
    throw error
  }
  const commit = read ?? findCommitIn(operation, result)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (commit !== undefined) headers['etag'] = etagOf(commit)
  const next = nextPageLink(operation, url, result)
  if (next !== undefined) headers['link'] = next
  if (operation.effect === 'read' && commit !== undefined && hasAlready(request.headers, etagOf(commit)))
    return { status: 304, headers, body: null }
  return { status: 200, headers, body: `${await answerText(operation, settings.limits, result)}\n` }
}

/** The `Link` header of a page that has a successor. */
function nextPageLink({ route, input }: Operation, url: URL, result: unknown): string | undefined {
  const { next_cursor: cursor } = (result ?? {}) as { readonly next_cursor?: unknown }
  if (typeof cursor !== 'string' || !route.startsWith('GET ') || !Object.hasOwn(input.shape, 'cursor')) return undefined
  const next = new URLSearchParams(url.searchParams)
  next.set('cursor', cursor)
  return `<${url.pathname}?${next}>; rel="next"`
}

/** Whether the caller follows how far long work is. */
function isFollowed({ method, headers }: HttpRequest, operation: Operation): boolean {
  return method !== 'HEAD' && wantsProgress(headers.get('accept'), operation)
}

async function respondStreaming(
  { host, settings, metrics }: Serving,
  { request, admitted, entered, cut }: Call,
  operation: Operation,
  input: Fields,
): Promise<Answer> {
  const leave = new AbortController()
  const closed = metrics.streamOpened()
  const onEnd = (): void => {
    closed()
    entered.leave()
  }
  function onFault(error: unknown): unknown {
    const fault = faultOf(error)
    noteFault(settings.log, fault, error)
    return problemOf(fault)
  }
  const { heartbeatMs, ending, limits } = settings
  const { stallTimeoutMs } = limits
  const options = { heartbeatMs, stallTimeoutMs, leave, ending, onEnd, onFault, cut }
  try {
    if (isFollowed(request, operation)) {
      const context = host.context(admitted.caller, leave.signal, admitted.identity)
      const run: Parameters<typeof workEvents>[0] = onProgress =>
        runLimited(operation, limits, { ...context, onProgress }, input)
      return answerFrom(await eventResponse(workEvents(run), options))
    }
    const context = host.context(admitted.caller, leave.signal)
    const items = (await runLimited(operation, limits, context, input)) as AsyncIterable<unknown>
    return answerFrom(await (operation.stream === 'events' ? eventResponse : lineResponse)(items, options))
  } catch (error) {
    onEnd()
    throw error
  }
}
