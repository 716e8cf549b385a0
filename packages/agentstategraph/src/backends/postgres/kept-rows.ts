/**
 * What others have added to a namespace, read at once while its lock is kept for a writer that tries again.
 *
 * The writer builds anew on the newest commit, and would otherwise ask for each node on its way with a round trip, while everybody
 * waits. The rows are read with one statement, and answer its reads for as long as the lock is held; nobody can drop them meanwhile.
 * Older rows are kept for the next time: entries do not change, and nodes are hashed again where they are read.
 */
import type { Column, PartPointer, StoredEntry, StoredPart } from '../../store/contract/backend.ts'
import { entryOf, largestSeq } from './read.ts'
import type { Ask, Session, Transaction } from './session.ts'
import type { Tables } from './tables.ts'

/** How many rows one statement reads, and how many bytes of them are kept. */
const mostRows = 1024
const maxBytes = 8 * 2 ** 20

interface KeptRow {
  readonly entry: StoredEntry
  /** The first node of the second part, if there is one. */
  readonly later: number | null
  readonly bytes: number
}

export interface KeptRows {
  /** Reads what others add while the lock is waited for, so that little is left to read under it; returns what ends it. */
  readAhead(session: Session, namespace: Uint8Array): () => void
  /** Reads what was added since the last time, and answers from then on. `refs` are where refs are now. */
  load(session: Session, held: Transaction, namespace: Uint8Array, refs: ReadonlyMap<string, number>): Promise<void>
  /** Ends the answers, because the lock ends. */
  close(): void
  /** Takes note of what this process has added: it needs no rows of its own. */
  note(seq: number): void
  /** Forgets everything: packs were dropped. */
  clear(): void
  /** The answers; undefined where the server has to be asked. */
  ref(name: string): number | undefined
  entries(from: number, to: number, columns: readonly Column[]): readonly StoredEntry[] | undefined
  part(pointer: PartPointer): StoredPart | undefined
}

/** How long reading ahead pauses between two statements. */
const aheadMs = 50

/** `onRead` is told of each question while there are answers. */
export function keptRows(onRead: () => void): KeptRows {
  const rows = new Map<number, KeptRow>()
  let bytes = 0
  let known = 0
  let journal: string | null = null
  let refs: ReadonlyMap<string, number> | undefined

  function clear(): void {
    rows.clear()
    bytes = 0
    known = 0
  }

  function keep(row: KeptRow): void {
    rows.set(row.entry.seq, row)
    bytes += row.bytes
    for (const [seq, old] of rows) {
      if (bytes <= maxBytes) return
      rows.delete(seq)
      bytes -= old.bytes
    }
  }

  function rowAt(seq: number): KeptRow | undefined {
    if (refs === undefined) return undefined
    onRead()
    return rows.get(seq)
  }

  /** Reads the newest rows after those that are known, up to one. Rows that come when they are not wanted any more are dropped. */
  async function readNewer(
    ask: Ask,
    { entries }: Tables,
    namespace: Uint8Array,
    to: number,
    isWanted = () => true,
  ): Promise<void> {
    const text = `SELECT seq::float8, leaf, time, text, commit_id, commit_text, part, later FROM ${entries}
      WHERE namespace = $1 AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq DESC LIMIT ${mostRows}`
    const newer = await ask(text, [namespace, known, to])
    if (!isWanted()) return
    for (const row of newer.toReversed()) {
      const entry = entryOf(row)
      const size = entry.text.length + (entry.commit?.text.length ?? 0) + (entry.part?.length ?? 0)
      keep({ entry, later: row[7] as number | null, bytes: size })
      known = Math.max(known, entry.seq)
    }
  }

  return {
    readAhead({ read, tables }, namespace) {
      let isWanted = true
      let timer: ReturnType<typeof setTimeout> | undefined
      const readOn = async (): Promise<void> => {
        await readNewer(read, tables, namespace, largestSeq, () => isWanted)
        if (isWanted) timer = setTimeout(start, aheadMs)
      }
      // What cannot be read now is read under the lock, or fails there.
      const start = (): void => void readOn().catch(() => {})
      start()
      return () => {
        isWanted = false
        clearTimeout(timer)
      }
    },
    async load({ tables }, { ask, head }, namespace, found) {
      if (head.first !== journal) clear()
      journal = head.first
      if (known < head.seq) await readNewer(ask, tables, namespace, head.seq)
      known = head.seq
      refs = found
    },
    close() {
      refs = undefined
    },
    note(seq) {
      known = Math.max(known, seq)
    },
    clear,
    ref(name) {
      if (refs !== undefined) onRead()
      return refs?.get(name)
    },
    entries(from, to, columns) {
      const found: StoredEntry[] = []
      for (let seq = from; seq <= to; seq++) {
        const entry = rowAt(seq)?.entry
        if (entry === undefined) return undefined
        found.push({
          ...entry,
          text: columns.includes('text') ? entry.text : '',
          commit: columns.includes('commit') ? entry.commit : undefined,
          part: columns.includes('part') ? entry.part : undefined,
        })
      }
      return found
    },
    part({ seq, index }) {
      const row = rowAt(seq)
      if (row?.entry.part === undefined || (row.later !== null && row.later <= index)) return undefined
      return { seq, first: 0, bytes: row.entry.part }
    },
  }
}
