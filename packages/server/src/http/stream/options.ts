/** What a streamed response is told by the call it belongs to. */
export interface StreamOptions {
  readonly heartbeatMs: number
  /** How long to wait for a reader that does not read. */
  readonly stallTimeoutMs: number
  /** Aborted when the stream is over for its source. */
  readonly leave: AbortController
  /** Aborts at shutdown: events end, lines go on. */
  readonly ending: AbortSignal
  /** Called once, when a started stream ends for any reason. */
  readonly onEnd: () => void
  /** Called with the error of a started stream; returns what the caller may see of it. */
  readonly onFault: (error: unknown) => unknown
  /** Destroys the connection; undefined for a call within the process. */
  readonly cut: (() => void) | undefined
}
