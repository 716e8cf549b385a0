/**
 * The derived index of a namespace in IndexedDB.
 *
 * The entries of a block that have a term are one row. A batch is added in one transaction that compares the mark, so it is added
 * once, also when several tabs derive it.
 */
import type { IndexBatch, IndexCount, IndexFound, IndexSearch, LogIndex } from '../../store/contract/index-log.ts'
import { addedPlaces, placesByBlock } from '../index-places.ts'
import { searchInSteps } from '../search-steps.ts'
import { below, type Database, resultOf, type Table } from './database.ts'

type Tables = (table: Table) => IDBObjectStore

const derived: readonly Table[] = ['marks', 'terms', 'counts', 'hashes']

/** How many blocks of a search are read at once at most. */
const mostBlocks = 16

export function indexOf(database: Database, namespace: string, isFixed: boolean): LogIndex {
  const readMark = async (at: Tables, kind: 'terms' | 'hashes'): Promise<number> =>
    (await resultOf<number | undefined>(at('marks').get([namespace, kind]))) ?? 0

  const markOf = (kind: 'terms' | 'hashes'): Promise<number> =>
    database.transact(['marks'], 'readonly', at => readMark(at, kind))

  /** Adds what `put` writes and moves a mark, if it is at `from` and the namespace exists. */
  function advance(
    kind: 'terms' | 'hashes',
    { from, to }: { readonly from: number; readonly to: number },
    tables: readonly Table[],
    put: (at: Tables) => Promise<void>,
  ): Promise<boolean> {
    return database.transact(['heads', 'marks', ...tables], 'readwrite', async at => {
      const [mark, head] = await Promise.all([readMark(at, kind), resultOf(at('heads').getKey(namespace))])
      if (mark !== from || head === undefined) return false
      await put(at)
      at('marks').put(to, [namespace, kind])
      return true
    })
  }

  return {
    isFixed,
    mark: () => markOf('terms'),
    add: batch => advance('terms', batch, ['terms', 'counts'], at => addRows(at, namespace, batch)),
    search: search =>
      database.transact(['marks', 'terms'], 'readonly', async at =>
        searchTerms(at, namespace, search, await readMark(at, 'terms')),
      ),
    counts: groups =>
      database.transact(['counts'], 'readonly', async at => {
        const found: IndexCount[] = []
        const ranges = groups.map(group => below(namespace, group))
        const keys = await Promise.all(ranges.map(range => resultOf(at('counts').getAllKeys(range))))
        for (const [nth, group] of groups.entries()) {
          // Most groups that are asked for are those of new intents, and have nothing.
          if (keys[nth]!.length === 0) continue
          const counts = await resultOf<number[]>(at('counts').getAll(ranges[nth]))
          for (const [i, key] of keys[nth]!.entries())
            found.push({ group, name: (key as string[])[2]!, count: counts[i]! })
        }
        return found
      }),
    hashes: {
      mark: () => markOf('hashes'),
      add: batch =>
        advance('hashes', batch, ['hashes'], async at => {
          for (const { level, index, hash } of batch.hashes) at('hashes').put(hash.slice(), [namespace, level, index])
        }),
      read: places =>
        database.transact(['hashes'], 'readonly', at =>
          Promise.all(
            places.map(({ level, index }) =>
              resultOf<Uint8Array | undefined>(at('hashes').get([namespace, level, index])),
            ),
          ),
        ),
    },
    clear: () =>
      database.transact(derived, 'readwrite', async at => {
        for (const table of derived) at(table).delete(below(namespace))
      }),
  }
}

async function addRows(at: Tables, namespace: string, { rows, counts }: IndexBatch): Promise<void> {
  const changes: Promise<unknown>[] = []
  for (const [block, terms] of placesByBlock(rows)) {
    for (const [term, places] of terms) {
      const placed = (kept: Uint8Array | undefined): Uint8Array => addedPlaces(kept, places)
      changes.push(changeRow(at('terms'), [namespace, block, term], places.length === 1, placed))
    }
  }
  const sums = new Map<string, IndexCount>()
  for (const { group, name, count } of counts) {
    const known = JSON.stringify([group, name])
    sums.set(known, { group, name, count: (sums.get(known)?.count ?? 0) + count })
  }
  for (const { group, name, count } of sums.values()) {
    const counted = (kept: number | undefined): number => (kept ?? 0) + count
    changes.push(changeRow(at('counts'), [namespace, group, name], count === 1, counted))
  }
  await Promise.all(changes)
}

/** Writes what is made of a row. One that is likely new, as what occurs once in a batch is, is added without a look at it. */
async function changeRow<T>(
  table: IDBObjectStore,
  key: IDBValidKey,
  isLikelyNew: boolean,
  made: (kept: T | undefined) => T,
): Promise<void> {
  if (isLikelyNew && (await isAdded(table, key, made(undefined)))) return
  const kept = await resultOf<T | undefined>(table.get(key))
  table.put(made(kept), key)
}

/** Adds a row; false when there is one of that key, which stays. */
function isAdded(table: IDBObjectStore, key: IDBValidKey, value: unknown): Promise<boolean> {
  const request = table.add(value, key)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(true)
    request.onerror = event => {
      if (request.error?.name !== 'ConstraintError') return reject(request.error)
      // Otherwise it would end the transaction.
      event.preventDefault()
      event.stopPropagation()
      resolve(false)
    }
  })
}

async function searchTerms(at: Tables, namespace: string, search: IndexSearch, mark: number): Promise<IndexFound> {
  const seqs = await searchInSteps(
    search,
    mark,
    () => mostBlocks,
    async (terms, from, to) => {
      const cells = new Map<string, Uint8Array>()
      const read = async (block: number, term: string): Promise<void> => {
        const bytes = await resultOf<Uint8Array | undefined>(at('terms').get([namespace, block, term]))
        if (bytes !== undefined) cells.set(`${block} ${term}`, bytes)
      }
      const blocks = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      await Promise.all(blocks.flatMap(block => terms.map(term => read(block, term))))
      return (term, block) => cells.get(`${block} ${term}`)
    },
  )
  return { mark, seqs }
}
