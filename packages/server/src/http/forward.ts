/** Requests that the worker thread answers in place of the server's own. */
import type { Admitted, Entered } from './admission.ts'
import type { AppSettings } from './app-options.ts'
import type { Blocks } from './body/read-body.ts'
import type { Answer } from './exchange/answer.ts'
import type { HttpRequest } from './exchange/http-request.ts'
import type { Metrics } from './metrics.ts'
import { isLines } from './stream/line-response.ts'
import { passedOn } from './stream/passed-on.ts'
import type { ServerWorker } from './worker/server-worker.ts'

/** Parsing and storing a larger body takes so long that other requests would wait. */
export const LARGE_BODY_BYTES = 2 ** 15

interface Forwarding {
  readonly settings: Pick<AppSettings, 'limits'>
  readonly metrics: Metrics
}

interface Forwarded {
  readonly request: HttpRequest
  readonly admitted: Admitted
  readonly entered: Entered
  readonly cut: (() => void) | undefined
}

/** Lets the worker thread answer. The request leaves when the response is complete. */
export async function forward(
  { settings, metrics }: Forwarding,
  worker: ServerWorker,
  { request, admitted, entered, cut }: Forwarded,
  body: Blocks | undefined,
): Promise<Answer> {
  const { url, method, headers } = request
  const { answer, gone } = await worker.answer({
    url,
    method,
    headers: [...headers],
    body,
    ...admitted,
  })
  const closed = isLines(answer) ? metrics.streamOpened() : () => {}
  const onEnd = (): void => {
    closed()
    entered.leave()
  }
  return passedOn(answer, { stallTimeoutMs: settings.limits.stallTimeoutMs, onEnd, cut, gone })
}
