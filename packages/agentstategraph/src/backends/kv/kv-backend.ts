/**
 * A backend over a `KVStore`: bytes by key, changed in batches with comparison.
 *
 * It turns the calls of the contract into keys. Whether the store is durable or shared cannot be seen from here, so the
 * caller says so. The store decides how durable a batch is when it returns, so the `durability` of a log has no effect.
 */
import { checkOptions, optionsOf } from '../../core/index.ts'
import type { Backend, Capabilities, KVStore, Log } from '../../store/contract/backend.ts'
import { changeListeners } from '../../store/contract/change-listeners.ts'
import { storeError } from '../../store/errors.ts'
import { appendTo, dropFrom } from './append.ts'
import { decodeCell, decodeSeq } from './cell.ts'
import { cellPrefix, namespaceKeys, namespaceOfCell } from './keys.ts'
import { checkOf, commitsOf, entriesOf, partsOf, refsOf } from './read.ts'
import { pollCell } from './watch.ts'

/** What the caller knows of a `KVStore`. */
export interface KVOptions extends Partial<Pick<Capabilities, 'durable' | 'shared'>> {
  /** How often a listener polls for entries of other processes, when the store is shared. 1000 by default. */
  readonly pollMs?: number
}

const kvOptions = optionsOf<KVOptions>('kvBackend', { durable: true, shared: true, pollMs: true })

/** Makes a backend of a key-value store, which counts as durable and shared by default. */
export function kvBackend(store: KVStore, options: KVOptions = {}): Backend {
  checkOptions(kvOptions, options)
  const { durable = true, shared = true, pollMs = 1000 } = options
  const listeners = changeListeners()
  const polls = new Set<() => void>()
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: 'key-value store' })
  }

  function log(name: string): Log {
    const keys = namespaceKeys(name)

    async function whenOpen<T>(work: () => Promise<T>): Promise<T> {
      assertOpen()
      return work()
    }

    function onChange(listener: () => void): () => void {
      assertOpen()
      const remove = listeners.add(name, listener)
      const stop = shared ? pollCell(store, keys.cell, pollMs, listener) : () => {}
      polls.add(stop)
      return () => {
        remove()
        stop()
        polls.delete(stop)
      }
    }

    return {
      append: batch =>
        whenOpen(async () => {
          const appended = await appendTo(store, name, keys, batch)
          if (appended.kind === 'done') listeners.notify(name)
          return appended
        }),
      entries: (from, to, columns) => whenOpen(() => entriesOf(store, keys, from, to, columns)),
      parts: pointers => whenOpen(() => partsOf(store, keys, pointers)),
      find: (prefix, limit) => whenOpen(() => commitsOf(store, keys, prefix, limit)),
      ref: ref => whenOpen(async () => decodeSeq(await store.get(keys.ref(ref)))),
      key: key => whenOpen(async () => decodeSeq(await store.get(keys.key(key)))),
      refs: prefix => whenOpen(() => refsOf(store, keys, prefix)),
      head: () =>
        whenOpen(async () => {
          const { seq, time } = decodeCell(await store.get(keys.cell))
          return { seq, time }
        }),
      check: seen => whenOpen(() => checkOf(store, keys, seen)),
      dropPacks: seqs => whenOpen(() => dropPacks(seqs)),
      onChange,
      sync: undefined,
    }

    async function dropPacks(seqs: readonly number[]): Promise<void> {
      const found: string[] = []
      for (const seq of seqs) for await (const key of store.list(keys.partsOf(seq))) found.push(key)
      await store.batch({ delete: found })
    }
  }

  async function namespaces(): Promise<readonly string[]> {
    assertOpen()
    const cells: string[] = []
    for await (const key of store.list(cellPrefix)) cells.push(key)
    const values = await store.getMany(cells)
    return cells
      .filter((_, i) => decodeCell(values[i]).seq > 0)
      .map(namespaceOfCell)
      .sort()
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    listeners.clear()
    for (const stop of polls) stop()
    await store.close()
  }

  return {
    capabilities: { durable, shared, sync: false },
    namespaces,
    namespace(name) {
      assertOpen()
      return log(name)
    },
    async dropNamespace(name) {
      assertOpen()
      await dropFrom(store, name, namespaceKeys(name))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
