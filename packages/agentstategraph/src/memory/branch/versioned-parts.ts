/** The internals of a `Versioned`, for this layer only. The class itself has only what users need. */

import { type Handle, repoError } from '../../repo/index.ts'
import type { EventLog } from '../events/event-log.ts'
import type { AgentDefinition } from '../state/agent-definition.ts'
import type { WorkingCopy } from '../state/working-copy.ts'
import { catchUp } from './catch-up.ts'
import { copyIn, type Transients, type Workspace } from './workspace.ts'

export interface VersionedParts {
  readonly handle: Handle
  workspace: Workspace
  readonly transients: Transients
  /** All agents used so far, by name, for merges of branches. */
  readonly agents: Map<string, AgentDefinition>
  /** The events of the run whose view this is; undefined outside a task. */
  readonly run: EventLog | undefined
  /** Workspaces of tasks that could not land when they ended; the next checkpoint tries again. */
  readonly held: Set<Workspace>
  /** The last of the operations on the workspace, which run one after another. */
  queue: Promise<unknown>
}

export function partsWith(
  handle: Handle,
  workspace: Workspace,
  transients: Transients,
  agents: Map<string, AgentDefinition>,
  run: EventLog | undefined,
): VersionedParts {
  return { handle, workspace, transients, agents, run, held: new Set(), queue: Promise.resolve() }
}

/** An agent's working copy in a memory's workspace. */
export function copyOf(parts: VersionedParts, definition: AgentDefinition): Promise<WorkingCopy> {
  parts.agents.set(definition.name, definition)
  return copyIn(parts.workspace, definition)
}

/** Runs an operation on the workspace after all earlier ones. */
export async function exclusively<T>(parts: VersionedParts, work: () => Promise<T>): Promise<T> {
  const before = parts.queue
  let leave = (): void => {}
  // Not the promise that is returned: a promise with a second listener loses its caller in stack traces.
  parts.queue = new Promise<void>(resolve => {
    leave = resolve
  })
  await before
  try {
    if (parts.handle.shared.isClosed) throw repoError('closed', { what: 'The memory' })
    return await work()
  } finally {
    leave()
  }
}

/** Brings objects that were handed out up to date with what landed. */
export async function showLanded(parts: VersionedParts): Promise<void> {
  if (parts.workspace.copies.size === 0) return
  await exclusively(parts, () => parts.handle.journal.run(catchUp(parts.workspace)))
}

/** Makes the objects of a workspace refuse writes. */
export function endWorkspace({ copies }: Workspace, reason: 'task' | 'rollback' | 'closed'): void {
  for (const copy of copies.values()) copy.over = reason
}
