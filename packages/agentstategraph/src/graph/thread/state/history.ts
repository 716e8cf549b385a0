/**
 * The commits of a thread, newest first, read on demand.
 *
 * The history of a thread follows first parents. A fork shares the history of the thread that it was forked from.
 */

import { hexOfId } from '../../../core/index.ts'
import { type Handle, isAncestor } from '../../../repo/index.ts'
import { badCursor, type Start } from '../../../repository/listing.ts'
import { pausePoint, readCommit, type StoredCommit, type Work } from '../../../store/index.ts'
import { graphError } from '../../errors.ts'
import type { ThreadRefs } from '../records/refs.ts'
import { getResumePoint, type ThreadCommit, threadCommitAt } from './resume-point.ts'
import { type AnyThreadState, type OpenThread, pastState, threadState } from './snapshot.ts'
import { stateVersions } from './versions.ts'

export function threadHistory(thread: OpenThread, isLive: () => boolean): Start<AnyThreadState> {
  const { handle, refs } = thread
  const { journal } = handle
  return async after => {
    const versions = stateVersions(journal.context)
    let last: ThreadCommit | undefined
    if (after !== undefined) {
      if (!/^\d{1,15}$/.test(after)) throw badCursor(after)
      const commit = await journal.run(readCommit(journal, Number(after)))
      if (!(await journal.run(isOfThread(handle, refs, commit)))) throw badCursor(after)
      last = await journal.run(threadCommitAt(journal, commit, refs))
    }
    const next = async (): Promise<AnyThreadState | undefined> => {
      if (last === undefined) {
        const resumePoint = await journal.run(getResumePoint(handle, refs))
        last = resumePoint
        return threadState(thread, resumePoint, isLive())
      }
      const commit = await journal.run(commitBefore(handle, refs, last))
      if (commit === undefined) return undefined
      // A commit that is not a step has no record of its own.
      const newer = last.head.seq === last.step.seq ? last.record : undefined
      last = commit
      return pastState(thread, commit, newer, versions)
    }
    return { next, cursor: () => String(last?.head.seq ?? 0) }
  }
}

/** The commit of a thread before another; undefined before the first step. */
export function* commitBefore(
  { journal }: Handle,
  refs: ThreadRefs,
  { head, step, record }: ThreadCommit,
): Work<ThreadCommit | undefined> {
  const parent = head.parents[0]
  if (parent === undefined) return undefined
  const before = yield* readCommit(journal, parent)
  // A commit that is not a step has the same nearest step as its parent.
  return head.seq === step.seq ? yield* threadCommitAt(journal, before, refs) : { head: before, step, record }
}

/** The commit of a thread with an id, or with a prefix of it. */
export function* getThreadCommit(handle: Handle, refs: ThreadRefs, from: string): Work<ThreadCommit> {
  const { head } = yield* getResumePoint(handle, refs)
  let commit: ThreadCommit | undefined = yield* threadCommitAt(handle.journal, head, refs)
  while (commit !== undefined) {
    yield pausePoint
    if (from.length >= MIN_DIGITS && hexOfId(commit.head.id).startsWith(from)) return commit
    commit = yield* commitBefore(handle, refs, commit)
  }
  throw graphError('step-not-found', { thread: refs.id, from })
}

/** The shortest prefix of an id. */
const MIN_DIGITS = 4

/** Cursors come from callers: permission to read this thread must not lead into another. */
function* isOfThread(handle: Handle, refs: ThreadRefs, commit: StoredCommit): Work<boolean> {
  if (handle.identity === undefined) return true
  const { head } = yield* getResumePoint(handle, refs)
  return yield* isAncestor(handle, commit, head)
}
