/** The answer to a request, before it becomes a `Response` of the Fetch API or is written by Node. */
export interface Answer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
}

/** An answer with the status, the headers and the stream of a response. */
export function answerFrom({ status, headers, body }: Response): Answer {
  return { status, headers: Object.fromEntries(headers), body }
}

/** The same, where a body that is no stream of events is read, so that its length is known. */
export async function wholeAnswer(response: Response): Promise<Answer> {
  const isStream = response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) return answerFrom(response)
  return { ...answerFrom(response), body: new Uint8Array(await response.arrayBuffer()) }
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers })
}
