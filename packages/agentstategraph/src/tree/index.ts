/** Trees of values: what the layers above use. */

export { alignLists, type ListAlignment, type OnLink } from './align-lists.ts'
export { editsOf } from './apply.ts'
export { childOf, rootOf } from './build.ts'
export { differingElements, differingKeys } from './compare.ts'
export { formatLimits, type TreeContext, type TreeLimits } from './context.ts'
export { diff, type StoredChange } from './diff.ts'
export type { Edited } from './edit.ts'
export type { Edit } from './edits.ts'
export { elementOrigin } from './element-origin.ts'
export { type StoredConflict, type TreeErrors, treeError } from './errors.ts'
export { type Merged, merge } from './merge.ts'
export type { MergeOptions, Resolution } from './merging.ts'
export {
  type BranchNode,
  type Child,
  type ContainerNode,
  contentOf,
  countOf,
  draftOfWriter,
  type Entry,
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
  type Pointer,
  pointerOf,
  seqOfPointer,
  seqOfWriter,
  unstored,
  type Writer,
  writerOf,
} from './node.ts'
export { freshLink, nodeText, type Provenance, parseNode, provenanceOf } from './node-text.ts'
export { ownCopy } from './own-copy.ts'
export { findPlainChanges } from './plain-map-change.ts'
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
} from './policy.ts'
export { containerOfChild, findEntry, findIn, openedChild, valueOfChild } from './read.ts'
export { edit, sealedRoot } from './sealed-edit.ts'
export { opened, type ProtectedPlace, type Sealing, sealedAt } from './sealing.ts'
export { entriesOf, entryAt } from './sequence.ts'
export {
  expectSoon,
  isHint,
  type Loader,
  type Need,
  type Nodes,
  nodeOf,
  type SyncLoader,
  type Walk,
  walk,
  walkSync,
} from './walk.ts'
export { withWriters } from './with-writers.ts'
