/**
 * The pure ground of the library: values, canonical text, hashes, paths, globs, the Merkle tree, ids and errors.
 *
 * Every export here is a decision; nothing in this folder does I/O, and nothing needs a particular runtime.
 */

export {
  bytesOfId,
  digestBytes,
  hashBytes,
  hashText,
  hexOfId,
  idOfBytes,
  idOfHex,
  isId,
  joinedBytes,
  leafId,
  type RunningHash,
  runningHash,
} from './crypto/hash.ts'
export {
  appendLeaf,
  appendLeaves,
  emptyFrontier,
  type Frontier,
  leafHash,
  nodeHash,
  rootOf,
  rootOfFrontier,
  verifyConsistency,
  verifyInclusion,
} from './crypto/merkle.ts'
export { randomBytes, randomId } from './crypto/random-id.ts'
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
} from './crypto/signed-note.ts'
export { type DestroyedKey, isDestroyed, type SubjectKey, type SubjectKeys } from './crypto/subject-keys.ts'
export {
  type CoreErrors,
  coreError,
  type ErrorMaker,
  errorsOf,
  isStateError,
  StateError,
  type Wording,
} from './errors.ts'
export { evaluate as evaluateJsonSchema } from './json-schema/evaluate.ts'
export type { RuleIssue } from './json-schema/evaluation.ts'
export { findJsonSchema } from './json-schema/find-json-schema.ts'
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
export {
  type InputFrom,
  isStandardSchema,
  type SchemaIssue,
  type StandardSchema,
  type StateFrom,
  type StateSource,
  type Validated,
  validateWith,
} from './json-schema/standard-schema.ts'
export { judge } from './json-schema/value-keywords.ts'
export { defaultLimits, type Limits } from './limits.ts'
export { appendAll, greatestOf, leastOf } from './long-lists.ts'
export { didYouMean } from './nearest-name.ts'
export { findBuiltIn, isPlainObject } from './objects/built-in.ts'
export { copyGiven } from './objects/copy-given.ts'
export { deepFreeze } from './objects/deep-freeze.ts'
export type { DeepReadonly, Whole } from './objects/deep-readonly.ts'
export { findKeys, keepKeys, keysOf } from './objects/listed-keys.ts'
export { setOwn } from './objects/own-property.ts'
export { isWholeList } from './objects/whole-list.ts'
export {
  checkOptions,
  type OptionNames,
  type Options,
  optionsOf,
  unknownNames,
} from './options.ts'
export {
  compareGlobs,
  couldMatchBelow,
  type Glob,
  type GlobPart,
  matchesGlob,
  matchesPart,
  matchesParts,
  parseGlob,
} from './paths/glob.ts'
export { foldPaths, formatPath, isIndex, type Path, parseKnownPath, parsePath, startsWithPath } from './paths/path.ts'
export { findBase64, findBase64Url, toBase64, toBase64Url } from './text/base64.ts'
export {
  areInOrder,
  canonicalText,
  fits,
  isStoredMap,
  isTag,
  isTagged,
  isWellFormed,
  quote,
  type Stored,
  storedKey,
  userKey,
  utf8Length,
} from './text/stored.ts'
export { errorClassNames } from './values/built-in-error.ts'
export { type ClassCodec, ClassTable } from './values/class-codec.ts'
export { decode } from './values/decode.ts'
export { encode } from './values/encode.ts'
export { encodeSteps, type Steps } from './values/encode-steps.ts'
export type { EncodeOptions } from './values/encode-walk.ts'
export { EncryptedValue, encryptedRefused, encryptedTag, erasedTag, findEncrypted } from './values/encrypted-value.ts'
export type { Refusal, ValueErrors } from './values/errors.ts'
export { type JsonOptions, readJson, readJsonSteps } from './values/json.ts'
export { checkedMoment, isMoment, lastMoment, millisOf } from './values/moment.ts'
export type { Storable, StorableClasses, StorableLeaf, Value } from './values/storable.ts'
export { UnreadInstance } from './values/unread-instance.ts'
