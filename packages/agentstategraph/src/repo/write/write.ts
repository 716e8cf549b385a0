/**
 * Blind writes: path operations that become a commit on a ref, wherever that ref has got to.
 *
 * A precondition is asked on the head that the write lands on.
 */

import type { Journal, StoredCommit, Work } from '../../store/index.ts'
import { type Edit, type Edited, edit, rootOf } from '../../tree/index.ts'
import { assertMayEdit, assertStillMayEdit } from '../access/assert-may-edit.ts'
import type { Check } from '../landing.ts'
import { newAccessCache } from '../records/accessor.ts'
import type { Reason } from '../records/info.ts'
import { grantNameOf } from '../records/ref-names.ts'
import { emptyRoot } from '../state/roots.ts'
import type { Request } from './idempotency.ts'
import { type LandedOn, landOn, type Prepared, type Writer } from './land-on.ts'
import { refNotFound } from './refs.ts'

/** A writer on a journal alone. */
export function writer(journal: Journal, checks: readonly Check[] = []): Writer {
  return { journal, shared: { checks, heads: new Map(), access: newAccessCache() } }
}

export interface WriteOptions {
  /** A repetition is answered with the first commit. So there is one, even when nothing changes. */
  readonly request?: Request | undefined
  /** Commits even when nothing changes. */
  readonly allowEmpty?: boolean | undefined
  /** Whether a ref that is not there is made. Otherwise writing to it is an error. */
  readonly mayCreate?: boolean | undefined
  /** Throws when the write must not be made on this head. */
  readonly precondition?: ((head: StoredCommit | undefined) => Work<void>) | undefined
}

/** A reason that has to be looked up is looked up on every try, as all that prepares a landing. */
export function* write(
  writing: Writer,
  ref: string,
  edits: readonly Edit[],
  reason: Reason | (() => Work<Reason>),
  options: WriteOptions = {},
): Work<LandedOn<undefined>> {
  const { journal } = writing
  const { request, allowEmpty = false, mayCreate = true, precondition } = options
  const branch = grantNameOf(ref)
  const prepare = function* (head: StoredCommit | undefined): Work<Prepared<undefined>> {
    const { info, detail } = typeof reason === 'function' ? yield* reason() : reason
    yield* assertMayEdit(writing, info.agent, branch, edits)
    if (head === undefined && !mayCreate) throw yield* refNotFound(writing, ref.slice(ref.indexOf('/') + 1))
    if (precondition !== undefined) yield* precondition(head)
    const { root, changed } = yield* edited(head, info.agent)
    if (head !== undefined && changed.length === 0 && !allowEmpty && request === undefined) {
      yield* assertStillMayEdit(writing, info.agent, branch, edits)
      return { kind: 'unchanged', result: undefined }
    }
    const landing = {
      tree: root,
      system: head?.system ?? emptyRoot(journal),
      info,
      detail: detail === undefined ? undefined : rootOf(journal.context, detail, 0),
    }
    return { kind: 'landing', landing, result: undefined }
  }
  const edited = function* (head: StoredCommit | undefined, agent: string): Work<Edited> {
    try {
      return yield* edit(journal.context, head?.tree ?? emptyRoot(journal), edits)
    } catch (error) {
      yield* assertStillMayEdit(writing, agent, branch, edits)
      throw error
    }
  }
  return yield* landOn(writing, ref, prepare, request)
}
