/**
 * Finds commits by a prefix of their id.
 *
 * The index is derived and built outside appends, in small transactions up to a mark, because maintaining it in every
 * append halves the rate of writing. A search reads mark, index and the entries after the mark in one snapshot, so its
 * result is always exact. Where the index cannot be written, a tail of any length is searched.
 */
import type { FoundCommit } from '../../store/contract/backend.ts'
import { isOutOfSpace } from '../../store/errors.ts'
import type { Connection } from './connection.ts'
import { grownTail, type Tail } from './find-tail.ts'
import { pageBytes } from './limit.ts'
import { nameBytes } from './namespace-table.ts'
import { indexedDigits, namespaceSpan } from './tables.ts'

/** The longest tail that a search scans; a longer one is indexed first. */
const longestTail = 256
/** Entries indexed in one transaction: enough that neighbours share pages, few enough that writers hardly wait. */
const batchSize = 1024
/** Ids are spread evenly, so in the worst case each one changes a page of its own. */
const batchBytes = batchSize * pageBytes

export type FindCommits = (namespace: string, prefix: string, limit: number) => readonly FoundCommit[]

interface Marks {
  readonly id: number
  readonly indexed: number
  readonly newest: number
  /** The leaf of the first entry. */
  readonly first: string
}

/** Prepares the statements. `onWrote` is told the size of each batch. */
export function findCommits(
  { database, isReadOnly, readTogether, write }: Connection,
  onWrote: (bytes: number) => void,
): FindCommits {
  const marks = database.prepare(`
    SELECT n.id, n.indexed, coalesce((
      SELECT e.id & ${namespaceSpan - 1} FROM entries e
      WHERE e.id BETWEEN n.id * ${namespaceSpan} AND n.id * ${namespaceSpan} + ${namespaceSpan - 1}
      ORDER BY e.id DESC LIMIT 1), 0) AS newest,
      (SELECT f.leaf FROM entries f WHERE f.id = n.id * ${namespaceSpan} + 1) AS first
    FROM namespaces n WHERE n.name = ?`)
  const unindexed = database.prepare(`
    SELECT id & ${namespaceSpan - 1} AS seq, commit_id AS id FROM entries
    WHERE id BETWEEN ? AND ? AND commit_id IS NOT NULL`)
  // No hex digit sorts after f, so all ids with the prefix sort before the prefix followed by g.
  const matching = database.prepare(`
    SELECT id & ${namespaceSpan - 1} AS seq, commit_id AS id FROM entries
    WHERE id BETWEEN ?1 AND ?2 AND commit_id BETWEEN ?3 AND ?3 || 'g' ORDER BY entries.id LIMIT ?4`)
  const addId = database.prepare('INSERT OR IGNORE INTO ids VALUES (?, ?, ?)')
  const setIndexed = database.prepare('UPDATE namespaces SET indexed = ? WHERE id = ?')
  const indexed = database.prepare(`
    SELECT seq FROM ids WHERE namespace = ? AND prefix BETWEEN ? AND ? ORDER BY seq LIMIT ?`)

  const marksOf = (namespace: string): Marks | undefined => marks.get(nameBytes(namespace)) as Marks | undefined

  /** Indexes one batch; `false` when the tail is short enough. */
  function indexBatch(namespace: string): boolean {
    return write('NORMAL', () => {
      const at = marksOf(namespace)
      if (at === undefined || at.newest - at.indexed <= longestTail) return false
      const base = at.id * namespaceSpan
      const end = Math.min(at.indexed + batchSize, at.newest)
      for (const { seq, id } of unindexed.all(base + at.indexed + 1, base + end) as FoundCommit[]) {
        addId.run(at.id, prefixNumber(id, '0'), seq)
      }
      setIndexed.run(end, at.id)
      return true
    })
  }

  const tails = new Map<string, Tail>()

  /** The entries after the mark that could have an id with this prefix; undefined when all of them could. */
  function proposedTail(namespace: string, { id, indexed: mark, newest, first }: Marks, prefix: string) {
    if (newest - mark <= longestTail || prefix.length < indexedDigits) return undefined
    const base = id * namespaceSpan
    const read = (from: number, to: number): readonly FoundCommit[] =>
      unindexed.all(base + from, base + to) as FoundCommit[]
    const tail = grownTail(tails.get(namespace), { first, mark, newest }, read, id => prefixNumber(id, '0'))
    tails.set(namespace, tail)
    return tail.seqs.get(prefixNumber(prefix, '0')) ?? []
  }

  function search(namespace: string, at: Marks, prefix: string, limit: number): readonly FoundCommit[] {
    const { id, indexed: mark, newest } = at
    const base = id * namespaceSpan
    const isWhole = prefix.length <= indexedDigits
    const rows = indexed.all(id, prefixNumber(prefix, '0'), prefixNumber(prefix, 'f'), isWhole ? limit : -1)
    const found: FoundCommit[] = []
    const take = (from: number, to: number): void => {
      const commits = matching.all(base + from, base + to, prefix, limit - found.length) as FoundCommit[]
      for (const { seq, id } of commits) found.push({ seq, id })
    }
    for (const { seq } of rows as { seq: number }[]) take(seq, seq)
    const tail = proposedTail(namespace, at, prefix)
    if (tail === undefined) take(mark + 1, newest)
    else for (const seq of tail) take(seq, seq)
    return found
  }

  return (namespace, prefix, limit) => {
    if (!/^[0-9a-f]*$/.test(prefix)) return []
    let isIndexed = !isReadOnly
    for (;;) {
      const found = readTogether(() => {
        const at = marksOf(namespace)
        if (at === undefined) return []
        return isIndexed && at.newest - at.indexed > longestTail ? undefined : search(namespace, at, prefix, limit)
      })
      if (found !== undefined) return found
      try {
        while (indexBatch(namespace)) onWrote(batchBytes)
      } catch (e) {
        if (!isOutOfSpace(e)) throw e
        isIndexed = false
      }
    }
  }
}

/** The number of a prefix's first digits, padded with a digit when it is shorter. */
function prefixNumber(prefix: string, fill: '0' | 'f'): number {
  return Number.parseInt(prefix.slice(0, indexedDigits).padEnd(indexedDigits, fill), 16)
}
