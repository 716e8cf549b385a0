/**
 * The backend in memory: for tests and scratch work, and the reference for the others.
 *
 * It copies the bytes it is given. It knows no files and no other process.
 */
import { asyncLog } from '../contract/async-log.ts'
import type {
  Append,
  Backend,
  Checked,
  Column,
  FoundCommit,
  Log,
  Move,
  NewEntry,
  NewPart,
  Seen,
  StoredEntry,
  StoredPart,
  SyncLog,
} from '../contract/backend.ts'
import { type ChangeListeners, changeListeners } from '../contract/change-listeners.ts'
import type { SyncLogIndex } from '../contract/index-log.ts'
import { type AppendState, refusedAppend } from '../contract/refused-append.ts'
import { storeError } from '../errors.ts'
import { lazyIndex, memoryIndex } from './memory-index.ts'
import { type RefCells, refCells } from './ref-cells.ts'

/** Commits are found through buckets by this many of their first digits. */
const bucketDigits = 4

interface Kept {
  readonly leaf: string
  readonly time: number
  readonly text: string
  readonly commit: NewEntry['commit']
  parts: readonly NewPart[]
}

/** The data of one namespace. `entries[n]` has sequence number n + 1. */
interface Space {
  readonly entries: Kept[]
  readonly refs: RefCells
  readonly keys: Map<string, number>
  readonly buckets: Map<string, FoundCommit[]>
  readonly index: SyncLogIndex
}

