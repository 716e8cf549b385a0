/**
 * The client of a Redis server: the part of ioredis that is used, and a client of our own for an address.
 *
 * ioredis is loaded when an address is opened. This file knows no keys.
 */
import { createRequire } from 'node:module'
import { backendError, reasonOf } from '../errors.ts'

/** What the backend needs of a client. A client of `ioredis` has it, and so has its `Cluster`. */
export interface RedisClient {
  /** Sends one command. Texts of the reply are bytes; a reply that is an error has the name `ReplyError`. */
  callBuffer(command: string, args: (string | Uint8Array | number)[]): Promise<unknown>
}

/** A client and how to close it, if it is ours. */
export interface OwnedClient {
  readonly client: RedisClient
  close(): Promise<void>
}

/** Reconnecting takes about 11 seconds in all before calls fail. */
const maxRetriesPerRequest = 8
/** A connection that gives no answer for so long is given up. Without it a call would wait for ever. */
const socketTimeout = 30_000

interface OwnRedis extends RedisClient {
  readonly status: string
  on(event: 'error', listener: (error: Error) => void): unknown
  quit(): Promise<unknown>
  disconnect(): void
}

type IoRedis = { readonly Redis: new (address: string, options: object) => OwnRedis }

/** Makes a client for an address, or takes the one given, which stays open. */
export function clientOf(server: string | URL | RedisClient): OwnedClient {
  if (typeof server === 'object' && 'callBuffer' in server) return { client: server, close: async () => {} }
  const { Redis } = loadIoRedis()
  const redis = new Redis(String(server), { lazyConnect: true, maxRetriesPerRequest, socketTimeout })
  // Without a listener the client prints its errors. The calls report them.
  redis.on('error', () => {})
  return {
    client: redis,
    async close() {
      if (redis.status === 'ready') await redis.quit()
      else redis.disconnect()
    },
  }
}

function loadIoRedis(): IoRedis {
  try {
    return createRequire(import.meta.url)('ioredis') as IoRedis
  } catch (cause) {
    throw backendError('redis-missing', { reason: reasonOf(cause) }, { cause })
  }
}
