/**
 * Commits on a thread that are not steps.
 *
 * The nearest step before them still says where the thread goes next, what is pending and what has finished. So a paused
 * thread can be edited, and resumes with what it had.
 */

import { type Handle, type Landing, landOnce } from '../../repo/index.ts'
import type { Work } from '../../store/index.ts'
import { edit, rootOf } from '../../tree/index.ts'
import { graphError } from '../errors.ts'
import type { Step } from '../model/run-protocol.ts'
import { encodingOf } from './records/encoding.ts'
import { editsOfStep, prepareStep } from './records/prepared-step.ts'
import type { ThreadRefs } from './records/refs.ts'
import { runIntent, stepInfo } from './records/step-intent.ts'
import { draftsOf, storedDrafts } from './records/steps.ts'
import type { ThreadResumePoint } from './state/resume-point.ts'
import { namingNodes } from './state/schemas.ts'

export type ThreadEdit = Omit<Step, 'next'>

/** Lands an edit at the resume point of a thread. Throws `run-busy` when the thread has moved since. */
export function* landEdit(
  handle: Handle,
  refs: ThreadRefs,
  resumePoint: ThreadResumePoint,
  made: ThreadEdit,
): Work<void> {
  const { journal } = handle
  const { head, step, run } = resumePoint
  const drafts = draftsOf(made.tasks)
  const prepared = prepareStep({ ...made, next: undefined }, { tasks: [], state: 0 }, encodingOf(handle))
  const { root } = yield* edit(journal.context, head.tree, editsOfStep(prepared, drafts))
  const detail = { ...storedDrafts(drafts.names), edit: { graph: refs.graph, cause: made.cause } }
  const landing: Landing = {
    ref: refs.head,
    head,
    tree: root,
    system: head.system,
    detail: rootOf(journal.context, detail, 0),
    info: stepInfo(handle, made, drafts, runIntent(step)),
    guards: [{ name: refs.run, expect: run, to: run }],
  }
  const outcome = yield* namingNodes(made, landOnce(handle, landing))
  if (outcome.kind !== 'done') throw graphError('run-busy', { thread: refs.id })
}
