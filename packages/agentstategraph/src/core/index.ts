/**
 * The pure ground of the library: values, canonical text, hashes, paths, globs, the Merkle tree, ids and errors.
 *
 * Every export here is a decision; nothing in this folder does I/O, and nothing needs a particular runtime.
 */
export { appendAll } from './append-all.ts'
export { findBase64, findBase64Url, toBase64, toBase64Url } from './base64.ts'
export { findBuiltIn, isPlainObject } from './built-in.ts'
export { errorClassNames } from './built-in-error.ts'
export { copyGiven } from './copy-given.ts'
export { deepFreeze } from './deep-freeze.ts'
export type { DeepReadonly, Whole } from './deep-readonly.ts'
export {
  type CoreErrors,
  coreError,
  type ErrorMaker,
  errorsOf,
  isStateError,
  type Refusal,
  StateError,
  type Wording,
} from './errors.ts'
export { greatestOf, leastOf } from './extremes.ts'
export { compareGlobs, couldMatchBelow, type Glob, type GlobPart, matchesGlob, parseGlob } from './glob.ts'
export {
  bytesOfId,
  digestBytes,
  hashBytes,
  hashText,
  hexOfId,
  idOfBytes,
  idOfHex,
  isId,
  type RunningHash,
  runningHash,
} from './hash.ts'
export { type IdSet, idSet } from './id-set.ts'
export { joinedBytes } from './joined-bytes.ts'
export { readJson } from './json.ts'
export { evaluate as evaluateJsonSchema } from './json-schema/evaluate.ts'
export type { RuleIssue } from './json-schema/evaluation.ts'
export {
  findJsonSchemaDocument,
  findJsonSchemaFields,
  type JsonSchemaDocument,
  type JsonSchemaField,
  type JsonSchemaFields,
  jsonSchema,
} from './json-schema/json-schema.ts'
export { patternsOf, schemasOfProperty } from './json-schema/part-keywords.ts'
export {
  isSchemaObject,
  jsonTypeOf,
  partsOf,
  type Resolve,
  type SchemaNode,
  type SchemaObject,
} from './json-schema/schema-node.ts'
export { judge } from './json-schema/value-keywords.ts'
export { defaultLimits, type Limits } from './limits.ts'
export {
  appendLeaf,
  appendLeaves,
  consistencyProof,
  emptyFrontier,
  type Frontier,
  inclusionProof,
  leafHash,
  leafId,
  nodeHash,
  rootOf,
  rootOfFrontier,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'
export { didYouMean } from './nearest-name.ts'
export {
  checkOptions,
  checkOptionsOrText,
  type OptionNames,
  type Options,
  optionsOf,
  unknownNames,
} from './options.ts'
export { setOwn } from './own-property.ts'
export { foldPaths, formatPath, isIndex, type Path, parseKnownPath, parsePath, startsWithPath } from './path.ts'
export { randomBytes, randomId } from './random-id.ts'
export { erasedTag, findSealed, SealedValue, sealedTag } from './sealed-value.ts'
export {
  type Checkpoint,
  checkpointText,
  findCheckpoint,
  findNote,
  findVerifierKey,
  isKeyName,
  type NoteSignature,
  noteText,
  type SignedNote,
  type VerifierKey,
  verifierKeyOf,
} from './signed-note.ts'
export {
  type InputFrom,
  isStandardSchema,
  type SchemaIssue,
  type StandardSchema,
  type StateFrom,
  type StateSource,
  type Validated,
  validateWith,
} from './standard-schema.ts'
export { isStoredMap, isTag, isTagged, type Stored, storedKey, userKey } from './stored.ts'
export { type DestroyedKey, isDestroyed, type SubjectKey, type SubjectKeys } from './subject-keys.ts'
export { canonicalText, isWellFormed, quote, utf8Length } from './text.ts'
export { UnreadInstance } from './unread-instance.ts'
export {
  type ClassCodec,
  ClassTable,
  decode,
  type EncodeOptions,
  encode,
  type Storable,
  type StorableClasses,
  type StorableLeaf,
  type Value,
} from './value.ts'
export { isWholeList } from './whole-list.ts'
