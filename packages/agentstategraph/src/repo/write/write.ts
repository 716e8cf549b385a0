/**
 * Writing by path: edits that become a commit on a ref, wherever the ref is by then. `set`, `delete` and transactions end here.
 *
 * A precondition is checked on the head that the write lands on.
 */

import {
  canonicalText,
  copyGiven,
  type EncodeOptions,
  encode,
  encodeSteps,
  encryptedRefused,
  formatPath,
  isStoredMap,
  type Path,
  parsePath,
  type Stored,
} from '../../core/index.ts'
import { type Journal, pausePoint, type StoredCommit, type Work } from '../../store/index.ts'
import {
  decrypted,
  type Edit,
  type Edited,
  type EncryptedPlace,
  edit,
  pausedSteps,
  rootOf,
  valueOfChild,
} from '../../tree/index.ts'
import { assertMayEdit, assertStillMayEdit } from '../access/assert-may-edit.ts'
import { repoError } from '../errors.ts'
import { type Handle, readPath } from '../handle.ts'
import type { Check } from '../landing.ts'
import { newAccessCache } from '../records/accessor.ts'
import { givenInfo, type Reason, reasonOf, type Why } from '../records/info.ts'
import { branchRef, grantNameOf, mainBranch } from '../records/ref-names.ts'
import { reportedValue } from '../state/decode-value.ts'
import { emptyRoot } from '../state/roots.ts'
import { findChild, isSystemPath, systemKeys } from '../state/state.ts'
import { assertReads } from '../visibility/assert-reads.ts'
import type { Written } from '../visibility/commit.ts'
import { assertHead } from './assert-head.ts'
import { completeReason } from './complete-reason.ts'
import { encryptedFor, type Request, requestOf } from './idempotency.ts'
import { landOn, writtenOn } from './land-with-retry.ts'
import type { LandedOn, Prepared, Writer } from './prepared.ts'
import { refNotFound } from './refs.ts'

/** A writer on a journal alone. */
export function writer(journal: Journal, checks: readonly Check[] = []): Writer {
  return { journal, shared: { checks, heads: new Map(), queues: new Map(), access: newAccessCache() } }
}

export interface EditsOptions {
  /** A repetition is answered with the first commit. So there is one, even when nothing changes. */
  readonly request?: Request | undefined
  /** Commits even when nothing changes. */
  readonly allowEmpty?: boolean | undefined
  /** Whether a ref that does not exist is made. Otherwise writing to it is an error. */
  readonly mayCreate?: boolean | undefined
  /** Throws when the write must not be made on this head. */
  readonly precondition?: ((head: StoredCommit | undefined) => Work<void>) | undefined
}

/** Makes edits a commit on a ref. A reason given as work is looked up on every try, like all that prepares a landing. */
export function write(
  writing: Writer,
  ref: string,
  edits: readonly Edit[],
  reason: Reason | (() => Work<Reason>),
  options: EditsOptions = {},
): Work<LandedOn<undefined>> {
  const { journal } = writing
  const { request, allowEmpty = false, mayCreate = true, precondition } = options
  // The operator may write everywhere, so nothing is asked for the operator.
  const asked = writing.identity === undefined ? undefined : grantNameOf(ref)
  const prepare = function* (head: StoredCommit | undefined): Work<Prepared<undefined>> {
    const { info, detail, needs } = typeof reason === 'function' ? yield* reason() : reason
    if (asked !== undefined) yield* assertMayEdit(writing, info.agent, asked, edits)
    if (head === undefined && !mayCreate) throw yield* refNotFound(writing, ref.slice(ref.indexOf('/') + 1))
    if (precondition !== undefined) yield* precondition(head)
    let made: Edited
    try {
      made = yield* edit(journal.context, head?.tree ?? emptyRoot(journal), edits)
    } catch (error) {
      if (asked !== undefined) yield* assertStillMayEdit(writing, info.agent, asked, edits)
      throw error
    }
    if (head !== undefined && made.changed.length === 0 && !allowEmpty && request === undefined) {
      if (asked !== undefined) yield* assertStillMayEdit(writing, info.agent, asked, edits)
      return { kind: 'unchanged', result: undefined }
    }
    const system = head?.system ?? emptyRoot(journal)
    const kept = detail === undefined ? undefined : rootOf(journal.context, detail, 0)
    return { kind: 'landing', landing: { tree: made.root, system, info, detail: kept, needs }, result: undefined }
  }
  return landOn(writing, ref, prepare, request, true)
}

