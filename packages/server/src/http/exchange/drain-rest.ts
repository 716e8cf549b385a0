/**
 * Reads on what a client still sends after its answer, so that it can take the answer and use the connection again.
 *
 * A client that sends on for longer, or more than this, loses the connection.
 */
import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 64 * 2 ** 20
const MAX_MS = 500

export function drainRest(incoming: IncomingMessage): void {
  let bytes = 0
  const close = (): void => void incoming.socket.destroySoon()
  const late = setTimeout(close, MAX_MS).unref()
  incoming.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > MAX_BYTES) close()
  })
  incoming.once('close', () => clearTimeout(late))
  incoming.resume()
}
