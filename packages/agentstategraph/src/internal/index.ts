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
  keepKeys,
  keysOf,
  leastOf,
  parsePath,
  readJson,
  type Stored,
  setOwn,
  storedKey,
} from '../core/index.ts'
export {
  assertReadsAll,
  assertWritable,
  commitTouches,
  deleteEdit,
  deleteExisting,
  draftPrefix,
  editSpeculation,
  findDoneOnce,
  receipted,
  repoError,
  setEdit,
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
