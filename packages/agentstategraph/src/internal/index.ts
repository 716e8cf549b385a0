/**
 * What the server and the benchmarks of this workspace need from inside the library.
 *
 * It is not part of the public face: anything here may change or go in any version.
 */

export {
  coreError,
  decode,
  defaultLimits,
  type ErrorMaker,
  encode,
  errorsOf,
  findKeys,
  greatestOf,
  hexOfId,
  isPlainObject,
  isStateError,
  isTag,
  type JsonOptions,
  keepKeys,
  keysOf,
  leastOf,
  parsePath,
  readJson,
  readJsonSteps,
  type Stored,
  setOwn,
  storedKey,
  userKey,
} from '../core/index.ts'
export {
  assertReadsAll,
  assertWritable,
  commitGiven,
  commitTouches,
  deleteExisting,
  draftPrefix,
  editSpeculation,
  findDoneOnce,
  type GivenEdit,
  pausedEdits,
  receipted,
  repoError,
  write,
  writer,
} from '../repo/index.ts'
export {
  appendEntries,
  ask,
  commitId,
  commitText,
  defaultNamespace,
  entryText,
  eventLoop,
  findHead,
  isSpent,
  leafOfEntry,
  openJournal,
  readCommit,
  readEntries,
  readEntry,
  spentError,
  writePack,
} from '../store/index.ts'
export { diff, findEntry, rootOf, seqOfWriter } from '../tree/index.ts'