/** Options of a write, beside why it is made. */
export interface WriteOptions {
  /** Refuses the write with `precondition-failed` when this does not hold at the moment of writing. */
  onlyIf?: { head: string } | { value: unknown } | undefined
  /** Commits even when nothing changes. */
  allowEmpty?: boolean | undefined
}

/** The stored form of a value that a caller gave to write at a path. Without `onEncrypted` an encrypted value is refused. */
export function encodeAt(
  { shared: { limits }, journal }: Handle,
  at: readonly string[],
  value: unknown,
  onEncrypted: EncodeOptions['onEncrypted'] = refuseEncrypted,
): Stored {
  return encode(value, { at, limits, classes: journal.context.classes, onEncrypted })
}

function refuseEncrypted(path: readonly string[]): never {
  throw encryptedRefused(path)
}

/** The edit that sets a path. */
export function setEdit(handle: Handle, path: Path, value: unknown): Edit {
  const at = parsePath(path, handle.shared.limits)
  const encrypted: EncryptedPlace[] = []
  const stored = encodeAt(handle, at, value, (path, one) => encrypted.push({ path, stored: one }))
  return settingEdit(at, stored, encrypted)
}

/** Makes the edit that sets a path a commit on the handle's branch. Under a budget the value is encoded with pauses. */
export function* commitSet(handle: Handle, path: Path, value: unknown, why: Why<WriteOptions>): Work<Written> {
  return yield* commitEdit(handle, yield* pausedSetEdit(handle, path, value), why)
}

/** An edit as a caller gives it. */
export type GivenEdit =
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'delete'; readonly path: Path }

/** The edits of a caller, with pauses where work may pause. */
export function* pausedEdits(handle: Handle, given: readonly GivenEdit[]): Work<readonly Edit[]> {
  const { nodes } = handle.journal
  const edits: Edit[] = []
  for (const one of given) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    edits.push(one.op === 'set' ? yield* pausedSetEdit(handle, one.path, one.value) : deleteEdit(handle, one.path))
  }
  return edits
}

/** The same as `setEdit`, with pauses where work may pause. */
export function* pausedSetEdit(handle: Handle, path: Path, value: unknown): Work<Edit> {
  const { shared, journal } = handle
  const { nodes, context } = journal
  if (nodes.isPauseDue === undefined || typeof value !== 'object') return setEdit(handle, path, value)
  const at = parsePath(path, shared.limits)
  const encrypted: EncryptedPlace[] = []
  const onEncrypted = (path: readonly string[], stored: Stored): unknown => encrypted.push({ path, stored })
  const { limits } = shared
  const steps = encodeSteps(value, { at, limits, classes: context.classes, onEncrypted })
  return settingEdit(at, yield* pausedSteps(nodes, steps), encrypted)
}

function settingEdit(path: readonly string[], value: Stored, encrypted: readonly EncryptedPlace[]): Edit {
  const edit: Edit = { op: 'set', path, value }
  return writable(encrypted.length === 0 ? edit : { ...edit, encrypted })
}

/** The edit that deletes a path. */
export function deleteEdit(handle: Handle, path: Path): Edit {
  return writable({ op: 'delete', path: readPath(handle, path) })
}

/** Gives the edit back, or refuses one of what belongs to the system. */
export function writable(edit: Edit): Edit {
  if (isSystemPath(edit.path)) throw repoError('path-reserved', { path: formatPath(edit.path) })
  if (edit.op === 'set' && edit.path.length === 0 && isStoredMap(edit.value)) {
    const root = edit.value as { readonly [key: string]: Stored }
    const reserved = systemKeys.find(key => Object.hasOwn(root, key))
    if (reserved !== undefined) throw repoError('path-reserved', { path: `/${reserved}` })
  }
  return edit
}

