/**
 * The session of one task on its memory: in this process, in a workspace of its own, or in the workspace of its caller.
 *
 * A workspace of its own lands when the task ends, as one commit. If that conflicts with what others landed, the changes
 * land on a new branch; if it fails for another reason, the workspace is held for the next checkpoint.
 */

import { hexOfId, isStateError } from '../../core/index.ts'
import { assertWritable, repoError } from '../../repo/index.ts'
import { checkpointRun } from '../branch/checkpoint.ts'
import { Versioned, versionedParts } from '../branch/versioned.ts'
import { copyOf, endWorkspace, partsWith, showLanded, type VersionedParts } from '../branch/versioned-parts.ts'
import { openWorkspace } from '../branch/workspace.ts'
import { memoryError } from '../errors.ts'
import { type Emitter, EventLog, keyOfRun, type Listener } from '../events/event-log.ts'
import { type EventContent, errorFrom, type MemoryEvent } from '../events/events.ts'
import type { AgentDefinition } from '../state/agent-definition.ts'
import { restore, savepointOf } from '../state/savepoint.ts'
import { Live, liveParts, stateIn } from './live.ts'
import { commitInfoOf, type Ending } from './task-info.ts'

export interface TaskOfAgent {
  readonly definition: AgentDefinition
  readonly name: string
  readonly onError: 'commit' | 'rollback'
}

export interface Session {
  readonly memory: Live | Versioned
  readonly state: object
  update(key: string, edit: (value: never) => void): void
  emit(event: EventContent): void
  /** Of a caller who may be refused: waits until the events are stored. What the function does cannot be taken back. */
  readonly admitted?: (() => Promise<void>) | undefined
  /** Stores the outcome and, as the task's options say, its changes. */
  end(ending: Ending): Promise<void>
  /** Stores an error that is not the task's, after its end. A failure to store it is ignored: the result counts. */
  report(error: Error): Promise<void>
}

export function sessionFor(task: TaskOfAgent, memory: Live | Versioned, onEvent: Listener): Promise<Session> {
  if (memory instanceof Live) return liveSession(task, memory, onEvent)
  const parts = versionedParts(memory)
  return parts.run === undefined
    ? ownSession(task, memory, parts, onEvent)
    : sharedSession(task, memory, parts, parts.run, onEvent)
}

/** The last events of a task. */
function lastEvents(ending: Ending): readonly EventContent[] {
  if (ending.status === 'success') return [{ kind: 'success', result: ending.result }]
  const error = errorFrom(ending.thrown)
  const { message } = error
  return [
    { kind: 'error', error, recoverable: false },
    { kind: 'fail', message: ending.status === 'aborted' ? `aborted: ${message}` : message },
  ]
}

async function liveSession({ definition, name }: TaskOfAgent, live: Live, onEvent: Listener): Promise<Session> {
  const { events, now } = liveParts(live)
  const state = (await stateIn(live, definition)) as Record<string, unknown>
  const emit = (event: EventContent): void => {
    const place = {
      seq: events.length + 1,
      timestamp: new Date(now()).toISOString(),
      agent: definition.name,
      task: name,
    }
    const stored: MemoryEvent = { ...place, ...event }
    events.push(stored)
    onEvent(stored)
  }
  return {
    memory: live,
    state,
    emit,
    update(key, edit) {
      if (!Object.hasOwn(state, key)) throw memoryError('update-missing', { agent: definition.name, key })
      edit(state[key] as never)
    },
    end: async ending => lastEvents(ending).forEach(emit),
    report: async error => emit({ kind: 'error', error, recoverable: true }),
  }
}

/** A task that was called with the memory of another: it shares the workspace and run of that task, and does not land. */
async function sharedSession(
  { definition, name, onError }: TaskOfAgent,
  memory: Versioned,
  parts: VersionedParts,
  log: EventLog,
  onEvent: Listener,
): Promise<Session> {
  const copy = await copyOf(parts, definition)
  const { workspace } = parts
  const savepoint = onError === 'rollback' ? savepointOf(copy) : undefined
  const emitter: Emitter = { agent: definition.name, task: name, onEvent }
  return {
    memory,
    state: copy.state,
    emit: event => log.add(emitter, event),
    update: (key, edit) => copy.update(key, edit),
    async end(ending) {
      if (ending.status !== 'success' && savepoint !== undefined) restore(workspace.codec, copy, savepoint)
      for (const event of lastEvents(ending)) log.add(emitter, event)
      await log.stored()
    },
    report: error => report(log, emitter, error),
  }
}

async function ownSession(
  task: TaskOfAgent,
  memory: Versioned,
  parts: VersionedParts,
  onEvent: Listener,
): Promise<Session> {
  const { definition, name, onError } = task
  const taskName = `${definition.name}/${name}`
  // The commit is made by the agent of the task, not by the identity that opened the memory.
  const handle = { ...parts.handle, who: { ...parts.handle.who, agent: definition.name } }
  const { journal, shared } = handle
  if (shared.isClosed) throw repoError('closed', { what: 'The memory' })
  assertWritable(shared, taskName)
  const workspace = await journal.run(openWorkspace(handle, parts.transients))
  const { commit } = workspace.base
  const before = commit === undefined ? undefined : hexOfId(commit.id)
  const log = new EventLog(handle, journal.ids(), before)
  const own = partsWith(handle, workspace, parts.transients, parts.agents, log)
  const copy = await copyOf(own, definition)
  const emitter: Emitter = { agent: definition.name, task: name, onEvent }
  const started = journal.now()

  async function admitted(): Promise<void> {
    try {
      await log.stored()
    } catch (error) {
      endWorkspace(workspace, 'task')
      throw error
    }
  }

  async function keep(ending: Ending): Promise<string | undefined> {
    await log.stored()
    if (ending.status !== 'success' && onError === 'rollback') return undefined
    const times = { started, ended: journal.now() }
    return checkpointRun(workspace, log.run, keyOfRun(log.run), commitInfoOf(taskName, log.run, ending, times))
  }

  return {
    memory: Versioned.bound(memory, own),
    state: copy.state,
    emit: event => log.add(emitter, event),
    update: (key, edit) => copy.update(key, edit),
    admitted: handle.identity === undefined ? undefined : admitted,
    async end(ending) {
      try {
        const after = await keep(ending)
        addLastEvents(log, emitter, ending, after === undefined ? { after: before } : undefined)
        endWorkspace(workspace, 'task')
      } catch (error) {
        const failed: Ending = ending.status === 'success' ? { status: 'failed', thrown: error } : ending
        if (isAside(error)) endWorkspace(workspace, 'task')
        else parts.held.add(workspace)
        addLastEvents(log, emitter, failed, { after: undefined })
        await log.stored().catch(() => {})
        throw error
      }
      await log.stored()
      await showLanded(parts)
    },
    report: error => report(log, emitter, error),
  }
}

/** Whether the changes landed on a branch of their own. */
function isAside(error: unknown): boolean {
  return isStateError(error, 'merge-conflict') || isStateError(error, 'versions-differ')
}

async function report(log: EventLog, emitter: Emitter, error: Error): Promise<void> {
  log.add(emitter, { kind: 'error', error, recoverable: true })
  await log.stored().catch(() => {})
}

/** Adds the last events. Only the very last one ends the run. */
function addLastEvents(
  log: EventLog,
  emitter: Emitter,
  ending: Ending,
  end: { after: string | undefined } | undefined,
): void {
  const last = lastEvents(ending)
  for (const [i, event] of last.entries()) log.add(emitter, event, i === last.length - 1 ? end : undefined)
}
