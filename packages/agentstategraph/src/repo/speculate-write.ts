/** Writing in a speculation: each write is a commit on its ref, seen by nobody else until it lands. */

import type { Work } from '../store/index.ts'
import { diff, type Edit, edit } from '../tree/index.ts'
import { type Change, changeFrom } from './change.ts'
import type { Handle } from './handle.ts'
import { reasonOf } from './info.ts'
import { land } from './land.ts'
import { bodyOf, draftRef, getSpeculation, type OpenSpeculation } from './speculate.ts'

/** Makes edits in a speculation; a lost race makes them again on what the other writer left. */
export function* editSpeculation(handle: Handle, id: string, edits: readonly Edit[]): Work<void> {
  const { journal, shared } = handle
  for (;;) {
    const { body, at, head } = yield* getSpeculation(handle, id)
    const { root, changed } = yield* edit(journal.context, head.tree, edits)
    if (changed.length === 0) return
    const landing = {
      ref: draftRef(id),
      expect: at,
      head,
      tree: root,
      system: head.system,
      changed,
      info: reasonOf(handle, body.label ?? 'Speculate', 'Explore').info,
      body: bodyOf(body),
    }
    if ((yield* land(journal, landing, shared.checks)).kind === 'done') return
  }
}

/** What a speculation changes, against where it began. */
export function* changesOf({ journal }: Handle, { base, head }: OpenSpeculation): Work<Change[]> {
  return (yield* diff(journal.context, base.tree, head.tree)).map(change => changeFrom(journal.context, change))
}
