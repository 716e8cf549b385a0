/** A client of one operation: the same call for a store on this machine and for a server. */
export interface Client {
  /** The operation's result; for a stream, an async iterable of its items. */
  call(input: Readonly<Record<string, unknown>>): Promise<unknown>
  close(): Promise<void>
}

export function isStream(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result
}
