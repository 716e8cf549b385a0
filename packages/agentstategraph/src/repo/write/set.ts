/** Writing by path: what `set`, `delete` and transactions end in. */

import {
  canonicalText,
  copyGiven,
  encode,
  formatPath,
  hexOfId,
  isStoredMap,
  type Path,
  parsePath,
  type Stored,
} from '../../core/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { decrypted, type Edit, valueOfChild } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import { encodeAt, type Handle, readPath } from '../handle.ts'
import { givenInfo, type Reason, type Why } from '../records/info.ts'
import { branchRef, mainBranch } from '../records/ref-names.ts'
import { reportedValue } from '../state/decode-value.ts'
import { findChild, isSystemPath, systemKeys } from '../state/state.ts'
import { assertReads } from '../visibility/assert-reads.ts'
import type { Written } from '../visibility/commit.ts'
import { completeReason } from './full-reason.ts'
import { encryptedFor, type Request, requestOf } from './idempotency.ts'
import { write } from './write.ts'
import { writtenOn } from './written-again.ts'

export interface WriteOptions {
  /** Refuses the write with `precondition-failed` when this does not hold at the moment of writing. */
  onlyIf?: { head: string } | { value: unknown } | undefined
  /** Commits even when nothing changes. */
  allowEmpty?: boolean | undefined
}

export function setEdit(handle: Handle, path: Path, value: unknown): Edit {
  const at = parsePath(path, handle.shared.limits)
  return writable({ op: 'set', path: at, value: encodeAt(handle, at, value) })
}

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

/** Makes edits a commit on the handle's branch. `onlyIf: {value}` is about the path given; `also` is asked on each head. */
export function* commitEdits(
  handle: Handle,
  edits: readonly Edit[],
  given: Why<WriteOptions>,
  request: Request | undefined,
  path?: readonly string[],
  also?: (head: StoredCommit | undefined) => Work<void>,
): Work<Written> {
  const why = copyGiven(given)
  const { onlyIf, allowEmpty }: WriteOptions = givenInfo(why)
  const precondition = function* (head: StoredCommit | undefined): Work<void> {
    if (also !== undefined) yield* also(head)
    if (onlyIf !== undefined) yield* assertOnlyIf(handle, onlyIf, head, path)
  }
  const isStrict = onlyIf !== undefined || also !== undefined
  const options = {
    request,
    allowEmpty,
    // The first write makes main. A name that is no branch is more likely mistyped, or its branch was deleted meanwhile.
    mayCreate: handle.branch === mainBranch,
    precondition: isStrict ? precondition : undefined,
  }
  const reason = (): Work<Reason> => completeReason(handle, why, 'Refine')
  return yield* writtenOn(handle, yield* write(handle, branchRef(handle.branch), edits, reason, options))
}

/** The request of a single edit. */
export function editRequest(handle: Handle, edit: Edit, why: Why<WriteOptions>): Request | undefined {
  const { op, path } = edit
  const { encryption } = handle.journal.context
  const value = op === 'set' ? [encryptedFor(encryption, path, edit.value)] : []
  return requestOf(handle, why, op, [path, ...value], path)
}

function* assertOnlyIf(
  handle: Handle,
  onlyIf: NonNullable<WriteOptions['onlyIf']>,
  head: StoredCommit | undefined,
  path: readonly string[] | undefined,
): Work<void> {
  if ('head' in onlyIf) {
    const actual = head === undefined ? undefined : hexOfId(head.id)
    if (actual !== onlyIf.head) throw repoError('precondition-failed', { expected: onlyIf.head, actual })
    return
  }
  const { journal } = handle
  const at = path ?? []
  // Whether it holds tells what is there.
  yield* assertReads(handle, at)
  const wanted = encode(onlyIf.value, { at, classes: journal.context.classes })
  const child = head === undefined ? undefined : yield* findChild(journal.context, head, at)
  const { context } = journal
  const actual = child === undefined ? undefined : decrypted(context.encryption, yield* valueOfChild(context, child))
  // Absent and undefined are the same question: is there nothing yet?
  const isHeld = actual === undefined ? onlyIf.value === undefined : canonicalText(actual) === canonicalText(wanted)
  if (!isHeld) {
    const found = actual === undefined ? undefined : reportedValue(context, actual)
    throw repoError('precondition-failed', { path: formatPath(at), expected: onlyIf.value, actual: found })
  }
}
