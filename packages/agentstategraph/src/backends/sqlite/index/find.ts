/**
 * Finds commits by a prefix of their id.
 *
 * The index is derived and built outside appends, in small transactions up to a mark, because maintaining it in every
 * append halves the rate of writing. A search reads mark, index and the entries after the mark in one snapshot, so its
 * result is always exact. Where the index cannot be written, a tail of any length is searched.
 */
import type { FoundCommit } from '../../../store/contract/backend.ts'
import { isOutOfSpace } from '../../../store/errors.ts'
import type { CellTables } from '../cells/cell-tables.ts'
import { cellsOf, damagedEntry, type EntryRow, entryColumns } from '../cells/entry-row.ts'
import type { FoundNamespace } from '../cells/namespace-ids.ts'
import { damagedRows, markName, preparedLists, type Space, spaceOf } from '../cells/row-form.ts'
import type { Connection } from '../connection.ts'
import { pageBytes } from '../limit.ts'
import { indexedDigits, namespaceSpan } from '../tables.ts'
import { grownTail, type Tail } from './find-tail.ts'

/** The longest tail that a search scans; a longer one is indexed first. */
const longestTail = 64
/** Entries indexed in one transaction, few enough that it is a short stretch of the thread. */
const batchSize = 128
/** An index that is so many entries behind is being built. */
const longBehind = 1024
/** Ids are spread evenly, so in the worst case each one changes a page of its own. */
const batchBytes = batchSize * pageBytes
/** The bytes of a sequence number in the name of a row. */
const seqBytes = 5

export interface FindCommits {
  find(namespace: string, prefix: string, limit: number): readonly FoundCommit[]
  /** Indexes a batch; false when there is nothing more to index. */
  indexIds(namespace: string): boolean
}

/** A namespace, where its journal ends, and how far it is indexed. */
interface Marks extends FoundNamespace {
  readonly indexed: number
}

