/** The way to one operation of a store: the same call whether the store is a file here or behind a server. */
export interface Client {
  /** The operation's result; for a stream, an async iterable of its items. */
  call(input: Readonly<Record<string, unknown>>): Promise<unknown>
  close(): Promise<void>
}

export function isStream(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result
}
