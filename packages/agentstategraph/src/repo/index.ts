/** Functions over a journal: what repositories are made of. */

export { accessTime, accessValue, currentAccess } from './access/access-state.ts'
export { isKeyGood } from './access/active.ts'
export { findCommonLink, linksOf, linksOfCommit } from './access/actors.ts'
export type { Authorization } from './access/admit.ts'
export { assertMay } from './access/assert-may.ts'
export { assertStillMayEdit } from './access/assert-may-edit.ts'
export {
  allows,
  type Chain,
  chainsOf,
  chainTo,
  findGrant,
  type LinkFault,
  linkFault,
  maxChain,
} from './access/authority.ts'
export { authorityFor, isAllowed, principalOf } from './access/gate.ts'
export { isOwnIntent } from './access/owned-intent.ts'
export { type KeptProposal, proposalAt, proposalIn } from './access/proposal.ts'
export { limitsPerMinute } from './access/rate.ts'
export { listRefusals, noteRefusal, writeRefusals } from './access/refusals.ts'
export {
  type ChangeKind,
  checkedRule,
  maxRules,
  type PolicyRule,
  type RuleEffect,
  type RuleSelectors,
} from './access/rule.ts'
export { type RuleRecord, type RuleStatus, type RuleTable, rulesOf } from './access/rule-record.ts'
export { type RelevantRule, relevantRules } from './access/rules.ts'
export {
  coversTaint,
  isHiding,
  isOnBranch,
  mayRelease,
  type Severity,
  severities,
  type TaintEffect,
  type TaintedPlaces,
  type TaintRecord,
  taintEffects,
  taintsInForce,
} from './access/taints.ts'
export { type RepoErrors, repoError, type Warning } from './errors.ts'
export { type Collecting, collectGarbage, type GcReport, retain } from './gc/collect-garbage.ts'
export { neededBy, reachAll, rootsOf } from './gc/reach.ts'
export { assertWritable, faultError, type Handle, readPath, type Shared } from './handle.ts'
export { suspectsOf } from './history/bisect.ts'
export {
  type Blame,
  blame,
  blameTree,
  type Draft as BlameDraft,
  type PathHistory,
  pathHistory,
} from './history/blame.ts'
export { type BlameChain, blameChain } from './history/blame-chain.ts'
export { type CommitGraph, type CommitGraphRef, type CommitGraphRow, commitGraph } from './history/commit-graph.ts'
export { type DescribedCommit, describeCommit } from './history/describe-commit.ts'
export type { Check, Landing } from './landing.ts'
export {
  assertEpochsKnown,
  type EpochRecord,
  type EpochScope,
  type EpochSeal,
  type EpochStatus,
  epochRanges,
  epochScope,
  findEpoch,
  getEpoch,
  listEpochs,
  type SealFacts,
} from './log/epoch-entry.ts'
export { findHistoryFault, findMark, isHigher } from './log/high-water-mark.ts'
export {
  consistencyProofAt,
  deriveUntil,
  frontierAt,
  grownBy,
  inclusionProofAt,
  rootAt,
  wrongHashes,
} from './log/merkle-log.ts'
export { checkedSigner, logOrigin, signedHead } from './log/signed-head.ts'
export { startSigning } from './log/signing.ts'
export { type KeyChange, keyChanges } from './log/signing-keys.ts'
export { findTailFault, followWithTail } from './log/tail-mark.ts'
export {
  detailLink,
  type Merged,
  type MergeOptions,
  type MergePreview,
  type MergeRules,
  type MergeSides,
  mergeBranch,
  mergedOn,
  mergeRequest,
  previewMerge,
  storedResolutions,
} from './merge/merge.ts'
export {
  findTaskKey,
  isFinal,
  type PlanStatus,
  planPath,
  type TaskRecord,
  type TaskStatus,
  taskIdOf,
  taskKeyOf,
  taskNumberOf,
} from './merge/plan-record.ts'
export { findCycle } from './merge/plan-waits.ts'
export { keepPolicies, policiesOn } from './merge/policies.ts'
export {
  cherryPick,
  landRoots,
  mergedRoots,
  type Restored,
  revert,
  rewriteOnto,
  rollback,
  rollbackRequest,
} from './merge/revert-and-cherry-pick.ts'
export { type Band, type Calibration, type CalibrationFilter, calibration } from './outcomes/calibration.ts'
export type { ResolvedIntent } from './outcomes/intent-lookup.ts'
export { type IntentNode, type IntentPage, type IntentTreeOptions, intentTree } from './outcomes/intent-tree.ts'
export { observe, readObservation, resolveIntent } from './outcomes/observe.ts'
export { type CommitFilter, matcherOf, matches } from './query/filter.ts'
export { indexUntil, newsOf } from './query/index-build.ts'
export { followWithIndex } from './query/index-follower.ts'
export { eventTerms, exactTerms, groups, isExactTerm } from './query/index-terms.ts'
export { intentFacts } from './query/intent-facts.ts'
export { isLanded } from './query/landed.ts'
export { type LandedCounts, type LandedTally, landedCounts, landedTally } from './query/landed-counts.ts'
export { filteredLog, passes } from './query/log.ts'
export { type Query, query } from './query/query.ts'
export { type OnProgress, reindex } from './query/reindex.ts'
export { type Located, lastEntryUntil, locate, nameOf, type Revision, resolve, resolveInto } from './query/revision.ts'
export { type RetentionStats, type Stats, stats } from './query/stats.ts'
export { commitTouches } from './query/touches.ts'
export { type AccessErrors, accessError } from './records/access-errors.ts'
export {
  type Ended,
  type FrozenRecord,
  type GrantRecord,
  type KeyRecord,
  operator,
  type PrincipalRecord,
} from './records/access-record.ts'
export { type AccessCache, type Accessor, type AccessState, newAccessCache } from './records/accessor.ts'
export type { Author } from './records/author.ts'
export { type AccessRequest, type Capability, capabilities } from './records/capability.ts'
export type { Change, Conflict } from './records/change.ts'
export { changedPath } from './records/changed-path.ts'
export {
  bodyOf,
  type EntryBodies,
  type EpochBody,
  type EraseBody,
  type EventBody,
  findBody,
  type KeyBody,
  type KindAndBody,
  type NoteBody,
  type RefusalCount,
  type SealBody,
  type SealLists,
  type SpeculationEnd,
  type TaskBody,
  type Via,
} from './records/entry-bodies.ts'
export type { Identity } from './records/identity.ts'
export {
  type Alternative,
  type AnsweredQuestion,
  type Approval,
  type Category,
  type CommitInfo,
  type ConsideredSpeculation,
  checkedText,
  type Expectation,
  reasonOf,
  type SpeculationRef,
  type StoredAlternative,
  type ToolCall,
  type Why,
} from './records/info.ts'
export type { Deviation, Observation, Observed, Resolution } from './records/observation.ts'
export { newId } from './records/once.ts'
export {
  accessRef,
  accessRefs,
  besidePrefix,
  branchPrefix,
  branchRef,
  draftPrefix,
  epochPrefix,
  erasedPrefix,
  findRef,
  grantNameOf,
  keysRef,
  leadsToLanded,
  listRefs,
  mainBranch,
  nodeCacheRef,
  proposalPrefix,
  runPrefix,
  tagPrefix,
  tagRef,
  taskNumbersPrefix,
  threadPrefix,
} from './records/ref-names.ts'
export {
  type IntentRecord,
  type IntentStatus,
  intentStatuses,
  type ReportRecord,
  type SessionRecord,
} from './records/session-record.ts'
export type { HistoryFault, MarkFollower, Signer, Signing } from './records/signing.ts'
export type { Versioning } from './records/versioning.ts'
export type { SchemaWarning, Violation } from './records/violation.ts'
export { judgeState, violationsOf } from './schema/check.ts'
export { assertHints } from './schema/merge-hints.ts'
export {
  type ComparedPath,
  type ComparedSpeculation,
  type Comparison,
  compareSpeculations,
} from './speculation/compare.ts'
export { changesOf, type DraftInfo, type DraftWhy, editSpeculation } from './speculation/edit.ts'
export { type LandOptions, landSpeculation } from './speculation/land.ts'
export { changesFrom, conflictFrom, decodeValue, reportedValue } from './state/decode-value.ts'
export {
  assertMeta,
  assertSameVersion,
  findReservedKey,
  findVersion,
  findVersionGap,
  isSameMeta,
  metaKey,
  withVersion,
} from './state/meta.ts'
export {
  coversNames,
  coversPlaces,
  meansName,
  meansPlace,
  namePattern,
  placePattern,
  touchesPlace,
} from './state/place-pattern.ts'
export { type PlaceBelow, type PlacesBelow, placesBelow } from './state/places-below.ts'
export { type Roots, stateBefore } from './state/roots.ts'
export {
  dropOpaque,
  type Enforcement,
  enforcements,
  findOpaque,
  findSchemas,
  keepOpaque,
  type SchemaRecord,
  type SchemaRule,
  type SchemasInForce,
  schemasPath,
} from './state/schemas.ts'
export {
  type Entry,
  entryOf,
  type Found,
  findChild,
  isSystemPath,
  listBelow,
  plansKey,
  searchedPlaces,
} from './state/state.ts'
export { type Ancestry, ancestry, isAncestor } from './visibility/ancestry.ts'
export {
  assertExports,
  assertFullyReadable,
  assertReadable,
  assertReads,
  assertReadsAll,
  assertReadsBranch,
} from './visibility/assert-reads.ts'
export { type Commit, commitFrom, detailOf, type Written, writtenFrom } from './visibility/commit.ts'
export type { ChainLink } from './visibility/named-chain.ts'
export { branchScopeOfCommit } from './visibility/names-of-commit.ts'
export {
  type BranchScope,
  branchScopeOf,
  isLeafReadable,
  type Readability,
  type ReadScope,
  readScopeOf,
} from './visibility/read-scope.ts'
export { isReadableCommit } from './visibility/readable-commit.ts'
export { isReadableIntent, seesAllIntents } from './visibility/readable-intent.ts'
export { readableAt, readableRoot, readableState } from './visibility/readable-state.ts'
export { redactConflicts } from './visibility/redact-conflicts.ts'
export { redactViolation } from './visibility/redact-violation.ts'
export { findShownHead, findShownId, stateName } from './visibility/shown-head.ts'
export { findValue, getValue } from './visibility/value-at.ts'
export type { JournalEvent, UndoneOperation } from './watch/journal-event.ts'
export { previewUndo, type UndoEvent, type UndoOptions, undo } from './watch/undo.ts'
export { type Follower, follow, type WatchFilter, type WatchStart, watchStart } from './watch/watch.ts'
export { acceptFault } from './write/accept-fault.ts'
export { completeReason } from './write/complete-reason.ts'
export { findDoneOnce, onceUnder, type Request, requestOf } from './write/idempotency.ts'
export { stamp, stampNew } from './write/initial-version.ts'
export { landOn, landOnce, writtenOn } from './write/land-with-retry.ts'
export type { LandedOn, Prepared, Writer } from './write/prepared.ts'
export { receipted } from './write/receipt.ts'
export { recordEntries } from './write/record-entries.ts'
export {
  assertNamesFree,
  assertUnprotected,
  checkedNewBranch,
  checkedNewTag,
  checkedRefName,
  createRef,
  createRefAtHead,
  deleteRef,
  findBranchHead,
  getBranchHead,
  moveRefs,
  refNotFound,
  renameRef,
} from './write/refs.ts'
export { type Keep, keepOptions, setRetention } from './write/retention.ts'
export {
  discardSpeculation,
  dropSpeculation,
  getKnownSpeculation,
  getSpeculation,
  listSpeculations,
  type OpenSpeculation,
  type SpeculationInfo,
  type SpeculationRange,
  speculate,
  speculationInfo,
} from './write/speculation.ts'
export {
  addChanges,
  addDelete,
  addSet,
  beginTransaction,
  commitGiven,
  findCommitted,
  landTransaction,
  newTransaction,
  type OpenTransaction,
  transactionFind,
  transactionGet,
  transactionHas,
  transactionList,
} from './write/transaction.ts'
export {
  commitEdit,
  commitSet,
  deleteEdit,
  deleteExisting,
  type GivenEdit,
  pausedEdits,
  pausedSetEdit,
  setEdit,
  type WriteOptions,
  write,
  writer,
} from './write/write.ts'
export { findWritten, writtenAgain } from './write/written-again.ts'
