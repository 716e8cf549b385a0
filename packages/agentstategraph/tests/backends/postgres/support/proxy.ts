/**
 * A network that fails, in front of a PostgreSQL server: it passes bytes on, and cuts or holds connections when
 * it is told to.
 *
 * It listens on a port of its own and reaches the server through its socket.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One connection: the process that serves it, and how to cut it. */
export interface Joined {
  /** The id of the server's process for this connection; 0 until it has told it. */
  readonly process: number
  /** Closes both sides. What was passed on before still arrives. */
  cut(): void
  /** Passes nothing on until it is released, as when the client is suspended. */
  hold(): void
  release(): void
}

export interface PostgresProxy {
  readonly port: number
  close(): Promise<void>
}

/** Sees bytes before they are passed on, and says how many of them may be; without an answer, all. */
export interface Interference {
  onRequest?(bytes: Buffer, joined: Joined): number | undefined
  onReply?(bytes: Buffer, joined: Joined): number | undefined
}

export async function startPostgresProxy(server: string, interference: Interference): Promise<PostgresProxy> {
  const sockets = new Set<Socket>()

  function join(near: Socket): void {
    const far = connect(server)
    let process = 0
    const joined: Joined = {
      get process() {
        return process
      },
      cut() {
        near.destroy()
        far.end()
      },
      hold() {
        near.pause()
        far.pause()
      },
      release() {
        near.resume()
        far.resume()
      },
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    far.on('close', () => near.destroy())
    near.on('close', () => far.end())
    near.on('data', bytes => {
      const passed = interference.onRequest?.(bytes, joined) ?? bytes.length
      if (passed > 0) far.write(bytes.subarray(0, passed))
      if (passed < bytes.length) joined.cut()
    })
    far.on('data', bytes => {
      if (process === 0) process = processOf(bytes)
      const passed = interference.onReply?.(bytes, joined) ?? bytes.length
      if (passed > 0 && !near.destroyed) near.write(bytes.subarray(0, passed))
      if (passed < bytes.length) joined.cut()
    })
  }

  const listener = createServer(join).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** The process that the message with the key data of a session names. */
function processOf(bytes: Buffer): number {
  const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  return at < 0 ? 0 : bytes.readUInt32BE(at + 5)
}

/** Whether the bytes are the statement COMMIT. */
export function isCommit(bytes: Buffer): boolean {
  return bytes.includes('COMMIT\0', 0, 'latin1')
}
