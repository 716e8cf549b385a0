/**
 * A network that fails, in front of a Redis server: it passes bytes on, and lets a fault hit a batch when it is told to.
 *
 * It listens on a port of its own and reaches the server through its socket. A batch is a request with EVAL.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What happens to a batch on its way. */
export type NetworkFault =
  /** The server runs it; its reply is dropped and the connection is cut. */
  | 'reply-lost'
  /** The connection is cut, and the batch does not reach the server. */
  | 'cut'
  /** Half of it is sent, and then the connection is cut. */
  | 'half-sent'
  /** Half of the reply is passed on, and then the connection is cut. */
  | 'half-reply'
  /** The connection is cut, and the batch reaches the server at the same time as the next one. */
  | 'late'
  /** Nothing comes back any more, and the connection stays open. */
  | 'silent'

export interface RedisProxy {
  readonly port: number
  /** How often each fault has happened. */
  readonly met: ReadonlyMap<NetworkFault, number>
  close(): Promise<void>
}

/** Starts a proxy. `next` is asked before each batch for the fault that it meets; undefined means none. */
export async function startProxy(server: string, next: () => NetworkFault | undefined): Promise<RedisProxy> {
  const met = new Map<NetworkFault, number>()
  const sockets = new Set<Socket>()
  let late: (() => void)[] = []

  function join(near: Socket): void {
    const far = connect(server)
    let onReply: ((reply: Buffer) => void) | undefined
    const cut = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    far.on('close', () => near.destroy())
    near.on('data', request => {
      const isBatch = /\beval\b/i.test(request.toString('latin1'))
      if (isBatch) {
        for (const send of late) send()
        late = []
      }
      const fault = isBatch ? next() : undefined
      if (fault !== undefined) met.set(fault, (met.get(fault) ?? 0) + 1)
      if (fault === 'cut') return cut()
      if (fault === 'late') {
        near.destroy()
        late.push(() => far.end(request))
        return
      }
      if (fault === 'half-sent') {
        far.write(request.subarray(0, request.length >> 1), cut)
        return
      }
      if (fault === 'reply-lost') onReply = cut
      if (fault === 'silent') onReply = () => {}
      if (fault === 'half-reply') onReply = reply => near.write(reply.subarray(0, reply.length >> 1), cut)
      far.write(request)
    })
    far.on('data', reply => {
      if (onReply === undefined) near.write(reply)
      else onReply(reply)
    })
    near.on('close', () => {
      if (late.length === 0) far.destroy()
    })
  }

  const listening = createServer(join).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    met,
    async close() {
      for (const socket of sockets) socket.destroy()
      listening.close()
      await once(listening, 'close')
    },
  }
}
