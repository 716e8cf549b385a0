/**
 * What a place must do to hold repositories.
 *
 * A backend keeps, for each namespace, a journal of entries in one gapless order, the parts of their packs, and refs:
 * the only cells that change. It compares, stores and finds; it knows nothing of trees, commits, merges or time beyond
 * the rule that a journal's time never runs backwards.
 */

import type { Cache } from './cache.ts'
import type { LogIndex, SyncLogIndex } from './index-log.ts'

/** How much a place survives. `group` is `full` for many at once: what waits is made durable together. */
export type Durability = 'normal' | 'full' | 'group'

/** What a place can do, so that suites skip by reason and never by name. */
export interface Capabilities {
  /** What was written is there after `close` and reopen. */
  readonly durable: boolean
  /** Several processes may use the place at once. */
  readonly shared: boolean
  /** Every log offers its calls without promises too. */
  readonly sync: boolean
}

export interface Backend extends AsyncDisposable {
  readonly capabilities: Capabilities
  /** The namespaces that hold at least one entry, sorted. */
  namespaces(): Promise<readonly string[]>
  /** One namespace. It comes into being with its first entry; asking for it writes nothing. */
  namespace(name: string, options?: LogOptions): Log
  /** Forgets a namespace with all it holds. Forgetting one that is not there changes nothing. */
  dropNamespace(name: string): Promise<void>
  close(): Promise<void>
  /** Texts kept beside the store and not in it, where the place has such a beside. */
  readonly marks?: Marks | undefined
  /** What may go when the place is full. Without it, whatever does not fit is refused. */
  readonly retention?: Retention | undefined
  /** A cache for what one journal reads, when the place brings its own. */
  newCache?<V>(): Cache<V>
}

/** What may go: what nothing reaches, and nobody wrote lately. */
export interface Retention {
  /** How long what nothing reaches is kept all the same, because somebody may be about to point to it. */
  readonly keepNewerMs: number
}

/**
 * A short text for each namespace, outside the store, so that it tells what the store was when the store cannot.
 *
 * It goes when its namespace is dropped.
 */
export interface Marks {
  read(namespace: string): Promise<string | undefined>
  /**
   * Puts a text in place of the one that is kept, if that one may be replaced; gives whether it was.
   *
   * Asked and replaced in one step, also against other processes; after a crash there is the old text or the new one.
   */
  replace(namespace: string, text: string, mayReplace: (kept: string | undefined) => boolean): Promise<boolean>
}

export interface LogOptions {
  readonly durability?: Durability
}

/** One namespace: its journal, its refs and its packs. */
export interface Log {
  /**
   * Adds entries and moves refs in one atomic step, or does nothing.
   *
   * Checked in this order, inside the step: a journal that does not hold what was `seen` of it gives `replaced`; a key that
   * was used before gives `repeated`; a ref that is not where a move
   * expects it gives `moved`, and so does, with an empty name, a journal that does not end where `after` says; a time
   * before the newest entry's gives `late`. The entries get consecutive sequence numbers, and whoever can read one can
   * read all before it.
   */
  append(batch: Append): Promise<Appended>
  /** The entries of a range, both ends included, in order. Only the columns asked for are read. */
  entries(from: number, to: number, columns: readonly Column[]): Promise<readonly StoredEntry[]>
  /** The part that holds each pointer's node, in the order asked. `undefined` when the entry or its pack is not there. */
  parts(pointers: readonly PartPointer[]): Promise<readonly (StoredPart | undefined)[]>
  /** The entries whose commit id begins with these hex digits, oldest first, at most `limit`. */
  find(prefix: string, limit: number): Promise<readonly FoundCommit[]>
  /** Where a ref points, or `null`. */
  ref(name: string): Promise<number | null>
  /** The entry that an idempotency key wrote, or `null`. */
  key(key: string): Promise<number | null>
  /** All refs whose names begin with a prefix, sorted by name in UTF-16 order. */
  refs(prefix: string): Promise<readonly RefCell[]>
  /** The newest entry: sequence number and time. Both are 0 in an empty journal. */
  head(): Promise<Head>
  /** Whether the journal still holds what was seen of it, and its newest entry. Asked and found in one moment. */
  check(seen: Seen | undefined): Promise<Checked>
  /** Drops the packs of these entries. The entries stay. */
  dropPacks(seqs: readonly number[]): Promise<void>
  /** Calls back after entries were added, by this process or another. It is a hint: read on from the last one seen. */
  onChange(listener: () => void): () => void
  /** The same calls without promises, when the place can. */
  readonly sync: SyncLog | undefined
  /** A derived index over the journal, when the place keeps one. */
  readonly index?: LogIndex | undefined
}

