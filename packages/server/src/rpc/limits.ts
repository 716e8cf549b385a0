/** What one connection may take, with the defaults. `hello` tells them to the client. */

export interface RpcLimits {
  /** The longest line, in both directions. */
  readonly lineBytes: number
  /** Requests that are not answered yet. With so many, no further line is read. */
  readonly requests: number
  /** Bytes of those requests, and bytes of answers that the client has not read. With so many, no further line is read. */
  readonly heldBytes: number
  /** Open streams. Another one is refused. */
  readonly streams: number
  /** Items of a stream that are sent before the client asks for more. */
  readonly streamItems: number
  /** Open stores. Another one is refused. */
  readonly stores: number
}

export const defaultRpcLimits: RpcLimits = {
  lineBytes: 64 * 2 ** 20,
  requests: 1024,
  heldBytes: 64 * 2 ** 20,
  streams: 256,
  streamItems: 128,
  stores: 64,
}
