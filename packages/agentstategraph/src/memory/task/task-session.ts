/**
 * The memory that one task works on, whichever kind it is: of this process, a fork of its own, or another task's fork.
 *
 * A fork lands when its task ends, as one commit that says how the task ended, how long it took and what went wrong. What
 * cannot land is not lost: what does not go together with what others landed is on a branch of its own, anything else is
 * held for the next checkpoint.
 */

import { hexOfId, isStateError } from '../../core/index.ts'
import { type CommitInfo, repoError } from '../../repo/index.ts'
import { keepRun } from '../branch/checkpoint.ts'
import { Versioned, versionedParts } from '../branch/versioned.ts'
import { copyOf, endWorkspace, partsWith, showLanded, type VersionedParts } from '../branch/versioned-parts.ts'
import { openWorkspace } from '../branch/workspace.ts'
import { memoryError } from '../errors.ts'
import { EventLog, keyOfRun, type Listener, type Teller } from '../events/event-log.ts'
import { errorFrom, type MemoryEvent, type ToldEvent } from '../events/events.ts'
import type { AgentDefinition } from '../state/agent-definition.ts'
import { goBack, savepointOf } from '../state/savepoint.ts'
import { Live, liveParts, stateIn } from './live.ts'

export interface TaskOfAgent {
  readonly definition: AgentDefinition
  readonly name: string
  readonly onError: 'commit' | 'rollback'
}

/** How a task's function ended. */
export type Ending =
  | { readonly status: 'success'; readonly result: unknown }
  | { readonly status: 'failed' | 'aborted'; readonly thrown: unknown }

export interface Session {
  readonly memory: Live | Versioned
  readonly state: object
  update(key: string, edit: (draft: never) => void): void
  tell(event: ToldEvent): void
  /** Keeps what is to be kept; throws when it cannot be. */
  end(ending: Ending): Promise<void>
  /** Keeps an error that is none of the task's, after its end. One that cannot be kept costs nobody the result. */
  report(error: Error): Promise<void>
}

export function sessionFor(task: TaskOfAgent, memory: Live | Versioned, hear: Listener): Promise<Session> {
  if (memory instanceof Live) return liveSession(task, memory, hear)
  const parts = versionedParts(memory)
  return parts.run === undefined
    ? ownSession(task, memory, parts, hear)
    : sharedSession(task, memory, parts, parts.run, hear)
}

/** The events that a task ends with. */
function lastEvents(ending: Ending): readonly ToldEvent[] {
  if (ending.status === 'success') return [{ kind: 'success', result: ending.result }]
  const error = errorFrom(ending.thrown)
  const { message } = error
  return [
    { kind: 'error', error, recoverable: false },
    { kind: 'fail', message: ending.status === 'aborted' ? `aborted: ${message}` : message },
  ]
}

async function liveSession({ definition, name }: TaskOfAgent, live: Live, hear: Listener): Promise<Session> {
  const { events, now } = liveParts(live)
  const state = (await stateIn(live, definition)) as Record<string, unknown>
  const tell = (event: ToldEvent): void => {
    const place = {
      seq: events.length + 1,
      timestamp: new Date(now()).toISOString(),
      agent: definition.name,
      task: name,
    }
    const told: MemoryEvent = { ...place, ...event }
    events.push(told)
    hear(told)
  }
  return {
    memory: live,
    state,
    tell,
    update(key, edit) {
      if (!Object.hasOwn(state, key)) throw memoryError('update-missing', { agent: definition.name, key })
      edit(state[key] as never)
    },
    end: async ending => lastEvents(ending).forEach(tell),
    report: async error => tell({ kind: 'error', error, recoverable: true }),
  }
}

/** A task of another task's memory: it shares the workspace under its own agent's keys, and lands nothing. */
async function sharedSession(
  { definition, name, onError }: TaskOfAgent,
  memory: Versioned,
  parts: VersionedParts,
  log: EventLog,
  hear: Listener,
): Promise<Session> {
  const copy = await copyOf(parts, definition)
  const { workspace } = parts
  const savepoint = onError === 'rollback' ? savepointOf(copy) : undefined
  const teller: Teller = { agent: definition.name, task: name, hear }
  return {
    memory,
    state: copy.state,
    tell: event => log.tell(teller, event),
    update: (key, edit) => copy.update(key, edit),
    async end(ending) {
      if (ending.status !== 'success' && savepoint !== undefined) goBack(workspace.codec, copy, savepoint)
      for (const event of lastEvents(ending)) log.tell(teller, event)
      await log.kept()
    },
    report: error => reported(log, teller, error),
  }
}