/** The calls of a `Log` as plain functions. */
export interface SyncLog {
  append(batch: Append): Appended
  entries(from: number, to: number, columns: readonly Column[]): readonly StoredEntry[]
  parts(pointers: readonly PartPointer[]): readonly (StoredPart | undefined)[]
  find(prefix: string, limit: number): readonly FoundCommit[]
  ref(name: string): number | null
  key(key: string): number | null
  refs(prefix: string): readonly RefCell[]
  head(): Head
  check(seen: Seen | undefined): Checked
  dropPacks(seqs: readonly number[]): void
  readonly index?: SyncLogIndex | undefined
}

/**
 * `text` is the entry's text; `commit` the commit's id and text; `part` the first part of the pack. Seq, leaf and time
 * always come.
 */
export type Column = 'text' | 'commit' | 'part'

/**
 * What a reader has seen of a journal: the leaf of its first entry, and the number and leaf of the newest entry seen.
 *
 * Entries are never changed, so a journal that does not have both is another one: its namespace was dropped and made again,
 * or an older copy stands in its place.
 */
export interface Seen {
  readonly first: string
  readonly seq: number
  readonly leaf: string
}

export type Checked =
  /** `newest` is undefined in an empty journal. */
  { readonly kind: 'same'; readonly newest: Seen | undefined } | { readonly kind: 'replaced' }

export interface Append {
  /** Milliseconds since 1970; the time written in every entry of this batch. */
  readonly time: number
  /** At least one. */
  readonly entries: readonly NewEntry[]
  readonly moves: readonly Move[]
  /** What the writer has seen of the journal. */
  readonly seen?: Seen | undefined
  /** The entry that must be the newest, for what speaks of all before it. */
  readonly after?: number | undefined
  /** Idempotency keys, each naming the entry (by its place in `entries`) that a repetition is answered with. */
  readonly keys?: readonly { readonly key: string; readonly entry: number }[]
  /** Whether this tells of making room: a place of bounded size keeps some back for it. */
  readonly makesRoom?: boolean | undefined
}

export interface NewEntry {
  readonly text: string
  /** SHA-256 of 0x00 and the text, base64url: the entry's leaf in the Merkle log. */
  readonly leaf: string
  readonly commit?: { readonly id: string; readonly text: string } | undefined
  /** The pack, cut into parts; the first begins at node 0. */
  readonly parts: readonly NewPart[]
}

export interface NewPart {
  /** The index, within the pack, of this part's first node. */
  readonly first: number
  readonly bytes: Uint8Array
}

/** A ref that must be at `expect`, and goes to `to`. Where both are the same it only guards. */
export interface Move {
  readonly name: string
  readonly expect: number | null
  readonly to: Target
}

/** An entry that is there, none (the ref is deleted), or one of the entries being added, by its place. */
export type Target = number | null | { readonly entry: number }

export type Appended =
  | { readonly kind: 'done'; readonly first: number }
  | { readonly kind: 'moved'; readonly name: string; readonly actual: number | null }
  | { readonly kind: 'repeated'; readonly key: string; readonly seq: number }
  | { readonly kind: 'late'; readonly time: number }
  | { readonly kind: 'replaced' }

export interface StoredEntry {
  readonly seq: number
  readonly leaf: string
  readonly time: number
  /** Empty when it was not asked for. */
  readonly text: string
  readonly commit?: { readonly id: string; readonly text: string } | undefined
  /** The pack's first part; absent when it was not asked for, was dropped, or the entry has none. */
  readonly part?: Uint8Array | undefined
}

export interface PartPointer {
  readonly seq: number
  readonly index: number
}

export interface StoredPart {
  readonly seq: number
  readonly first: number
  readonly bytes: Uint8Array
}

export interface FoundCommit {
  readonly seq: number
  readonly id: string
}

export interface RefCell {
  readonly name: string
  readonly seq: number
}

export interface Head {
  readonly seq: number
  readonly time: number
}

/** The smallest thing that can be a store: bytes by key, changed in batches. */
export interface KVStore {
  get(key: string): Promise<Uint8Array | undefined>
  getMany(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /** All of it or nothing; `false` when a comparison fails. */
  batch(batch: KVBatch): Promise<boolean>
  list(prefix: string): AsyncIterable<string>
  close(): Promise<void>
}

export interface KVBatch {
  readonly put?: ReadonlyMap<string, Uint8Array>
  readonly delete?: readonly string[]
  readonly compareAndSet?: readonly {
    readonly key: string
    readonly expect: Uint8Array | undefined
    readonly value: Uint8Array
  }[]
}
