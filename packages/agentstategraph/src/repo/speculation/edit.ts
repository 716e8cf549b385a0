/** Writing in a speculation: each write is a commit on its ref, which no branch shows until it lands. */

import type { Work } from '../../store/index.ts'
import { diff, type Edit, edit } from '../../tree/index.ts'
import { assertMayEdit } from '../access/assert-may-edit.ts'
import type { Handle } from '../handle.ts'
import { detailLink } from '../merge/merge.ts'
import type { Change } from '../records/change.ts'
import { type CommitInfo, reasonOf } from '../records/info.ts'
import { changesFrom } from '../state/decode-value.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { readableRoot } from '../visibility/readable-state.ts'
import { landAt, type Place } from '../write/land-with-retry.ts'
import type { Prepared } from '../write/prepared.ts'
import { draftRef, getSpeculation, type OpenSpeculation } from '../write/speculation.ts'

/** Why something is tried: in a sentence, or with the reasoning and how sure its writer is. */
export type DraftWhy = string | DraftInfo

/** The same as an object. */
export type DraftInfo = Pick<CommitInfo, 'description' | 'reasoning' | 'confidence'>

/** Makes edits in a speculation; a lost race makes them again on what the other writer left. */
export function* editSpeculation(
  handle: Handle,
  id: string,
  edits: readonly Edit[],
  why?: DraftWhy | undefined,
): Work<void> {
  const { journal } = handle
  const find = function* (): Work<OpenSpeculation & Place> {
    return { ...(yield* getSpeculation(handle, id)), ref: draftRef(id) }
  }
  yield* landAt(handle, find, function* ({ body, head }): Work<Prepared<undefined>> {
    yield* assertMayEdit(handle, handle.who.agent, body.branch, edits)
    const { root, changed } = yield* edit(journal.context, head.tree, edits)
    if (changed.length === 0) return { kind: 'unchanged', result: undefined }
    const { info, ...reason } = reasonOf(handle, why ?? body.label ?? 'Speculate', 'Explore')
    const landing = {
      branch: body.branch,
      tree: root,
      system: head.system,
      info,
      ...detailLink(handle, reason),
      body: { speculation: body },
    }
    return { kind: 'landing', landing, result: undefined }
  })
}

/** What a speculation changes, against where it began, as far as the handle may read its branch. */
export function* changesOf(handle: Handle, { base, head, body }: OpenSpeculation): Work<Change[]> {
  const { context } = handle.journal
  const view = (yield* readScopeOf(handle))?.on([body.branch])
  const [before, after] = [yield* readableRoot(context, base.tree, view), yield* readableRoot(context, head.tree, view)]
  return yield* changesFrom(context, yield* diff(context, before, after))
}