/** Makes an empty backend in memory. */
export function memoryBackend(): Backend {
  const spaces = new Map<string, Space>()
  const listeners = changeListeners()
  let isClosed = false

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: 'memory backend' })
  }

  async function close(): Promise<void> {
    isClosed = true
    spaces.clear()
    listeners.clear()
  }

  return {
    capabilities: { durable: false, shared: false, sync: true },
    async namespaces() {
      assertOpen()
      return [...spaces.keys()].sort()
    },
    namespace(name) {
      assertOpen()
      return memoryLog(name, spaces, listeners, assertOpen)
    },
    async dropNamespace(name) {
      assertOpen()
      spaces.delete(name)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function memoryLog(name: string, spaces: Map<string, Space>, listeners: ChangeListeners, assertOpen: () => void): Log {
  const find = (): Space | undefined => {
    assertOpen()
    return spaces.get(name)
  }

  const sync: SyncLog = {
    append(batch) {
      const found = find()
      const space = found ?? {
        entries: [],
        refs: refCells(),
        keys: new Map(),
        buckets: new Map(),
        index: memoryIndex(),
      }
      const refused = refusedAppend(stateOf(space), batch)
      if (refused !== undefined) return refused
      const first = add(space, batch)
      spaces.set(name, space)
      listeners.notify(name)
      return { kind: 'done', first }
    },
    entries(from, to, columns) {
      const kept = find()?.entries ?? []
      const start = Math.max(from, 1)
      return kept.slice(start - 1, Math.max(to, 0)).map((entry, i) => project(entry, start + i, columns))
    },
    parts(pointers) {
      const kept = find()?.entries ?? []
      return pointers.map(({ seq, index }) => partOf(kept[seq - 1], seq, index))
    },
    find(prefix, limit) {
      const space = find()
      return space === undefined ? [] : findCommits(space, prefix, limit)
    },
    ref: ref => find()?.refs.get(ref) ?? null,
    key: key => find()?.keys.get(key) ?? null,
    refs: (prefix, part) => find()?.refs.list(prefix, part) ?? [],
    head() {
      const entries = find()?.entries ?? []
      return { seq: entries.length, time: entries.at(-1)?.time ?? 0 }
    },
    check: seen => checked(find()?.entries ?? [], seen),
    dropPacks(seqs, newest) {
      const kept = find()?.entries ?? []
      if (kept.length !== newest.seq || checked(kept, newest).kind === 'replaced') return false
      for (const seq of seqs) {
        const entry = kept[seq - 1]
        if (entry !== undefined) entry.parts = []
      }
      return true
    },
    packBytes(from, to) {
      const kept = find()?.entries.slice(Math.max(from, 1) - 1, Math.max(to, 0)) ?? []
      return kept.reduce((sum, { parts }) => parts.reduce((bytes, part) => bytes + part.bytes.length, sum), 0)
    },
    index: lazyIndex(() => find()?.index),
  }

  return asyncLog(sync, {
    onChange(listener) {
      assertOpen()
      return listeners.add(name, listener)
    },
  })
}

function checked(entries: readonly Kept[], seen: Seen | undefined): Checked {
  const [first, newest] = [entries[0], entries.at(-1)]
  const isSame = seen === undefined || (first?.leaf === seen.first && entries[seen.seq - 1]?.leaf === seen.leaf)
  if (!isSame) return { kind: 'replaced' }
  return { kind: 'same', newest: first && newest && { first: first.leaf, seq: entries.length, leaf: newest.leaf } }
}

function stateOf({ entries, keys, refs }: Space): AppendState {
  return {
    seq: entries.length,
    time: entries.at(-1)?.time ?? 0,
    has: seen => checked(entries, seen).kind === 'same',
    key: key => keys.get(key),
    ref: name => refs.get(name),
    hasNodes: seq => hasNodes(entries[seq - 1]),
  }
}

function hasNodes(entry: Kept | undefined): boolean {
  return entry !== undefined && (entry.commit === undefined || entry.parts.length > 0)
}

function add(space: Space, { entries, moves, keys, repacks, time }: Append): number {
  const first = space.entries.length + 1
  for (const { seq, parts } of repacks ?? []) {
    const entry = space.entries[seq - 1]
    if (entry !== undefined && entry.parts.length > 0) entry.parts = copiesOf(parts)
  }
  for (const { leaf, text, commit, parts } of typeof entries === 'function' ? entries(first) : entries) {
    space.entries.push({ leaf, time, text, commit, parts: copiesOf(parts) })
    if (commit !== undefined) addCommit(space, { seq: space.entries.length, id: commit.id })
  }
  for (const { key, entry } of keys ?? []) space.keys.set(key, first + entry)
  for (const move of moves) moveRef(space, move, first)
  return first
}

function copiesOf(parts: readonly NewPart[]): readonly NewPart[] {
  return parts.map(({ first, bytes }) => ({ first, bytes: bytes.slice() }))
}

function moveRef({ refs }: Space, { name, to }: Move, first: number): void {
  if (to === null) refs.delete(name)
  else refs.set(name, typeof to === 'number' ? to : first + to.entry)
}

function addCommit({ buckets }: Space, commit: FoundCommit): void {
  const bucket = commit.id.slice(0, bucketDigits)
  const found = buckets.get(bucket)
  if (found === undefined) buckets.set(bucket, [commit])
  else found.push(commit)
}

function findCommits({ buckets, entries }: Space, prefix: string, limit: number): readonly FoundCommit[] {
  if (prefix.length >= bucketDigits) {
    const bucket = buckets.get(prefix.slice(0, bucketDigits)) ?? []
    return bucket.filter(({ id }) => id.startsWith(prefix)).slice(0, limit)
  }
  // So many entries have a short prefix that a scan from the oldest soon finds `limit` of them.
  const found: FoundCommit[] = []
  for (let seq = 1; seq <= entries.length && found.length < limit; seq++) {
    const id = entries[seq - 1]?.commit?.id
    if (id?.startsWith(prefix)) found.push({ seq, id })
  }
  return found
}

function project({ leaf, time, text, commit, parts }: Kept, seq: number, columns: readonly Column[]): StoredEntry {
  return {
    seq,
    leaf,
    time,
    text: columns.includes('text') ? text : '',
    commit: columns.includes('commit') ? commit : undefined,
    part: columns.includes('part') ? parts[0]?.bytes : undefined,
  }
}

function partOf(entry: Kept | undefined, seq: number, index: number): StoredPart | undefined {
  const part = entry?.parts.findLast(({ first }) => first <= index)
  return part && { seq, first: part.first, bytes: part.bytes }
}