/** Prepares the statements. `onWrote` is told the size of each batch, and whether it is one of many. */
export function findCommits(
  { database, isReadOnly, read, readTogether, write }: Connection,
  { ids, namespaces }: CellTables,
  onWrote: (bytes: number, isBuilding: boolean) => void,
): FindCommits {
  const rowsIn = preparedLists(
    database,
    `SELECT ${entryColumns([])} FROM entries WHERE entries.id BETWEEN ? AND ? ORDER BY entries.id`,
  )
  const firstLeaf = database.prepare('SELECT leaf FROM entries WHERE id = ?')
  const tails = new Map<string, Tail>()

  function marksOf(space: Space): Marks | undefined {
    const found = namespaces.find(space)
    return found && { ...found, indexed: ids.findIn(space, found.id, markName) ?? 0 }
  }

  /** The commits of some entries. Throws when an entry is damaged or missing. */
  function commitsIn(space: Space, id: number, from: number, to: number): readonly FoundCommit[] {
    const rows = rowsIn(id * namespaceSpan + from, id * namespaceSpan + to) as readonly unknown[] as readonly EntryRow[]
    const found: FoundCommit[] = []
    for (let seq = from; seq <= to; seq++) {
      const row = rows[seq - from]
      const cells = row?.[0] === seq ? cellsOf(space, row) : undefined
      if (cells === undefined) throw damagedEntry(seq, row)
      if (cells.commitId !== null) found.push({ seq, id: cells.commitId })
    }
    return found
  }

  /** Indexes one batch; `false` when the tail is short enough. */
  function indexBatch(space: Space): boolean {
    const left = write('NORMAL', () => {
      const at = marksOf(space)
      if (at === undefined || at.newest - at.indexed <= longestTail) return undefined
      const end = Math.min(at.indexed + batchSize, at.newest)
      const rows = commitsIn(space, at.id, at.indexed + 1, end).map(({ seq, id }) => ({
        name: nameOfId(id, seq),
        value: seq,
      }))
      // In the order of the table, so that neighbours are written together.
      rows.sort((a, b) => Buffer.compare(a.name, b.name))
      for (const { name, value } of ids.addNew(space, at.id, rows)) ids.put(space, at.id, name, value)
      ids.put(space, at.id, markName, end)
      return at.newest - end
    })
    if (left !== undefined) onWrote(batchBytes, left > longBehind)
    return left !== undefined
  }

  /** The entries after the mark that could have an id with this prefix; undefined when all of them could. */
  function proposedTail(space: Space, { id, indexed: mark, newest }: Marks, prefix: string) {
    if (prefix.length < indexedDigits) return undefined
    const { leaf: first } = firstLeaf.get(id * namespaceSpan + 1) as { leaf: string }
    const read = (from: number, to: number): readonly FoundCommit[] => commitsIn(space, id, from, to)
    const tail = grownTail(tails.get(space.name), { first, mark, newest }, read, keyOf)
    tails.set(space.name, tail)
    return tail.seqs.get(keyOf(prefix)) ?? []
  }

  function search(space: Space, at: Marks, prefix: string, limit: number): readonly FoundCommit[] {
    const { id, indexed, newest } = at
    const rows = indexed === 0 ? [] : ids.listIn(space, id, edgeOf(prefix, '0'), edgeOf(prefix, 'f'))
    const found: FoundCommit[] = []
    const take = (commits: readonly FoundCommit[]): void => {
      for (const commit of commits) if (commit.id.startsWith(prefix)) found.push(commit)
    }
    for (const { name, value: seq } of rows.toSorted((a, b) => a.value - b.value)) {
      const commits = commitsIn(space, id, seq, seq)
      const [commit] = commits
      if (commit === undefined || Buffer.compare(nameOfId(commit.id, seq), name) !== 0) {
        throw damagedRows(space, 'ids', `entry ${seq} does not hold the commit that is listed there`)
      }
      take(commits)
    }
    const tail = proposedTail(space, at, prefix)
    if (tail === undefined) take(commitsIn(space, id, indexed + 1, newest))
    else for (const seq of tail) take(commitsIn(space, id, seq, seq))
    return found.slice(0, limit)
  }

  function indexIds(namespace: string): boolean {
    const space = spaceOf(namespace)
    const at = read(() => marksOf(space))
    if (isReadOnly || at === undefined || at.newest - at.indexed <= longestTail) return false
    try {
      return indexBatch(space)
    } catch (e) {
      if (isOutOfSpace(e)) return false
      throw e
    }
  }

  function find(namespace: string, prefix: string, limit: number): readonly FoundCommit[] {
    if (!/^[0-9a-f]*$/.test(prefix)) return []
    const space = spaceOf(namespace)
    let isIndexed = !isReadOnly
    for (;;) {
      const found = readTogether(() => {
        const at = marksOf(space)
        if (at === undefined) return []
        return isIndexed && at.newest - at.indexed > longestTail ? undefined : search(space, at, prefix, limit)
      })
      if (found !== undefined) return found
      try {
        while (indexBatch(space));
      } catch (e) {
        if (!isOutOfSpace(e)) throw e
        isIndexed = false
      }
    }
  }

  return { find, indexIds }
}

/** What the tail in memory is searched by. */
function keyOf(id: string): number {
  return Number.parseInt(id.slice(0, indexedDigits), 16)
}

/** The name of a row: the first digits of an id as bytes, and the entry, so that an id can be there more than once. */
function nameOfId(id: string, seq: number): Uint8Array {
  const name = Buffer.alloc(indexedDigits / 2 + seqBytes)
  name.write(id.slice(0, indexedDigits), 'hex')
  name.writeUIntBE(seq, indexedDigits / 2, seqBytes)
  return name
}

/** The lower or, with `f`, the upper bound of the names of ids with a prefix. */
function edgeOf(prefix: string, fill: '0' | 'f'): Uint8Array {
  const digits = prefix.slice(0, indexedDigits).padEnd(indexedDigits, fill)
  const rest = fill === '0' ? '00' : 'ff'.repeat(seqBytes + 1)
  return Buffer.from(digits + rest, 'hex')
}
