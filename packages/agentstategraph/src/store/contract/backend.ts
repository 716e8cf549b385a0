/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The contract of a backend, which stores repositories.
 *
 * A backend keeps, for each namespace, a journal of entries in one gapless order, the parts of their packs, and refs, the
 * only mutable cells. It compares, stores and finds. It knows nothing of trees, commits or merges, and of time only that it
 * never runs backwards in a journal.
 */

import type { Cache } from './cache.ts'
import type { LogIndex, SyncLogIndex } from './index-log.ts'
import type { Lock } from './lock.ts'
import type { LogUpkeep } from './upkeep.ts'

/** When an append is durable. `group` is `full` with group commit: concurrent appends share one sync. */
export type Durability = 'normal' | 'full' | 'group'

/** What a backend can do. Test suites skip cases by capability, never by name. */
export interface Capabilities {
  /** Data survives `close` and reopen. */
  readonly durable: boolean
  /** Several processes may use the store at once. */
  readonly shared: boolean
  /** Every log also offers synchronous calls. */
  readonly sync: boolean
}

/** A place that keeps journals: memory, SQLite, a key-value store, or one of your own. */
export interface Backend extends AsyncDisposable {
  readonly capabilities: Capabilities
  /** The namespaces that hold at least one entry, sorted. */
  namespaces(): Promise<readonly string[]>
  /** Opens one namespace. It is created by its first entry; opening it writes nothing. */
  namespace(name: string, options?: LogOptions): Log
  /** Deletes a namespace with all its data. Deleting one that does not exist has no effect. */
  dropNamespace(name: string): Promise<void>
  close(): Promise<void>
  /** Texts that are kept outside the store, if the backend can: the newest signed head of each namespace. */
  readonly marks?: Marks | undefined
  /** The same for the newest entry, if the backend can lose the end of a journal. They need not survive a power failure. */
  readonly tails?: Marks | undefined
  /** What may be dropped when the store is full. Without it, a write that does not fit is refused. */
  readonly retention?: Retention | undefined
  /**
   * Writes the whole store, as it is at one moment, to a new file, if the backend can. `check` reads the copy before it gets
   * its name, and refuses it by throwing.
   */
  backup?(file: string, check: (copy: Backend) => Promise<void>): Promise<void>
  /** Gives room that is no longer used back to the file system, for all namespaces; absent where there is none to give back. */
  compact?(): Promise<Compacted>
  /** Makes the cache for what one journal reads, if the backend brings its own. */
  newCache?<V>(): Cache<V>
}

