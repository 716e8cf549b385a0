/**
 * A backend over IndexedDB, the database of a browser: a store that stays when the page is closed, and that several tabs share.
 *
 * `normal` durability answers when the operating system has the write, `full` and `group` when it is on the disk. What a browser
 * may delete by itself, when its disk is full, is not decided here: `navigator.storage.persist()` asks it not to.
 */
import { checkOptions, optionsOf } from '../../core/index.ts'
import type { Backend, Log, LogOptions } from '../../store/contract/backend.ts'
import { changeListeners } from '../../store/contract/change-listeners.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { appender, dropNamespace, dropPacks } from './append.ts'
import { newDatabase, resultOf } from './database.ts'
import { indexOf } from './query-index.ts'
import { checkOf, commitsOf, entriesOf, headOf, keyOf, partsOf, refOf, refsOf } from './read.ts'
import { newWatch } from './watch.ts'

/** Options of `indexeddb`. */
export interface IndexedDbOptions {
  /** How often a listener looks for entries of other tabs, beside the messages that these send. 1000 by default. */
  readonly pollMs?: number
  /** Refuses to write, also to the index of queries. */
  readonly readOnly?: boolean
}

const indexedDbOptions = optionsOf<IndexedDbOptions>('indexeddb', { pollMs: true, readOnly: true })

/** A store in the database of this name, which belongs to the origin of the page. */
export function indexeddb(name: string, options: IndexedDbOptions = {}): Backend {
  checkOptions(indexedDbOptions, options)
  const { pollMs = 1000, readOnly = false } = options
  const database = newDatabase(name)
  const watch = newWatch(database, pollMs, () => listeners)
  const listeners = changeListeners(watch.start, watch.stop)
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: `IndexedDB store "${name}"` })
  }

  function assertWritable(): void {
    assertOpen()
    if (readOnly) throw backendError('read-only', { operation: `Writing to the IndexedDB store "${name}"` })
  }

  function log(namespace: string, { durability = 'normal' }: LogOptions): Log {
    const isStrict = durability !== 'normal'
    const append = appender(database, namespace, isStrict)
    const index = indexOf(database, namespace, readOnly)
    return {
      async append(batch) {
        assertWritable()
        const appended = await append(batch)
        if (appended.kind === 'done') {
          listeners.notify(namespace)
          if (!isClosed) watch.announce(namespace)
        }
        return appended
      },
      entries: (from, to, columns) => entriesOf(database, namespace, from, to, columns),
      parts: pointers => partsOf(database, namespace, pointers),
      find: (prefix, limit) => commitsOf(database, namespace, prefix, limit),
      ref: ref => refOf(database, namespace, ref),
      key: key => keyOf(database, namespace, key),
      refs: (prefix, part) => refsOf(database, namespace, prefix, part),
      async head() {
        const head = await headOf(database, namespace)
        return { seq: head?.seq ?? 0, time: head?.time ?? 0 }
      },
      check: seen => checkOf(database, namespace, seen),
      async packTotal() {
        const head = await headOf(database, namespace)
        return { to: head?.seq ?? 0, bytes: head?.packBytes ?? 0 }
      },
      async dropPacks(seqs, newest) {
        assertWritable()
        return dropPacks(database, namespace, seqs, newest, isStrict)
      },
      onChange(listener) {
        assertOpen()
        return listeners.add(namespace, listener)
      },
      sync: undefined,
      index: {
        ...index,
        async add(batch) {
          assertWritable()
          return index.add(batch)
        },
        async clear() {
          assertWritable()
          return index.clear()
        },
        hashes: {
          ...index.hashes,
          async add(batch) {
            assertWritable()
            return index.hashes.add(batch)
          },
        },
      },
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    listeners.clear()
    watch.close()
    await database.close()
  }

  return {
    capabilities: { durable: true, shared: true, sync: false },
    async namespaces() {
      const names = await database.transact(['heads'], 'readonly', at => resultOf(at('heads').getAllKeys()))
      return names.map(String).sort()
    },
    namespace(namespace, options = {}) {
      assertOpen()
      return log(namespace, options)
    },
    async dropNamespace(namespace) {
      assertWritable()
      await dropNamespace(database, namespace)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
