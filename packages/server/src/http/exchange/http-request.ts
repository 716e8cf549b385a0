/** A request as the app reads it. A `Request` of the Fetch API is one; a server makes a lighter one from what Node parsed. */
export interface HttpRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: RequestHeaders
  readonly body: { getReader(): BodyReader } | null
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export interface RequestHeaders extends Iterable<[string, string]> {
  get(name: string): string | null
  has(name: string): boolean
}

export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}