/** The bytes of a store in the file system, before and after it was compacted. */
export interface Compacted {
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** What may be dropped: packs that no ref reaches and that are not recent. */
export interface Retention {
  /** How long an unreachable pack is kept, because a writer may be about to point a ref to it. */
  readonly keepNewerMs: number
}

/**
 * A short text for each namespace, outside the store, so that it survives a store that was replaced or rolled back. It is
 * deleted with its namespace.
 */
export interface Marks {
  read(namespace: string): Promise<string | undefined>
  /**
   * Replaces the stored text if `mayReplace` allows it; returns whether it did.
   *
   * The check and the replacement are atomic, also between processes; after a crash there is the old text or the new one.
   */
  replace(namespace: string, text: string, mayReplace: (kept: string | undefined) => boolean): Promise<boolean>
}

/** Options of `namespace`. */
export interface LogOptions {
  readonly durability?: Durability
}

/** One namespace: its journal, its refs and its packs. */
export interface Log {
  /**
   * Adds entries and moves refs in one atomic step, or does nothing.
   *
   * The step checks in this order: a journal that lacks what was `seen` of it gives `replaced`; a key that was used before
   * gives `repeated`; a ref that is not where a move expects it gives `moved`, and so does, with an empty name, a journal
   * that does not end at `after`; an entry of `needs` whose pack was dropped gives `dropped`; a time before the newest
   * entry's gives `late`. The entries get consecutive sequence numbers, and a reader that sees one entry sees all before it.
   */
  append(batch: Append): Promise<Appended>
  /**
   * Keeps other processes from appending until this one has appended, the returned function is called (once, in any case), or a short time is over;
   * undefined when it cannot. It is called before a batch is built on a ref that others move too, so that the batch is not built in
   * vain. Nothing may depend on it but speed. Absent where appends wait for nobody.
   */
  hold?(ref: string): Promise<(() => void) | undefined>
  /** The entries of a range, both ends included, in order. Only the columns asked for are read. */
  entries(from: number, to: number, columns: readonly Column[]): Promise<readonly StoredEntry[]>
  /** The part that holds each pointer's node, in the given order; undefined when the entry or its pack does not exist. */
  parts(pointers: readonly PartPointer[]): Promise<readonly (StoredPart | undefined)[]>
  /** The entries whose commit id begins with these hex digits, oldest first, at most `limit`. */
  find(prefix: string, limit: number): Promise<readonly FoundCommit[]>
  /**
   * Does a part of what makes `find` fast and can be done before; false when nothing is left. `find` does the rest by itself,
   * in one call. Absent where there is nothing to do.
   */
  indexIds?(): Promise<boolean>
  /** Where a ref points, or `null`. */
  ref(name: string): Promise<number | null>
  /** The entry that an idempotency key wrote, or `null`. */
  key(key: string): Promise<number | null>
  /** The refs whose names begin with a prefix, or a part of them, sorted by name in the order of code points. */
  refs(prefix: string, part?: RefPart): Promise<readonly RefCell[]>
  /** The newest entry: sequence number and time. Both are 0 in an empty journal. */
  head(): Promise<Head>
  /** The time of the store's own clock in milliseconds since 1970, if it has one that differs from that of the process. */
  now?(): Promise<number | undefined>
  /** Whether the journal still holds what was seen of it, and its newest entry, in one snapshot. */
  check(seen: Seen | undefined): Promise<Checked>
  /**
   * Drops the packs of these entries, or does nothing and returns false when `newest` is no longer the newest entry.
   *
   * A ref moves only together with a new entry, so whoever found out which packs no ref needs names the entry up to which
   * that was found. The comparison and the dropping are one atomic step, also against appends. The entries stay.
   */
  dropPacks(seqs: readonly number[], newest: Seen): Promise<boolean>
  /** The bytes of the packs of a range of entries, both ends included, if the backend can tell without reading them. */
  packBytes?(from: number, to: number): Promise<number>
  /** The bytes of all packs up to an entry, if the backend keeps count of them. */
  packTotal?(): Promise<PackTotal | undefined>
  /** Calls back after this process or another added entries. A call is a hint to read on from the last entry seen. */
  onChange(listener: () => void): () => void
  /** The same calls without promises, if the backend has them. */
  readonly sync: SyncLog | undefined
  /** What keeps a call of `sync` waiting, if other processes can. */
  readonly lock?: Lock | undefined
  /** A derived index over the journal, if the backend keeps one. */
  readonly index?: LogIndex | undefined
  /**
   * Whether reading the content of several appends takes a request for each. Nodes are then stored whole, and not as changes to those of an
   * earlier append.
   */
  readonly isScattered?: boolean | undefined
  /** Care for what is stored beside the journal, if the backend keeps it where it can be damaged. */
  readonly upkeep?: LogUpkeep | undefined
}

/** The calls of a `Log` as plain functions. */
export interface SyncLog {
  append(batch: Append): Appended
  entries(from: number, to: number, columns: readonly Column[]): readonly StoredEntry[]
  parts(pointers: readonly PartPointer[]): readonly (StoredPart | undefined)[]
  find(prefix: string, limit: number): readonly FoundCommit[]
  indexIds?(): boolean
  ref(name: string): number | null
  key(key: string): number | null
  refs(prefix: string, part?: RefPart): readonly RefCell[]
  head(): Head
  check(seen: Seen | undefined): Checked
  dropPacks(seqs: readonly number[], newest: Seen): boolean
  packBytes?(from: number, to: number): number
  packTotal?(): PackTotal | undefined
  readonly index?: SyncLogIndex | undefined
}

/** The bytes of the packs of the entries up to one. */
export interface PackTotal {
  readonly to: number
  readonly bytes: number
}

/**
 * `text` is the entry's text; `commit` the commit's id and text; `part` the first part of the pack. Seq, leaf and time are
 * always read.
 */
export type Column = 'text' | 'commit' | 'part'

/**
 * What a reader has seen of a journal: the leaf of its first entry, and the number and leaf of the newest entry seen.
 *
 * Entries never change, so a journal that lacks one of them is another one: its namespace was dropped and made again, or
 * the store was replaced by an older copy.
 */
export interface Seen {
  readonly first: string
  readonly seq: number
  readonly leaf: string
}

/** Whether a journal is still the one that was seen. */
export type Checked =
  /** `newest` is undefined in an empty journal. */
  { readonly kind: 'same'; readonly newest: Seen | undefined } | { readonly kind: 'replaced' }

/** One append: entries, moves of refs and keys, all or nothing. */
export interface Append {
  /** Milliseconds since 1970; the time of every entry of this batch. */
  readonly time: number
  /** At least one; a function where their texts depend on their numbers. */
  readonly entries: readonly NewEntry[] | EntriesAt
  readonly moves: readonly Move[]
  /** What the writer has seen of the journal. */
  readonly seen?: Seen | undefined
  /** The entry that must be the newest, for entries that make a statement about all before them. */
  readonly after?: number | undefined
  /** Entries that must be there and, if they hold commits, still have their packs. */
  readonly needs?: readonly number[] | undefined
  /** Idempotency keys, each with the index in `entries` of the entry that answers a repetition. */
  readonly keys?: readonly { readonly key: string; readonly entry: number }[]
  /** Packs that are stored anew. An entry that has no pack, or whose pack was dropped, stays as it is. */
  readonly repacks?: readonly Repack[] | undefined
  /** Whether this append frees space: a store of bounded size keeps a reserve for it. */
  readonly makesRoom?: boolean | undefined
}

/**
 * Makes the entries of a batch once the number of the first is known: entries of one batch that name each other do so by
 * number. It is pure, and a backend may call it again after it has lost a race.
 */
export type EntriesAt = (first: number) => readonly NewEntry[]

/** An entry to append. */
export interface NewEntry {
  readonly text: string
  /** SHA-256 of 0x00 and the text, base64url: the entry's leaf in the Merkle log. */
  readonly leaf: string
  readonly commit?: { readonly id: string; readonly text: string } | undefined
  /** The pack, cut into parts; the first begins at node 0. */
  readonly parts: readonly NewPart[]
}

/** The parts that take the place of those of an entry's pack. */
export interface Repack {
  readonly seq: number
  readonly parts: readonly NewPart[]
}

/** A part of a pack to append. */
export interface NewPart {
  /** The index, within the pack, of this part's first node. */
  readonly first: number
  readonly bytes: Uint8Array
}

/** A ref that must be at `expect` and moves to `to`. When both are the same the move is only a guard. */
export interface Move {
  readonly name: string
  readonly expect: number | null
  readonly to: Target
}

/** A stored entry, null (the ref is deleted), or one of the entries being added, by its index. */
export type Target = number | null | { readonly entry: number }

/** What became of an append. */
export type Appended =
  | { readonly kind: 'done'; readonly first: number }
  | { readonly kind: 'moved'; readonly name: string; readonly actual: number | null }
  | { readonly kind: 'repeated'; readonly key: string; readonly seq: number }
  | { readonly kind: 'dropped'; readonly seq: number }
  | { readonly kind: 'late'; readonly time: number }
  | { readonly kind: 'replaced' }

/** An entry as a backend gives it back. */
export interface StoredEntry {
  readonly seq: number
  /** Empty when the backend found that the entry is not stored as it was written. */
  readonly leaf: string
  readonly time: number
  /** Empty when the column was not requested. */
  readonly text: string
  readonly commit?: { readonly id: string; readonly text: string } | undefined
  /** The pack's first part; absent when it was not requested, was dropped, or the entry has none. */
  readonly part?: Uint8Array | undefined
}

/** Where a node lies: an entry, and the index of the node in its pack. */
export interface PartPointer {
  readonly seq: number
  readonly index: number
}

/** A part of a pack as a backend gives it back. */
export interface StoredPart {
  readonly seq: number
  readonly first: number
  readonly bytes: Uint8Array
}

/** A commit found by its id or the beginning of it. */
export interface FoundCommit {
  readonly seq: number
  readonly id: string
}

/** A ref and the entry it points to. */
export interface RefCell {
  readonly name: string
  readonly seq: number
}

/** The first `limit` refs whose names come after one, or from the beginning. */
export interface RefPart {
  readonly after?: string | undefined
  readonly limit: number
}

/** The newest entry of a journal: its number and time. */
export interface Head {
  readonly seq: number
  readonly time: number
}

/**
 * The smallest interface that can hold a store: bytes by key, changed in batches.
 *
 * A key is a kind and the name of a namespace, `n/default`, or has a rest after a second slash, `r/default/branch/main`.
 */
export interface KVStore {
  get(key: string): Promise<Uint8Array | undefined>
  getMany(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /**
   * All of it or nothing; `false` when a comparison fails.
   *
   * It rejects with a `StateError` only when nothing was written and nothing will be. After any other error, such as a lost
   * reply, the batch may have been written or may be written later: the backend then sends it again and looks for its token.
   */
  batch(batch: KVBatch): Promise<boolean>
  /** The keys that begin with a prefix, which ends after the first slash or later. */
  list(prefix: string): AsyncIterable<string>
  /** The same in the order of code points, those after a key only, if the store can begin there without reading the others. */
  listAfter?(prefix: string, after: string): AsyncIterable<string>
  /** The time of the store's own clock in milliseconds since 1970, if it has one. */
  now?(): Promise<number | undefined>
  close(): Promise<void>
}

/** Writes to a key-value store that happen together or not at all. */
export interface KVBatch {
  readonly put?: ReadonlyMap<string, Uint8Array>
  readonly delete?: readonly string[]
  /** Prefixes that end with a second slash, such as `r/default/`: all keys below them are deleted before others are put. */
  readonly clear?: readonly string[]
  readonly compareAndSet?: readonly {
    readonly key: string
    readonly expect: Uint8Array | undefined
    readonly value: Uint8Array
  }[]
}
