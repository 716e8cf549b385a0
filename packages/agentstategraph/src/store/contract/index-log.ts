/**
 * The contract of a derived index over a journal, which a backend may offer beside its log.
 *
 * It stores which entries have which terms, and searches them in journal order. It does not know what terms mean: its
 * users derive the rows from entries, in order, up to a mark, and can always derive them again. An index takes no part in
 * an append, and covers exactly the entries up to its mark.
 */

/** An entry and its terms. Terms may be added to an entry before the mark, when a later entry adds facts about it. */
export interface IndexRow {
  readonly seq: number
  readonly terms: readonly string[]
}

/** How often a name of a group occurred. */
export interface IndexCount {
  readonly group: string
  readonly name: string
  readonly count: number
}

/** The rows that take an index from one mark to the next. */
export interface IndexBatch {
  /** The mark that the batch was made at. */
  readonly from: number
  readonly to: number
  readonly rows: readonly IndexRow[]
  /** To be added to the counts. */
  readonly counts: readonly IndexCount[]
}

/** A search for entries in a range, both ends included. */
export interface IndexSearch {
  readonly from: number
  readonly to: number
  /** For each list, at least one of its terms. */
  readonly all: readonly (readonly string[])[]
  /** None of these. */
  readonly none: readonly string[]
  /** Only entries in this range, and entries with the term `or` wherever they are. */
  readonly within?: { readonly from: number; readonly to: number; readonly or: string } | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** The entries that a search found up to the mark, which was read in the same snapshot. */
export interface IndexFound {
  readonly mark: number
  readonly seqs: readonly number[]
}

/** The place of a hash in the Merkle tree over the journal's leaves: level 0 are the leaves, and index counts from 0. */
export interface HashPlace {
  readonly level: number
  readonly index: number
}

/** A hash and where its node lies. */
export interface PlacedHash extends HashPlace {
  readonly hash: Uint8Array
}

/** The hashes that take the mark from one place to the next. */
export interface HashBatch {
  readonly from: number
  readonly to: number
  readonly hashes: readonly PlacedHash[]
}

/** Hashes of the Merkle tree, derived up to a mark of their own. Its users decide which hashes to keep. */
export interface LogHashes {
  mark(): Promise<number>
  /** Adds a batch and moves the mark. Does nothing and returns false when the mark is not where the batch begins. */
  add(batch: HashBatch): Promise<boolean>
  /** The hashes at these places, in the given order; undefined where none is stored. */
  read(places: readonly HashPlace[]): Promise<readonly (Uint8Array | undefined)[]>
}

/** The calls of `LogHashes` as plain functions. */
export interface SyncLogHashes {
  mark(): number
  add(batch: HashBatch): boolean
  read(places: readonly HashPlace[]): readonly (Uint8Array | undefined)[]
}

/** The index behind queries, derived from the entries. */
export interface LogIndex {
  /** Whether it can only be read, and is as far as others have built it. */
  readonly isFixed?: boolean | undefined
  /** The last indexed entry; all before it are indexed too. 0 when none is. */
  mark(): Promise<number>
  /** Adds a batch and moves the mark. Does nothing and returns false when the mark is not where the batch begins. */
  add(batch: IndexBatch): Promise<boolean>
  search(search: IndexSearch): Promise<IndexFound>
  /** The names of some groups with their counts, group by group in the given order, sorted by name in UTF-16 order. */
  counts(groups: readonly string[]): Promise<readonly IndexCount[]>
  readonly hashes: LogHashes
  /** Deletes the index with its hashes, so that it can be built again. */
  clear(): Promise<void>
}

/** The calls of a `LogIndex` as plain functions. */
export interface SyncLogIndex {
  readonly isFixed?: boolean | undefined
  mark(): number
  add(batch: IndexBatch): boolean
  search(search: IndexSearch): IndexFound
  counts(groups: readonly string[]): readonly IndexCount[]
  readonly hashes: SyncLogHashes
  clear(): void
}
