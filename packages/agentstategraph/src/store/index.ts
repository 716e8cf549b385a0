/** The store: journals, packs and refs, and the contract of the places that keep them. */

export { pausePoint } from '../tree/index.ts'
export { asyncIndex } from './contract/async-log.ts'
export type {
  Append,
  Appended,
  Backend,
  Capabilities,
  Checked,
  Column,
  Compacted,
  Durability,
  EntriesAt,
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
  PackTotal,
  PartPointer,
  RefCell,
  RefPart,
  Repack,
  Retention,
  Seen,
  StoredEntry,
  StoredPart,
  SyncLog,
  Target,
} from './contract/backend.ts'
export { type Budget, isSpent, newBudget, scratchBudget, spentError } from './contract/budget.ts'
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
} from './contract/index-log.ts'
export { compareNames, defaultNamespace } from './contract/names.ts'
export { pausedMap } from './contract/paused-map.ts'
export type { DerivedCells, LogUpkeep, RebuiltCell, UpkeepFault } from './contract/upkeep.ts'
export { ask, type Call, eventLoop, type Wait, type Work } from './contract/work.ts'
export { isOutOfSpace, type StoreErrors, storeError } from './errors.ts'
export {
  appendCommit,
  appendEntries,
  type CheckSize,
  type CommitOutcome,
  type EntriesOptions,
  listedPaths,
  type NewCommit,
  type NewRecord,
  type Recorded,
} from './journal/append.ts'
export {
  type Candidate,
  candidateOf,
  type ForeignCommit,
  type ForeignNode,
  hasLostRoot,
  isTrimmedNode,
  type Place,
  type TrimmedNode,
} from './journal/candidate.ts'
export { addToChain, appendChain, type Chain, canChain, isChainFull, isUnappended, openChain } from './journal/chain.ts'
export { type ClockWarning, isWrong, maxSkewMs, momentAfter } from './journal/clock.ts'
export {
  type CommitInfo,
  type CommitRecord,
  commitId,
  commitText,
  type Intent,
  parseCommit,
  type StoredCommit,
} from './journal/commit.ts'
export {
  type CommitText,
  findCommitAt,
  findCommits,
  findHead,
  headerOf,
  readCommit,
  readCommitText,
} from './journal/commits.ts'
export {
  type JournalEntry,
  readEntries,
  readEntriesAt,
  readEntry,
  readLeaves,
  readRows,
  scanEntries,
  verifiedEntry,
} from './journal/entries.ts'
export {
  type EntryKind,
  type EntryMove,
  type EntryRecord,
  type EntryRequest,
  entryText,
  isoTime,
  type KnownEntryKind,
  keysOfEntry,
  leafOfEntry,
  parseEntry,
} from './journal/entry.ts'
export { isContinuation, readEntryValue, recordsWithValue } from './journal/entry-value.ts'
export { formatVersion, type Genesis, readGenesis } from './journal/genesis.ts'
export {
  addImported,
  appendImported,
  closeImport,
  type ImportBatch,
  maxImported,
  openImport,
} from './journal/import-commits.ts'
export { type Journal, type JournalOptions, journalWithCache, openJournal, stretchEntries } from './journal/journal.ts'
export { assertSameJournal, isRunLog, type RunLog } from './journal/seen-journal.ts'
export { retentionRef, throwForReader } from './journal/trimmed-error.ts'
export { assertLinksStored, assertStateStored, noteTrims } from './journal/trims.ts'
export { memoryBackend } from './memory/memory-backend.ts'
export { memoryHashes } from './memory/memory-index.ts'
export { nodeTexts } from './packs/node-texts.ts'
export { packBytes, packParts } from './packs/parts.ts'
export type { PackHeader } from './packs/read-pack.ts'
export { type TrimmedPack, trimPack } from './packs/trim-pack.ts'
export { type Pack, type Roots, writePack } from './packs/write-pack.ts'