/** Makes one edit a commit on the handle's branch. `onlyIf: {value}` is about its path. */
export function commitEdit(handle: Handle, edit: Edit, why: Why<WriteOptions>): Work<Written> {
  return commitEdits(handle, [edit], why, { request: editRequest(handle, edit, why), path: edit.path })
}

/** Deletes what is at a path, as a commit, or throws `path-not-found`. A repetition is answered with the first commit. */
export function deleteExisting(handle: Handle, path: Path, why: Why<WriteOptions>): Work<Written> {
  const edit = deleteEdit(handle, path)
  const precondition = function* (head: StoredCommit | undefined): Work<void> {
    const child = head === undefined ? undefined : yield* findChild(handle.journal.context, head, edit.path)
    if (child === undefined) throw repoError('path-not-found', { path: formatPath(edit.path), at: handle.branch })
  }
  return commitEdits(handle, [edit], why, { request: editRequest(handle, edit, why), path: edit.path, precondition })
}

interface CommitOptions {
  readonly request: Request | undefined
  /** What `onlyIf: {value}` is about; the root when absent. */
  readonly path?: readonly string[]
  readonly precondition?: NonNullable<EditsOptions['precondition']>
}

/** Makes edits a commit on the handle's branch. */
export function* commitEdits(
  handle: Handle,
  edits: readonly Edit[],
  given: Why<WriteOptions>,
  { request, path = [], precondition }: CommitOptions,
): Work<Written> {
  const why = typeof given === 'string' ? given : copyGiven(given)
  const { onlyIf, allowEmpty }: WriteOptions = givenInfo(why)
  const asserted = function* (head: StoredCommit | undefined): Work<void> {
    if (precondition !== undefined) yield* precondition(head)
    if (onlyIf !== undefined) yield* assertOnlyIf(handle, onlyIf, head, path)
  }
  const options = {
    request,
    allowEmpty,
    // The first write makes main. Another name without a branch is more likely mistyped, or its branch was just deleted.
    mayCreate: handle.branch === mainBranch,
    precondition: onlyIf === undefined ? precondition : asserted,
  }
  // Only alternatives are looked up, and a text has none.
  const reason = typeof why === 'string' ? reasonOf(handle, why, 'Refine') : () => completeReason(handle, why, 'Refine')
  return yield* writtenOn(handle, yield* write(handle, branchRef(handle.branch), edits, reason, options))
}

function editRequest(handle: Handle, edit: Edit, why: Why<WriteOptions>): Request | undefined {
  if (typeof why === 'string') return undefined
  const { op, path } = edit
  const { encryption } = handle.journal.context
  const value = op === 'set' ? [encryptedFor(encryption, path, edit.value)] : []
  return requestOf(handle, why, op, [path, ...value], path)
}

function* assertOnlyIf(
  handle: Handle,
  onlyIf: NonNullable<WriteOptions['onlyIf']>,
  head: StoredCommit | undefined,
  at: readonly string[],
): Work<void> {
  if ('head' in onlyIf) {
    yield* assertHead(handle, head, onlyIf.head)
    return
  }
  // Whether the condition holds reveals the value.
  yield* assertReads(handle, at)
  const { context, nodes } = handle.journal
  const wanted = yield* pausedSteps(nodes, encodeSteps(onlyIf.value, { at, classes: context.classes }))
  const child = head === undefined ? undefined : yield* findChild(context, head, at)
  const actual = child === undefined ? undefined : decrypted(context.encryption, yield* valueOfChild(context, child))
  // Absent and undefined ask the same: is there no value yet?
  const isHeld = actual === undefined ? onlyIf.value === undefined : canonicalText(actual) === canonicalText(wanted)
  if (!isHeld) {
    const found = actual === undefined ? undefined : reportedValue(context, actual)
    throw repoError('precondition-failed', { path: formatPath(at), expected: onlyIf.value, actual: found })
  }
}
