/** The store: journals, packs and refs, and the contract of the places that keep them. */

export {
  appendCommit,
  appendEntries,
  type CommitOutcome,
  listedPaths,
  type NewCommit,
  type NewRecord,
  type Recorded,
} from './append.ts'
export { asyncIndex } from './async-log.ts'
export type {
  Append,
  Appended,
  Backend,
  Capabilities,
  Checked,
  Column,
  Durability,
  FoundCommit,
  Head,
  KVBatch,
  KVStore,
  Log,
  LogOptions,
  Marks,
  Move,
  NewEntry,
  NewPart,
  PartPointer,
  RefCell,
  Retention,
  Seen,
  StoredEntry,
  StoredPart,
  SyncLog,
  Target,
} from './backend.ts'
export { type CommitInfo, type CommitRecord, commitId, commitText, type Intent, parseCommit } from './commit.ts'
export { type CommitText, findHead, readCommit, readCommitText } from './commits.ts'
export { type JournalEntry, readEntries, readEntry } from './entries.ts'
export {
  type EntryKind,
  type EntryMove,
  type EntryRecord,
  type EntryRequest,
  entryText,
  leafOfEntry,
  parseEntry,
} from './entry.ts'
export { isContinuation, readEntryValue, recordsWithValue } from './entry-value.ts'
export { type StoreErrors, storeError } from './errors.ts'
export { formatVersion, type Genesis, readGenesis } from './genesis.ts'
export type {
  HashBatch,
  HashPlace,
  IndexBatch,
  IndexCount,
  IndexFound,
  IndexRow,
  IndexSearch,
  LogHashes,
  LogIndex,
  PlacedHash,
  SyncLogHashes,
  SyncLogIndex,
} from './index-log.ts'
export { memoryHashes } from './index-memory.ts'
export { type Journal, type JournalOptions, openJournal } from './journal.ts'
export { memoryBackend } from './memory.ts'
export { nodeTexts } from './node-texts.ts'
export { packBytes, packParts } from './pack-parts.ts'
export { type Pack, type Roots, writePack } from './pack-write.ts'
export { assertSameJournal } from './seen-journal.ts'
export type { StoredCommit } from './stored-commit.ts'
export {
  type Candidate,
  candidateOf,
  type ForeignCommit,
  type ForeignNode,
  type Place,
  takeOver,
} from './take-over.ts'
export { ask, type Call, type Work } from './work.ts'
