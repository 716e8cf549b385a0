/** Functions over a journal: what repositories are made of. */

export type { Ended, FrozenRecord, GrantRecord, KeyRecord, PrincipalRecord } from './access/access-record.ts'
export { operator } from './access/access-record.ts'
export {
  type AccessCache,
  type Accessor,
  type AccessState,
  accessRef,
  accessTime,
  accessValue,
  currentAccess,
  newAccessCache,
} from './access/access-state.ts'
export type { Judged } from './access/admit.ts'
export { assertMay } from './access/assert-may.ts'
export { assertStillMayEdit } from './access/assert-may-edit.ts'
export {
  assertAllSeen,
  assertExports,
  assertReads,
  assertReadsAll,
  assertReadsBranch,
  assertSeen,
} from './access/assert-reads.ts'
export {
  allows,
  type Chain,
  chainsOf,
  chainTo,
  comesFrom,
  findGrant,
  type LinkFault,
  linkFault,
  maxChain,
} from './access/authority.ts'
export { type Ask, type Capability, capabilities } from './access/capability.ts'
export { type AccessChange, type AccessEdit, changeAccess } from './access/change-access.ts'
export { approveProposal, getProposal, rejectProposal } from './access/decide-proposal.ts'
export { type AccessErrors, accessError } from './access/errors.ts'
export { authorityFor, isAllowed, isKeyGood, principalOf } from './access/gate.ts'
export type { Identity } from './access/identity.ts'
export type { ChainLink } from './access/named-chain.ts'
export { viewOfCommit } from './access/names-of-commit.ts'
export { ownRefs } from './access/own-refs.ts'
export {
  coversNames,
  coversPlaces,
  meansName,
  meansPlace,
  namePattern,
  placePattern,
  touchesPlace,
} from './access/place-pattern.ts'
export { type KeptProposal, proposalAt, proposalIn, proposalPrefix } from './access/proposal.ts'
export { listRefusals, noteRefusal, type RefusalCount, writeRefusals } from './access/refusals.ts'
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
export { isSeen, seenCommit, seenWritten } from './access/seen-commit.ts'
export { seenConflicts } from './access/seen-conflicts.ts'
export { isSeenProposal, type Proposal, type ProposalStatus, seenProposal, statusOf } from './access/seen-proposal.ts'
export { seenViolation } from './access/seen-violation.ts'
export {
  type IntentRecord,
  type IntentStatus,
  intentStatuses,
  type ReportRecord,
  type SessionRecord,
} from './access/session-record.ts'
export { type Seen, type Sight, seesLeaf, sightOf, type View, viewOf } from './access/sight.ts'
export {
  coversMark,
  isHiding,
  isOnBranch,
  type Mark,
  mayRelease,
  type Severity,
  severities,
  type TaintEffect,
  type TaintRecord,
  taintEffects,
  taintsInForce,
} from './access/taints.ts'
export { visibleAt, visibleRoot, visibleState } from './access/visible.ts'
export { writersOfPlaces } from './access/writers-of-places.ts'
export {
  byValue,
  cherryPick,
  landRoots,
  mergedRoots,
  type Restored,
  type Roots,
  revert,
  rollback,
  rollbackRequest,
  stateBefore,
} from './back.ts'
export { type Blame, blame, blameTree, type Draft as BlameDraft, type PathHistory, pathHistory } from './blame.ts'
export { type BlameChain, blameChain } from './blame-chain.ts'
export { type Band, type Calibration, type CalibrationFilter, calibration } from './calibration.ts'
export { type Change, type Conflict, changeFrom, conflictFrom } from './change.ts'
export { type Collecting, collectGarbage, type GcReport, retain } from './collect-garbage.ts'
export {
  detailLink,
  type Merged,
  type MergeOptions,
  type MergePreview,
  mergedOn,
  mergeInto,
  mergeRequest,
  nameOf,
  previewMerge,
} from './combine.ts'
export { type Commit, commitFrom, detailOf, type Written, writtenFrom } from './commit.ts'
export { type CommitGraph, commitGraph, type GraphCommit, type GraphRef } from './commit-graph.ts'
export {
  assertEpochsKnown,
  type EpochBody,
  type EpochRecord,
  type EpochScope,
  type EpochSeal,
  type EpochStatus,
  epochPrefix,
  epochRanges,
  epochScope,
  findEpoch,
  getEpoch,
  listEpochs,
  type SealBody,
  type SealFacts,
  type SealLists,
} from './epoch-entry.ts'
export { type RepoErrors, repoError } from './errors.ts'
export { type CommitFilter, matcherOf, matches } from './filter.ts'
export { type Handle, readPath, type Shared, type Who } from './handle.ts'
export { findHistoryFault, findMark, type HistoryFault, isHigher } from './high-water-mark.ts'
export { type Ancestry, ancestry, isAncestor, mergeBases } from './history.ts'
export { type Request, requestOf } from './idempotency.ts'
export { indexUntil } from './index-build.ts'
export { eventTerms } from './index-terms.ts'
export {
  type Alternative,
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
} from './info.ts'
export { intentFacts } from './intent-facts.ts'
export { type IntentNode, intentTree, type ResolvedIntent } from './intent-tree.ts'
export type { JournalEvent } from './journal-event.ts'
export type { Check } from './land.ts'
export { type LandedOn, landOn, landOnce, type Prepared, type Writer } from './land-on.ts'
export { isLanded } from './landed.ts'
export { type LandedCounts, type LandedTally, landedCounts, landedTally } from './landed-counts.ts'
export type { Landing } from './landing.ts'
export { filteredLog, passes } from './log.ts'
export { type KeyBody, type KeyChange, keyChanges, keysRef } from './log-keys.ts'
export {
  consistencyProofAt,
  deriveUntil,
  frontierAt,
  grownBy,
  inclusionProofAt,
  rootAt,
  wrongHashes,
} from './merkle-log.ts'
export {
  assertMeta,
  assertSameVersion,
  findReservedKey,
  findVersion,
  findVersionGap,
  isSameMeta,
  metaKey,
  withVersion,
} from './meta.ts'
export {
  type Deviation,
  type Observation,
  observe,
  type Resolution,
  readObservation,
  resolveIntent,
} from './observe.ts'
export { type PlaceBelow, type PlacesBelow, placesBelow } from './places-below.ts'
export {
  findTaskKey,
  isFinal,
  type PlanStatus,
  planPath,
  plansKey,
  type TaskRecord,
  type TaskStatus,
  taskIdOf,
  taskKeyOf,
  taskNumberOf,
} from './plan-record.ts'
export { keepPolicies, policiesOn } from './policies.ts'
export { type Query, query } from './query.ts'
export { type Stats, stats } from './query-stats.ts'
export { neededBy, reachAll } from './reach.ts'
export { recordEntries } from './record-entries.ts'
export { besidePrefix, leadsToLanded, runPrefix } from './ref-kinds.ts'
export {
  assertNamesFree,
  assertUnprotected,
  branchPrefix,
  branchRef,
  checkedNewBranch,
  checkedNewTag,
  checkedRefName,
  createRef,
  deleteRef,
  findRef,
  listRefs,
  mainBranch,
  moveRefs,
  refNotFound,
  renameRef,
  tagPrefix,
  tagRef,
  threadPrefix,
} from './refs.ts'
export { type OnProgress, reindex } from './reindex.ts'
export {
  findBranchHead,
  getBranchHead,
  type Located,
  lastEntryUntil,
  locate,
  type Revision,
  resolve,
  resolveInto,
} from './revision.ts'
export { judgeState, violationsOf } from './schema-check.ts'
export { assertHints } from './schema-hints.ts'
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
} from './schemas.ts'
export { commitEdits, deleteEdit, editRequest, setEdit, type WriteOptions } from './set.ts'
export { reportedValue, shownValue } from './shown.ts'
export { checkedSigner, logOrigin, type Signer, signedHead } from './signed-head.ts'
export { type Signing, startSigning } from './signing.ts'
export {
  discardSpeculation,
  dropDraft,
  findSpeculation,
  getKnownSpeculation,
  getSpeculation,
  isKnownSpeculation,
  listDrafts,
  type OpenSpeculation,
  type SpeculationEnd,
  type SpeculationInfo,
  speculate,
  speculationInfo,
} from './speculate.ts'
export { fullReason } from './speculate-alternatives.ts'
export { type ComparedPath, type Comparison, compareSpeculations } from './speculate-compare.ts'
export { type LandOptions, landSpeculation } from './speculate-land.ts'
export { changesOf, editSpeculation } from './speculate-write.ts'
export { stamp, stampNew } from './stamp.ts'
export { type Entry, entryOf, type Found, findChild, isSystemPath, listBelow, searchedPlaces } from './state.ts'
export { suspectsOf } from './suspects.ts'
export { commitTouches } from './touched.ts'
export {
  addChanges,
  addDelete,
  addSet,
  beginDraft,
  type Draft,
  draftFind,
  draftGet,
  draftHas,
  draftList,
  draftOn,
  findCommitted,
  landDraft,
} from './transaction.ts'
export { undo } from './undo.ts'
export { findValue, getValue } from './value-at.ts'
export type { Versioning } from './versioning.ts'
export type { SchemaWarning, Violation } from './violation.ts'
export { type Follower, follow, type WatchFilter, type WatchStart, watchStart } from './watch.ts'
export { assertWritable } from './writable.ts'
export { write, writer } from './write.ts'
export { findWritten, writtenAgain, writtenOn } from './written-again.ts'
