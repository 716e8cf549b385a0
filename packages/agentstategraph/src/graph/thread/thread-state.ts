/** What a thread looks like to its callers, now or at one of its commits. */

import { hexOfId } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'
import type { GraphTypes } from '../define/graph-types.ts'
import { asked } from '../engine/interrupts.ts'
import { andThen, type Maybe } from '../maybe.ts'
import type { Plan, State } from '../plan.ts'
import { amendedBase, finishedTasks, nextNodes, stateWithFinished } from './pending-work.ts'
import { type Situation, situationOf, type ThreadCommit, type ThreadStanding } from './standing.ts'
import type { ThreadRefs } from './thread-refs.ts'
import type { ThreadState } from './thread-types.ts'
import { loadState } from './thread-value.ts'

export type AnyThreadState = ThreadState<GraphTypes>

/** A thread as it is. One that this process runs is running, whatever the journal knows yet. */
export function threadState(
  plan: Plan,
  handle: Handle,
  refs: ThreadRefs,
  standing: ThreadStanding,
  isLive: boolean,
): Maybe<AnyThreadState> {
  if (isLive) return shown(plan, handle, refs, standing, { status: 'running' })
  return shown(plan, handle, refs, standing, situationOf(standing), standing)
}

/** A thread as it was after one of its commits. */
export function pastState(plan: Plan, handle: Handle, refs: ThreadRefs, commit: ThreadCommit): Maybe<AnyThreadState> {
  const { next, hold } = commit.record
  if (hold !== undefined) return shown(plan, handle, refs, commit, { status: 'paused', interrupts: [asked(hold)] })
  return shown(plan, handle, refs, commit, { status: next === undefined ? 'done' : 'idle' })
}

function shown(
  plan: Plan,
  handle: Handle,
  { id }: ThreadRefs,
  { head, record }: ThreadCommit,
  situation: Situation,
  pending?: ThreadStanding,
): Maybe<AnyThreadState> {
  const isPending = pending !== undefined && situation.status !== 'running'
  const loaded = andThen(loadState(plan, handle, head), ({ state }) =>
    isPending ? pendingState(plan, pending, state) : state,
  )
  return andThen(loaded, (state): Maybe<AnyThreadState> => {
    const common = {
      thread: id,
      commit: hexOfId(head.id),
      timestamp: new Date(head.record.time).toISOString(),
      state,
    }
    if (situation.status === 'done')
      return andThen(plan.fields.output(state), output => ({ ...common, status: 'done', output }))
    const next = isPending
      ? nextNodes(plan, pending)
      : [...new Set((record.next?.targets ?? []).map(({ node }) => node))]
    if (situation.status !== 'failed') return { ...common, next, ...situation }
    const { node, error } = situation
    return { ...common, next, status: 'failed', node, error: error instanceof Error ? error : new Error(String(error)) }
  })
}

/** The state with all that has happened since the last step. */
export function pendingState(plan: Plan, { facts }: ThreadStanding, state: State): Maybe<State> {
  const all = facts.map(({ fact }) => fact)
  return andThen(amendedBase(plan, all, state), base => stateWithFinished(plan, finishedTasks(plan, all), base.state))
}
