/** AgentStateGraph: what most programs import. */

export type {
  ClassCodec,
  InputFrom,
  Path,
  StandardSchema,
  StateFrom,
  StateSource,
  Storable,
  StorableClasses,
  Value,
} from '../core/index.ts'
export { EncryptedValue, formatPath, jsonSchema, parsePath, UnreadInstance } from '../core/index.ts'
export type {
  Alternative,
  AnsweredQuestion,
  Blame,
  BlameChain,
  BlameDraft as Draft,
  Calibration,
  Category,
  Change,
  Commit,
  CommitFilter,
  CommitGraph,
  CommitGraphRef,
  CommitGraphRow,
  CommitInfo,
  ComparedSpeculation,
  Comparison,
  Conflict,
  DescribedCommit,
  DraftInfo,
  DraftWhy,
  Entry,
  Expectation,
  IntentNode,
  IntentPage,
  IntentTreeOptions,
  JournalEvent,
  Merged,
  MergeOptions,
  MergePreview,
  Observation,
  Observed,
  Resolution,
  ResolvedIntent,
  Revision,
  Signer,
  SpeculationInfo,
  SpeculationRef,
  ToolCall,
  UndoEvent,
  UndoneOperation,
  UndoOptions,
  Warning,
  WatchFilter,
  Why,
  WriteOptions,
  Written,
} from '../repo/index.ts'
export { type Backend, type Budget, type Durability, type KVStore, type Log, newBudget } from '../store/index.ts'
export type { Policies, Policy, PolicyName } from '../tree/index.ts'
export type { BranchWriter } from './branch-writer.ts'
export type {
  BisectRange,
  BlameOptions,
  CommitGraphOptions,
  Defaults,
  DiffOptions,
  FromOptions,
  HistoryOptions,
  ListOptions,
  RefFilter,
  SearchOptions,
  SpeculateOptions,
} from './call-options.ts'
export { isStateError, StateError, type StateErrorCode, type StateErrorData } from './errors.ts'
export type { Listing, Page, PageOptions } from './listing.ts'
export { type OpenOptions, open, type Store } from './open.ts'
export type { KnownPath, PathOf, ReadValue, ValueAt } from './path-types.ts'
export type { Reader } from './reader.ts'
export type { Ref, Repository } from './repository.ts'
export type { Snapshot } from './snapshot.ts'
export type { Speculation } from './speculation.ts'
export type { Transaction } from './transaction.ts'
