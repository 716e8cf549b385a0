/**
 * The hashes of Merkle trees in a SQLite store, for the index.
 *
 * They are derived data: those that a power failure loses are derived again. This file does not know how the tree is built.
 */

import type { SyncLogHashes } from '../../store/contract/index-log.ts'
import type { Connection } from './connection.ts'
import { nameBytes } from './namespace-table.ts'

/** What a row costs in the write-ahead log, where many share a page. */
const bytesOfRow = 64

interface Marked {
  readonly id: number
  readonly mark: number
}

/** Prepares the statements; returns the hashes of a namespace. `onWrote` is told the size of each batch. */
export function sqliteHashes(
  { database, read, write }: Connection,
  onWrote: (bytes: number) => void,
): (namespace: string) => SyncLogHashes {
  const marked = database.prepare('SELECT id, hashed AS mark FROM namespaces WHERE name = ?')
  const setMark = database.prepare('UPDATE namespaces SET hashed = ? WHERE id = ?')
  const put = database.prepare('INSERT OR REPLACE INTO hashes VALUES (?, ?, ?, ?)')
  const find = database.prepare(`
    SELECT h.hash FROM namespaces n CROSS JOIN hashes h
    WHERE n.name = ? AND h.namespace = n.id AND h.level = ? AND h.place = ?`)

  return namespace => {
    const name = nameBytes(namespace)
    const findMark = (): Marked | undefined => marked.get(name) as Marked | undefined
    return {
      mark: () => read(findMark)?.mark ?? 0,
      add({ from, to, hashes }) {
        const isAdded = write('NORMAL', () => {
          const at = findMark()
          if (at === undefined || at.mark !== from) return false
          for (const { level, index, hash } of hashes) put.run(at.id, level, index, hash)
          setMark.run(to, at.id)
          return true
        })
        if (isAdded) onWrote(hashes.length * bytesOfRow)
        return isAdded
      },
      read: places =>
        read(() =>
          places.map(({ level, index }) => (find.get(name, level, index) as { hash: Uint8Array } | undefined)?.hash),
        ),
    }
  }
}
