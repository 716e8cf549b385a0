/** Trees of values: what the layers above use. */

export { alignLists, type ListAlignment, type OnLink } from './diff/align-lists.ts'
export { differingElements, differingKeys } from './diff/compare.ts'
export { diff, type StoredChange } from './diff/diff.ts'
export { editsOf, pausedEditsOf } from './edit/apply.ts'
export { type Edited, edit } from './edit/edit.ts'
export type { Edit, EncryptedPlace } from './edit/edits.ts'
export { encryptedRoot } from './edit/encrypted-root.ts'
export { withEntries } from './edit/with-entries.ts'
export { type StoredConflict, type TreeErrors, treeError } from './errors.ts'
export { type Merged, merge } from './merge/merge.ts'
export type { MergeOptions, Resolution } from './merge/merging.ts'
export {
  type Decision,
  decide,
  type Policies,
  type Policy,
  type PolicyName,
  type PolicyTable,
  policyAt,
  policyTable,
  type Side,
} from './merge/policy.ts'
export {
  childOf,
  containerOfChild,
  decryptedChild,
  findEntry,
  findIn,
  type KeyPlace,
  type MapRoot,
  placeOfKey,
  rootOf,
  settled,
} from './nodes/child.ts'
export { formatLimits, type TreeContext, type TreeLimits } from './nodes/context.ts'
export { decrypted, type Encryption, encryptedAt, type ProtectedPlace } from './nodes/encryption.ts'
export {
  type BranchNode,
  type Child,
  type ContainerNode,
  contentOf,
  countOf,
  draftOfWriter,
  type Entry,
  type Fresh,
  familyOf,
  type Held,
  type Item,
  indexOfPointer,
  isContainer,
  isSameContent,
  type Leaf,
  type Link,
  type ListNode,
  type MapNode,
  maxDrafts,
  maxPackNodes,
  type Node,
  type Patch,
  type Pointer,
  pointerAfter,
  pointerOf,
  replaceWriters,
  seqOfPointer,
  seqOfWriter,
  unstored,
  type Writer,
  writerOf,
} from './nodes/node.ts'
export {
  freshLink,
  isWholeText,
  lineOf,
  nodeText,
  type Provenance,
  parseNode,
  provenanceOf,
} from './nodes/node-text.ts'
export { ownCopy } from './nodes/own-copy.ts'
export { type EntryRun, entriesOf, entryAt, leafAt } from './nodes/sequence.ts'
export { type TextChanges, textChanges } from './nodes/text-changes.ts'
export {
  expectSoon,
  isHint,
  isPausePoint,
  type Loader,
  type Need,
  type Nodes,
  nodeOf,
  pausedSteps,
  pausePoint,
  type SyncLoader,
  type Walk,
} from './nodes/walk.ts'
export { WholeNode } from './nodes/whole-node.ts'
export { type Decode, decodedChild, valueOfChild } from './nodes/whole-value.ts'
export { elementOrigin } from './writers/element-origin.ts'
export { findPlainChanges } from './writers/plain-map-change.ts'
export { withWriters } from './writers/with-writers.ts'
