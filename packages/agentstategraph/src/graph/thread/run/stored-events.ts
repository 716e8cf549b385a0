/** The events of a thread's runs that the journal holds, with their numbers: updates and states. They are read backwards. */

import { appendAll } from '../../../core/index.ts'
import type { Handle } from '../../../repo/index.ts'
import type { CompiledGraphPlan, State, Update } from '../../model/compiled-plan.ts'
import type { EventKind } from '../../model/event-types.ts'
import { updateFrom } from '../records/kept-update.ts'
import type { ThreadRefs } from '../records/refs.ts'
import { commitBefore } from '../state/history.ts'
import { findResumePoint, type ThreadCommit } from '../state/resume-point.ts'
import { loadVersion } from '../state/stored-state.ts'
import { stateVersions } from '../state/versions.ts'
import type { AnyEvent } from './event-hub.ts'
import { emittedUpdates } from './numbered-events.ts'

/** The events of these kinds after a number, in order. */
export async function storedEvents(
  plan: CompiledGraphPlan,
  handle: Handle,
  refs: ThreadRefs,
  kinds: ReadonlySet<EventKind>,
  after: number,
): Promise<readonly AnyEvent[]> {
  if (!kinds.has('updates') && !kinds.has('values')) return []
  const { journal } = handle
  const resumePoint = await journal.run(findResumePoint(handle, refs))
  if (resumePoint === undefined) return []
  const events: AnyEvent[] = []
  for (const { fact, event } of resumePoint.facts) {
    if (fact.kind !== 'task' || event === undefined) continue
    appendAll(events, updateEvents(refs, fact.node, fact.cached, fact.updates, event))
  }
  const versions = stateVersions(journal.context)
  let commit: ThreadCommit | undefined = { ...resumePoint, head: resumePoint.step }
  while (commit !== undefined && commit.record.event > after) {
    const state = await loadVersion(plan, handle, commit.step, versions)
    appendAll(events, stepEvents(refs, commit, state()))
    commit = await journal.run(commitBefore(handle, refs, { ...commit, head: commit.step }))
  }
  return events.filter(({ kind, seq }) => kinds.has(kind) && seq > after).sort((a, b) => a.seq - b.seq)
}

function stepEvents(refs: ThreadRefs, { record }: ThreadCommit, state: State): AnyEvent[] {
  const events = record.tasks.flatMap(({ node, cached, updates, event }) => {
    const given = updates.map(update => updateFrom(update, state))
    return updateEvents(refs, node, cached, given, event)
  })
  return [...events, { kind: 'values', state, seq: record.event, thread: refs.id }]
}

function updateEvents(
  { id }: ThreadRefs,
  node: string,
  cached: boolean,
  updates: readonly Update[],
  first: number,
): AnyEvent[] {
  return emittedUpdates({ updates }).map((update, i) => {
    return { kind: 'updates', node, update, cached, seq: first + i, thread: id }
  })
}
