/** Forks and deletes threads. Both only move refs: nothing is copied and nothing erased. */

import { type Handle, moveRefs } from '../../repo/index.ts'
import { ask, type Move, type Work } from '../../store/index.ts'
import { graphError } from '../errors.ts'
import type { CompiledGraphPlan } from '../model/compiled-plan.ts'
import type { ThreadRefs } from './records/refs.ts'
import { JournalRunLog } from './run/journal-run-log.ts'
import { getThreadCommit } from './state/history.ts'
import { getResumePoint, holdOf, isOpenAfter, type ThreadResumePoint } from './state/resume-point.ts'

/** Makes a thread that begins where another is, with what is pending there, or at one of its commits. */
export async function forkThread(
  plan: CompiledGraphPlan,
  handle: Handle,
  from: ThreadRefs,
  to: ThreadRefs,
  at: string | undefined,
): Promise<void> {
  const { journal } = handle
  const resumePoint = await journal.run(
    at === undefined ? getResumePoint(handle, from) : resumePointAt(handle, from, at),
  )
  const moves: Move[] = [{ name: to.head, expect: null, to: resumePoint.head.seq }]
  if (resumePoint.run !== null) moves.push({ name: to.run, expect: null, to: resumePoint.run })
  const outcome = await journal.run(moveRefs(handle, moves))
  if ('moved' in outcome) throw graphError('thread-exists', { thread: to.id })
  // A run that holds the one thread does not hold the fork.
  if (resumePoint.isHeld) await new JournalRunLog(handle, to, plan, resumePoint).end()
}

function* resumePointAt(handle: Handle, refs: ThreadRefs, at: string): Work<ThreadResumePoint> {
  const now = yield* getResumePoint(handle, refs)
  const commit = yield* getThreadCommit(handle, refs, at)
  if (commit.head.seq === now.head.seq) return now
  const facts = holdOf(commit.record)
  const isOpen = isOpenAfter(commit.record, facts)
  return { ...commit, run: null, facts, before: 0, isOpen, isHeld: isOpen }
}

/** Deletes the refs of a thread. Its commits stay in the journal until garbage collection. */
export function* deleteThread(handle: Handle, refs: ThreadRefs): Work<void> {
  for (;;) {
    const head = yield* ask(log => log.ref(refs.head))
    const run = yield* ask(log => log.ref(refs.run))
    if (head === null) throw graphError('thread-not-found', { thread: refs.id, graph: refs.graph })
    const moves: Move[] = [{ name: refs.head, expect: head, to: null }]
    if (run !== null) moves.push({ name: refs.run, expect: run, to: null })
    if ('seq' in (yield* moveRefs(handle, moves))) return
  }
}
