/**
 * One request for one operation, from its URL to its answer.
 *
 * It knows operations only by what the table says of all of them.
 */
import type { StoreHost } from '../host/store-host.ts'
import type { Operation } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { assertAccepted } from './accept.ts'
import type { Admitted } from './admission.ts'
import type { AppSettings } from './app-options.ts'
import { etagOf, findCommitIn, findCommitToRead, hasAlready } from './conditions.ts'
import type { Metrics } from './metrics.ts'
import { nextPageLink } from './next-page.ts'
import { noteFault } from './notes.ts'
import { problemOf } from './problem.ts'
import { requestReader } from './request-fields.ts'
import { routerOf } from './router.ts'
import { eventResponse, lineResponse } from './stream.ts'

export interface Call {
  readonly request: Request
  readonly admitted: Admitted
  /** Told which operation it is, as soon as that is known. */
  readonly onOperation: (name: string) => void
  /** Called when the answer is over, which a stream decides. */
  readonly onEnd: () => void
}

type Fields = Record<string, unknown>

export function callsOf(host: StoreHost, settings: AppSettings, metrics: Metrics): (call: Call) => Promise<Response> {
  const router = routerOf(settings.operations)
  const reader = requestReader(settings.limits)

  return async call => {
    const { request, admitted, onOperation, onEnd } = call
    let isStreaming = false
    try {
      const url = new URL(request.url)
      const match = router.match(request.method === 'HEAD' ? 'GET' : request.method, url.pathname)
      const { operation } = match
      onOperation(operation.name)
      // There is no telling what the headers of a stream would be without beginning it.
      if (request.method === 'HEAD' && operation.stream !== undefined) {
        throw serverError('method-not-allowed', { method: 'HEAD', allowed: ['GET'] })
      }
      assertAccepted(request.headers.get('accept'), operation)
      const input = operation.input.parse(await reader.read(request, url.searchParams, match)) as Fields
      if (operation.stream === undefined) return await answer(call, operation, input, url)
      const response = await stream(admitted, operation, input, onEnd)
      isStreaming = true
      return response
    } finally {
      if (!isStreaming) onEnd()
    }
  }

  async function answer({ request, admitted }: Call, operation: Operation, input: Fields, url: URL): Promise<Response> {
    const context = host.context(admitted.caller)
    const read = await findCommitToRead(operation, context, input)
    const result = await operation.run(context, input)
    const commit = read ?? findCommitIn(operation, result)
    const headers: Record<string, string> = { 'Content-Type': 'application/json' }
    if (commit !== undefined) headers['ETag'] = etagOf(commit)
    const next = nextPageLink(operation, url, result)
    if (next !== undefined) headers['Link'] = next
    if (operation.effect === 'read' && commit !== undefined && hasAlready(request.headers, etagOf(commit)))
      return new Response(null, { status: 304, headers })
    return new Response(`${JSON.stringify(result ?? {})}\n`, { headers })
  }

  function onFault(error: unknown): unknown {
    const fault = faultOf(error)
    noteFault(settings.log, fault, error)
    return problemOf(fault)
  }

  async function stream(
    { caller }: Admitted,
    operation: Operation,
    input: Fields,
    onEnd: () => void,
  ): Promise<Response> {
    const leave = new AbortController()
    const closed = metrics.streamOpened()
    const end = (): void => leave.abort()
    settings.ending.addEventListener('abort', end)
    const over = (): void => {
      settings.ending.removeEventListener('abort', end)
      closed()
      onEnd()
    }
    const options = { heartbeatMs: settings.heartbeatMs, leave, onEnd: over, onFault }
    try {
      const items = (await operation.run(host.context(caller, leave.signal), input)) as AsyncIterable<unknown>
      return await (operation.stream === 'events' ? eventResponse(items, options) : lineResponse(items, options))
    } catch (error) {
      over()
      throw error
    }
  }
}
