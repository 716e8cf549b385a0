/**
 * The contract of a derived index over a journal, which a place may offer beside its log.
 *
 * It keeps which entries have which terms, and searches them in journal order. What a term means is its users' business:
 * they make the rows from entries, in order, up to a mark, and can always make them again. An index never takes part in
 * an append, and all it says is true of the entries up to its mark and of no other.
 */

/** An entry and the terms it has. Terms may be added to an entry before the mark, when a later one tells more of it. */
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

/** What takes an index from one mark to the next. */
export interface IndexBatch {
  /** The mark that this was made at. */
  readonly from: number
  readonly to: number
  readonly rows: readonly IndexRow[]
  /** To be added to the counts. */
  readonly counts: readonly IndexCount[]
}

/** Entries in a range, both ends included, that have what is asked for. */
export interface IndexSearch {
  readonly from: number
  readonly to: number
  /** For each list, at least one of its terms. */
  readonly all: readonly (readonly string[])[]
  /** None of these. */
  readonly none: readonly string[]
  /** Only these places of the journal, and entries with this term wherever they are. */
  readonly within?: { readonly from: number; readonly to: number; readonly or: string } | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** What a search found among the entries up to the mark, which was read in the same moment. */
export interface IndexFound {
  readonly mark: number
  readonly seqs: readonly number[]
}

/** The place of a hash in the Merkle tree over the journal's leaves: level 0 are the leaves, and index counts from 0. */
export interface HashPlace {
  readonly level: number
  readonly index: number
}

export interface PlacedHash extends HashPlace {
  readonly hash: Uint8Array
}

/** What takes the hashes from one mark to the next. */
export interface HashBatch {
  readonly from: number
  readonly to: number
  readonly hashes: readonly PlacedHash[]
}

/** Hashes of the Merkle tree, derived up to a mark of their own. Which are worth keeping is their users' business. */
export interface LogHashes {
  mark(): Promise<number>
  /** Adds a batch and moves the mark, or does nothing and gives false when the mark is not where the batch begins. */
  add(batch: HashBatch): Promise<boolean>
  /** The hashes at these places, in the order asked; undefined where none is kept. */
  read(places: readonly HashPlace[]): Promise<readonly (Uint8Array | undefined)[]>
}

/** The calls of `LogHashes` as plain functions. */
export interface SyncLogHashes {
  mark(): number
  add(batch: HashBatch): boolean
  read(places: readonly HashPlace[]): readonly (Uint8Array | undefined)[]
}

export interface LogIndex {
  /** The last entry that is indexed, as are all before it; 0 when none is. */
  mark(): Promise<number>
  /** Adds a batch and moves the mark, or does nothing and gives false when the mark is not where the batch begins. */
  add(batch: IndexBatch): Promise<boolean>
  search(search: IndexSearch): Promise<IndexFound>
  /** The names of a group with their counts, sorted by name in UTF-16 order. */
  counts(group: string): Promise<readonly IndexCount[]>
  readonly hashes: LogHashes
  /** Forgets everything, hashes too, so that it can be built again. */
  clear(): Promise<void>
}

/** The calls of a `LogIndex` as plain functions. */
export interface SyncLogIndex {
  mark(): number
  add(batch: IndexBatch): boolean
  search(search: IndexSearch): IndexFound
  counts(group: string): readonly IndexCount[]
  readonly hashes: SyncLogHashes
  clear(): void
}
