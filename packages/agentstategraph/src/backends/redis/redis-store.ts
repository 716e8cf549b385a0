/**
 * A `KVStore` in Redis: values in hashes, and names to be listed in sorted sets.
 *
 * A batch is one script. Many keys are read and listed in pieces, so that no command has more arguments than a few thousand. What
 * fails is reported as a `StateError`, except a batch without a reply: whether it was written is for the caller to find out.
 */
import type { KVStore } from '../../store/contract/backend.ts'
import { backendError, reasonOf } from '../errors.ts'
import { batchScript, scriptOf } from './batch-script.ts'
import type { OwnedClient, RedisClient } from './client.ts'
import { places } from './place.ts'

/** How many fields one command reads, and how many names one command lists. */
const fieldsTogether = 1000
const namesTogether = 5000

export function redisStore({ client, close }: OwnedClient, prefix: string): KVStore {
  const placeOf = places(prefix)
  let isReady: Promise<void> | undefined

  /** Checks the server once, before the first call. */
  async function ready(): Promise<void> {
    isReady ??= assertKeepsKeys(client, prefix)
    try {
      await isReady
    } catch (error) {
      isReady = undefined
      throw error
    }
  }

  async function read(command: string, args: (string | Uint8Array | number)[]): Promise<unknown> {
    await ready()
    try {
      return await client.callBuffer(command, args)
    } catch (error) {
      throw failed(error, prefix)
    }
  }

  /** Fills in the values of fields of one hash at the places where they were asked for. */
  async function readFields(
    hash: string,
    fields: readonly (readonly [at: number, field: string])[],
    into: (Uint8Array | undefined)[],
  ): Promise<void> {
    const values = (await read('HMGET', [hash, ...fields.map(([, field]) => field)])) as (Uint8Array | null)[]
    for (const [i, [at]] of fields.entries()) into[at] = values[i] ?? undefined
  }

  /** Lists in the order of bytes, which is that of code points, from a key on or after it. */
  async function* listAfter(keyPrefix: string, key: string, from: '(' | '[' = '('): AsyncIterable<string> {
    const { names, field } = placeOf(keyPrefix)
    if (names === undefined) throw new Error(`Keys that begin with ${keyPrefix} are not listed`)
    const group = keyPrefix.slice(0, keyPrefix.length - field.length)
    // No byte of UTF-8 is 0xff, so this is after every name that begins with the field.
    const end = Buffer.concat([Buffer.from(`(${field}`), Buffer.of(0xff)])
    const first = Buffer.from(key.slice(group.length))
    let start =
      Buffer.compare(first, Buffer.from(field)) < 0
        ? Buffer.from(`[${field}`)
        : Buffer.concat([Buffer.from(from), first])
    for (;;) {
      const found = (await read('ZRANGEBYLEX', [names, start, end, 'LIMIT', 0, namesTogether])) as Buffer[]
      for (const name of found) yield group + name.toString()
      if (found.length < namesTogether) return
      start = Buffer.concat([Buffer.from('('), found.at(-1)!])
    }
  }

  return {
    async get(key) {
      const { hash, field } = placeOf(key)
      return ((await read('HGET', [hash, field])) as Uint8Array | null) ?? undefined
    },

    async getMany(keys) {
      await ready()
      const byHash = new Map<string, [at: number, field: string][]>()
      for (const [at, key] of keys.entries()) {
        const { hash, field } = placeOf(key)
        const fields = byHash.get(hash)
        if (fields === undefined) byHash.set(hash, [[at, field]])
        else fields.push([at, field])
      }
      const found = new Array<Uint8Array | undefined>(keys.length)
      const reads: Promise<void>[] = []
      for (const [hash, fields] of byHash) {
        for (let i = 0; i < fields.length; i += fieldsTogether) {
          reads.push(readFields(hash, fields.slice(i, i + fieldsTogether), found))
        }
      }
      await Promise.all(reads)
      return found
    },

    async batch(batch) {
      await ready()
      const { keys, steps } = scriptOf(batch, placeOf)
      try {
        return Number(await client.callBuffer('EVAL', [batchScript, keys.length, ...keys, steps])) === 1
      } catch (error) {
        // A server that replies with an error has refused the script at its first write.
        throw isReply(error) ? failed(error, prefix) : error
      }
    },

    list: keyPrefix => listAfter(keyPrefix, keyPrefix, '['),
    listAfter,

    async now() {
      try {
        const [seconds] = (await client.callBuffer('TIME', [])) as [Uint8Array]
        return Number(String(seconds)) * 1000
      } catch (error) {
        // The account may not ask.
        if (isReply(error)) return undefined
        throw failed(error, prefix)
      }
    },

    close,
  }
}

/**
 * Refuses a server that deletes keys when its memory is full. Other policies delete only keys that expire, which ours do not.
 *
 * Where the account may not ask, it is not checked.
 */
async function assertKeepsKeys(client: RedisClient, prefix: string): Promise<void> {
  let info: string
  try {
    info = String(await client.callBuffer('INFO', ['memory']))
  } catch (error) {
    if (isReply(error)) return
    throw failed(error, prefix)
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy?.startsWith('allkeys')) throw backendError('redis-unsafe', { prefix, policy })
}

function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

function failed(error: unknown, prefix: string): Error {
  return backendError('redis-failed', { prefix, reason: reasonOf(error) }, { cause: error })
}
