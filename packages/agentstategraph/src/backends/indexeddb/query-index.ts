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
        for (const group of groups) {
          const range = below(namespace, group)
          const [keys, counts] = await Promise.all([
            resultOf(at('counts').getAllKeys(range)),
            resultOf<number[]>(at('counts').getAll(range)),
          ])
          for (const [i, key] of keys.entries()) found.push({ group, name: (key as string[])[2]!, count: counts[i]! })
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
      const key = [namespace, block, term]
      const kept = resultOf<Uint8Array | undefined>(at('terms').get(key))
      changes.push(kept.then(bytes => at('terms').put(addedPlaces(bytes, places), key)))
    }
  }
  const sums = new Map<string, IndexCount>()
  for (const { group, name, count } of counts) {
    const known = JSON.stringify([group, name])
    sums.set(known, { group, name, count: (sums.get(known)?.count ?? 0) + count })
  }
  for (const { group, name, count } of sums.values()) {
    const key = [namespace, group, name]
    const kept = resultOf<number | undefined>(at('counts').get(key))
    changes.push(kept.then(before => at('counts').put((before ?? 0) + count, key)))
  }
  await Promise.all(changes)
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
