/**
 * What others have added to a namespace, read at once while its lock is kept for a writer that tries again.
 *
 * The writer builds anew on the newest commit, and would otherwise ask for each node on its way with a round trip, while everybody
 * waits. One statement reads where its refs are, the entries there, and of the others the parts, which hold the nodes. They answer its
 * reads for as long as the lock is held; nobody can drop them meanwhile. Older parts are kept for the next time: entries do not change,
 * and nodes are hashed again where they are read.
 */
import type { Column, PartPointer, StoredEntry, StoredPart } from '../../store/contract/backend.ts'
import type { Row } from './connection.ts'
import { bytesArray, eachOf, nameBytes, nameOf } from './literals.ts'
import { bytesOf, entryOf, largestSeq } from './read.ts'
import type { Session, Transaction } from './session.ts'
import type { Tables } from './tables.ts'

/** How many rows one statement reads, and how many bytes of them are kept. */
const mostRows = 1024
const maxBytes = 8 * 2 ** 20

interface KeptPart {
  /** The first part of an entry's pack. */
  readonly bytes: Uint8Array
  /** The first node of the second part, if there is one. */
  readonly later: number | null
}

/** What a lock was taken for: where refs are, and the entries there. */
interface Held {
  readonly refs: ReadonlyMap<string, number>
  readonly entries: ReadonlyMap<number, StoredEntry>
}

export interface KeptRows {
  /** Reads what others add while the lock is waited for, so that little is left to read under it; returns what ends it. */
  readAhead(session: Session, namespace: Uint8Array): () => void
  /** Reads where refs are and what was added since the last time, and answers from then on. */
  load(session: Session, held: Transaction, namespace: Uint8Array, refs: readonly string[]): Promise<void>
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
  const parts = new Map<number, KeptPart>()
  let bytes = 0
  let known = 0
  let journal: string | null = null
  let holding: Held | undefined

  function clear(): void {
    parts.clear()
    bytes = 0
    known = 0
  }

  function keep(seq: number, part: KeptPart): void {
    bytes += part.bytes.length - (parts.get(seq)?.bytes.length ?? 0)
    parts.set(seq, part)
    for (const [oldest, { bytes: size }] of parts) {
      if (bytes <= maxBytes) return
      parts.delete(oldest)
      bytes -= size.length
    }
  }

  /** Keeps what `newerText` gave, the newest first. */
  function keepNewer(rows: readonly Row[]): void {
    for (const row of rows.toReversed()) {
      const [seq, part, later] = row as [number, unknown, number | null]
      if (part !== null) keep(seq, { bytes: bytesOf(part), later })
      known = Math.max(known, seq)
    }
  }

  return {
    readAhead({ read, tables }, namespace) {
      let isWanted = true
      let timer: ReturnType<typeof setTimeout> | undefined
      const readOn = async (): Promise<void> => {
        const rows = await read(newerText(tables), [namespace, known, largestSeq])
        // Rows that come when they are not wanted any more are dropped.
        if (!isWanted) return
        keepNewer(rows)
        timer = setTimeout(start, aheadMs)
      }
      // What cannot be read now is read under the lock, or fails there.
      const start = (): void => void readOn().catch(() => {})
      start()
      return () => {
        isWanted = false
        clearTimeout(timer)
      }
    },
    async load({ tables }, { ask, head }, namespace, names) {
      if (head.first !== journal) clear()
      journal = head.first
      const rows = await ask(heldText(tables), [namespace, known, head.seq, bytesArray(names.map(nameBytes))])
      keepNewer(rows.filter(([, , , name]) => name === null))
      known = head.seq
      const refs = new Map<string, number>()
      const entries = new Map<number, StoredEntry>()
      for (const [seq, part, later, name, leaf, time, text, id, commit] of rows) {
        if (name === null) continue
        const entry = entryOf([seq, leaf, time, text, id, commit, part])
        refs.set(nameOf(name), entry.seq)
        entries.set(entry.seq, entry)
        if (entry.part !== undefined) keep(entry.seq, { bytes: entry.part, later: later as number | null })
      }
      holding = { refs, entries }
    },
    close() {
      holding = undefined
    },
    note(seq) {
      known = Math.max(known, seq)
    },
    clear,
    ref(name) {
      if (holding !== undefined) onRead()
      return holding?.refs.get(name)
    },
    entries(from, to, columns) {
      const entry = holding?.entries.get(from)
      if (entry === undefined || from !== to) return undefined
      onRead()
      return [
        {
          ...entry,
          text: columns.includes('text') ? entry.text : '',
          commit: columns.includes('commit') ? entry.commit : undefined,
          part: columns.includes('part') ? entry.part : undefined,
        },
      ]
    },
    part({ seq, index }) {
      if (holding === undefined) return undefined
      onRead()
      const part = parts.get(seq)
      if (part === undefined || (part.later !== null && part.later <= index)) return undefined
      return { seq, first: 0, bytes: part.bytes }
    },
  }
}

/** The newest parts after those that are known, up to an entry. */
const newerText = ({ entries }: Tables): string => `SELECT seq::float8, part, later FROM ${entries}
  WHERE namespace = $1 AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq DESC LIMIT ${mostRows}`

/** The same, and the entries that refs point to. */
const heldText = (tables: Tables): string => {
  const { entries, refs } = tables
  const pointed = `SELECT e.* FROM ${refs} r JOIN ${entries} e ON e.namespace = $1 AND e.seq = r.seq
    WHERE r.namespace = $1 AND r.name = asked`
  return `SELECT newer.*, NULL::bytea, NULL, NULL::float8, NULL::bytea, NULL, NULL::bytea FROM (${newerText(tables)}) AS newer
    UNION ALL SELECT seq::float8, part, later, asked, leaf, time, text, commit_id, commit_text
    FROM ${eachOf('$4::text::bytea[]', pointed)}`
}
