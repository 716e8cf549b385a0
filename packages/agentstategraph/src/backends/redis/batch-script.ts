/**
 * A batch as one script, which Redis runs atomically: it compares, and then writes everything or nothing.
 *
 * The steps of the script are one argument, however many there are: a command takes a million arguments at most. A step
 * is a list of texts: what to do, the number of a key in KEYS, a field, and for some a value. Each text is written after its
 * length.
 */
import type { KVBatch } from '../../store/contract/backend.ts'
import type { Place } from './place.ts'

export const batchScript = `
local steps, at = ARGV[1], 1
local function take()
  local text
  text, at = struct.unpack('>I4c0', steps, at)
  return text
end
while at <= #steps do
  local what, key, field = take(), KEYS[tonumber(take())], take()
  if what == 'same' then
    if redis.call('HGET', key, field) ~= take() then return 0 end
  elseif what == 'absent' then
    if redis.call('HEXISTS', key, field) == 1 then return 0 end
  elseif what == 'clear' then redis.call('UNLINK', key)
  elseif what == 'delete' then redis.call('HDEL', key, field)
  elseif what == 'put' then redis.call('HSET', key, field, take())
  elseif what == 'unlist' then redis.call('ZREM', key, field)
  else redis.call('ZADD', key, 0, field) end
end
return 1
`

/** The keys that a batch touches, and its steps. */
export function scriptOf(batch: KVBatch, placeOf: (key: string) => Place): { keys: readonly string[]; steps: Buffer } {
  const { put = new Map<string, Uint8Array>(), delete: deleted = [], clear = [], compareAndSet = [] } = batch
  const numbers = new Map<string, string>()
  const texts: (string | Uint8Array)[] = []

  function step(what: string, key: string | undefined, field: string, value?: Uint8Array): void {
    if (key === undefined) return
    const number = numbers.get(key) ?? `${numbers.size + 1}`
    numbers.set(key, number)
    texts.push(what, number, field)
    if (value !== undefined) texts.push(value)
  }

  function set(key: string, value: Uint8Array): void {
    const { hash, names, field } = placeOf(key)
    step('put', hash, field, value)
    step('list', names, field)
  }

  for (const { key, expect } of compareAndSet) {
    const { hash, field } = placeOf(key)
    if (expect === undefined) step('absent', hash, field)
    else step('same', hash, field, expect)
  }
  for (const prefix of clear) {
    const { hash, names } = placeOf(prefix)
    step('clear', hash, '')
    step('clear', names, '')
  }
  for (const key of deleted) {
    const { hash, names, field } = placeOf(key)
    step('delete', hash, field)
    step('unlist', names, field)
  }
  for (const [key, value] of put) set(key, value)
  for (const { key, value } of compareAndSet) set(key, value)
  return { keys: [...numbers.keys()], steps: joined(texts) }
}

const lengthBytes = 4

/** Texts one after the other, each after its length. */
function joined(texts: readonly (string | Uint8Array)[]): Buffer {
  let size = 0
  for (const text of texts) size += lengthBytes + sizeOf(text)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const text of texts) {
    at = bytes.writeUInt32BE(sizeOf(text), at)
    if (typeof text === 'string') at += bytes.write(text, at)
    else {
      bytes.set(text, at)
      at += text.length
    }
  }
  return bytes
}

function sizeOf(text: string | Uint8Array): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.length
}
