/**
 * A backend over a `KVStore`: bytes by key, changed in batches with comparison.
 *
 * It turns the calls of the contract into keys. Whether the store is durable or shared cannot be seen from here, so the
 * caller says so. The store decides how durable a batch is when it returns, so the `durability` of a log has no effect.
 */
import { checkOptions, coreError, optionsOf } from '../../core/index.ts'
import type { Backend, Capabilities, KVStore, Log } from '../../store/contract/backend.ts'
import { changeListeners } from '../../store/contract/change-listeners.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { poll } from '../poll.ts'
import { appendTo, dropFrom, dropPacksOf } from './append.ts'
import { decodeCell, decodeNumber } from './cell.ts'
import { cellPrefix, namespaceKeys, namespaceOfCell } from './keys.ts'
import { kvIndex } from './query-index.ts'
import { checkOf, commitsOf, entriesOf, partsOf, refsOf } from './read.ts'
import { newTurns } from './turns.ts'
import { kvUpkeep } from './upkeep.ts'

/** What the caller knows of a `KVStore`. */
export interface KVOptions extends Partial<Pick<Capabilities, 'durable' | 'shared'>> {
  /** How often a listener polls for entries of other processes, when the store is shared. 1000 by default. */
  readonly pollMs?: number
  /** Refuses to write, also to the index of queries: what others have not indexed yet is read by each query. */
  readonly readOnly?: boolean
}

const kvOptions = optionsOf<KVOptions>('kvBackend', { durable: true, shared: true, pollMs: true, readOnly: true })

/** Makes a backend of a key-value store, which counts as durable and shared by default. */
export function kvBackend(given: KVStore, options: KVOptions = {}): Backend {
  checkOptions(kvOptions, options)
  assertStore(given)
  const { durable = true, shared = true, pollMs = 1000, readOnly = false } = options
  const listeners = changeListeners()
  const polls = new Set<() => void>()
  const inTurn = newTurns()
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: 'key-value store' })
  }

  function assertWritable(): void {
    assertOpen()
    if (readOnly) throw backendError('read-only', { operation: 'Writing to the key-value store' })
  }

  const store = guarded(given, assertOpen, assertWritable)

  function log(name: string): Log {
    const keys = namespaceKeys(name)

    function onChange(listener: () => void): () => void {
      assertOpen()
      const remove = listeners.add(name, listener)
      const newest = async (): Promise<number> => decodeCell(keys, await store.get(keys.cell)).seq
      const { stop } = shared ? poll(newest, pollMs, listener) : { stop: () => {} }
      polls.add(stop)
      return () => {
        remove()
        stop()
        polls.delete(stop)
      }
    }

    return {
      async append(batch) {
        const appended = await inTurn(name, () => appendTo(store, name, keys, batch))
        if (appended.kind === 'done') listeners.notify(name)
        return appended
      },
      entries: (from, to, columns) => entriesOf(store, keys, from, to, columns),
      parts: pointers => partsOf(store, keys, pointers),
      find: (prefix, limit) => commitsOf(store, keys, prefix, limit),
      ref: async ref => decodeNumber(keys, keys.ref(ref), await store.get(keys.ref(ref))),
      key: async key => decodeNumber(keys, keys.key(key), await store.get(keys.key(key))),
      refs: (prefix, part) => refsOf(store, keys, prefix, part),
      async head() {
        const { seq, time } = decodeCell(keys, await store.get(keys.cell))
        return { seq, time }
      },
      ...(given.now === undefined ? {} : { now: () => given.now!() }),
      check: seen => checkOf(store, keys, seen),
      async packTotal() {
        const { seq: to, packBytes: bytes } = decodeCell(keys, await store.get(keys.cell))
        return { to, bytes }
      },
      dropPacks: (seqs, newest) => inTurn(name, () => dropPacksOf(store, name, keys, seqs, newest)),
      onChange,
      sync: undefined,
      index: { ...kvIndex(store, name, keys), isFixed: readOnly },
      upkeep: kvUpkeep(store, keys),
    }
  }

  async function namespaces(): Promise<readonly string[]> {
    const cells: string[] = []
    for await (const key of store.list(cellPrefix)) cells.push(key)
    const values = await store.getMany(cells)
    return cells
      .map(namespaceOfCell)
      .filter((name, i) => decodeCell(namespaceKeys(name), values[i]).seq > 0)
      .sort()
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    listeners.clear()
    for (const stop of polls) stop()
    await given.close()
  }

  return {
    capabilities: { durable, shared, sync: false },
    namespaces,
    namespace(name) {
      assertOpen()
      return log(name)
    },
    dropNamespace: name => inTurn(name, () => dropFrom(store, name, namespaceKeys(name))),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The store, whose calls are refused once the backend is closed, and whose batches may be refused always. */
const kvMethods = ['get', 'getMany', 'batch', 'list', 'close'] as const

/** What a program in JavaScript passes may be anything. */
function assertStore(given: KVStore): void {
  if (typeof given === 'object' && given !== null && kvMethods.every(name => typeof given[name] === 'function')) return
  const reason = 'it is no file name, URL, backend or key-value store (get, getMany, batch, list and close)'
  throw coreError('option-invalid', { field: 'store', reason })
}

function guarded(store: KVStore, assertOpen: () => void, assertWritable: () => void): KVStore {
  return {
    async get(key) {
      assertOpen()
      return store.get(key)
    },
    async getMany(keys) {
      assertOpen()
      return store.getMany(keys)
    },
    async batch(batch) {
      assertWritable()
      return store.batch(batch)
    },
    async *list(prefix) {
      assertOpen()
      yield* store.list(prefix)
    },
    ...(store.listAfter && {
      async *listAfter(prefix: string, after: string) {
        assertOpen()
        yield* store.listAfter!(prefix, after)
      },
    }),
    close: () => store.close(),
  }
}