async function ownSession(
  task: TaskOfAgent,
  memory: Versioned,
  parts: VersionedParts,
  hear: Listener,
): Promise<Session> {
  const { definition, name, onError } = task
  // Whatever the commit is made of says who made it: the agent, not whoever holds the memory.
  const handle = { ...parts.handle, who: { ...parts.handle.who, agent: definition.name } }
  const { journal, shared } = handle
  if (shared.isClosed) throw repoError('closed', { what: 'The memory' })
  if (shared.isReadOnly) throw repoError('read-only', { operation: `${definition.name}/${name}` })
  const workspace = await journal.run(openWorkspace(handle, parts.transients))
  const { commit } = workspace.base
  const before = commit === undefined ? undefined : hexOfId(commit.id)
  const log = new EventLog(handle, journal.ids(), before)
  const own = partsWith(handle, workspace, parts.transients, parts.policies, log)
  const copy = await copyOf(own, definition)
  const teller: Teller = { agent: definition.name, task: name, hear }
  const started = journal.now()

  async function keep(ending: Ending): Promise<string | undefined> {
    await log.kept()
    if (ending.status !== 'success' && onError === 'rollback') return undefined
    return keepRun(workspace, log.run, keyOfRun(log.run), infoOf(task, log.run, ending, started, journal.now()))
  }

  return {
    memory: Versioned.bound(memory, own),
    state: copy.state,
    tell: event => log.tell(teller, event),
    update: (key, edit) => copy.update(key, edit),
    async end(ending) {
      try {
        const after = await keep(ending)
        tellEnd(log, teller, ending, after === undefined ? { after: before } : undefined)
        endWorkspace(workspace, 'task')
      } catch (error) {
        const failed: Ending = ending.status === 'success' ? { status: 'failed', thrown: error } : ending
        if (isAside(error)) endWorkspace(workspace, 'task')
        else parts.held.add(workspace)
        tellEnd(log, teller, failed, { after: undefined })
        await log.kept().catch(() => {})
        throw error
      }
      await log.kept()
      await showLanded(parts)
    },
    report: error => reported(log, teller, error),
  }
}

/** Whether what a task did is on a branch of its own. */
function isAside(error: unknown): boolean {
  return isStateError(error, 'merge-conflict') || isStateError(error, 'versions-differ')
}

async function reported(log: EventLog, teller: Teller, error: Error): Promise<void> {
  log.tell(teller, { kind: 'error', error, recoverable: true })
  await log.kept().catch(() => {})
}

/** Tells how a task ended. Only the very last event ends the run. */
function tellEnd(log: EventLog, teller: Teller, ending: Ending, end: { after: string | undefined } | undefined): void {
  const last = lastEvents(ending)
  for (const [i, event] of last.entries()) log.tell(teller, event, i === last.length - 1 ? end : undefined)
}

const MAX_REASONING_CHARACTERS = 100_000

/** What the commit of a task says of it. */
function infoOf(
  { definition, name }: TaskOfAgent,
  run: string,
  ending: Ending,
  started: number,
  ended: number,
): CommitInfo {
  const task = `${definition.name}/${name}`
  const error = ending.status === 'success' ? undefined : errorText(ending.thrown)
  const result = { status: ending.status, durationMs: ended - started, ...(error === undefined ? {} : { error }) }
  const times = { started: new Date(started).toISOString(), ended: new Date(ended).toISOString() }
  return {
    description: `${task}: ${ending.status}`,
    category: 'Checkpoint',
    reasoning: error,
    tools: [{ name: task, result, ...times }],
    trace: run,
  }
}

function errorText(thrown: unknown): string {
  const { name, message } = errorFrom(thrown)
  return `${name}: ${message}`.slice(0, MAX_REASONING_CHARACTERS).replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}
