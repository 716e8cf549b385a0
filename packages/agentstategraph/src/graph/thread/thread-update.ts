/** Changing a thread's state from outside, through the reducers, as if a node had returned the update. */

import type { Handle } from '../../repo/index.ts'
import { positionAfter } from '../engine/route.ts'
import { graphError } from '../errors.ts'
import type { Plan } from '../plan.ts'
import { numbersAfter } from './event-hub.ts'
import { journalKeeper } from './journal-keeper.ts'
import { getStanding } from './standing.ts'
import { lastNumber } from './telling-keeper.ts'
import { landEdit } from './thread-edit.ts'
import type { ThreadRefs } from './thread-refs.ts'
import { loadState } from './thread-value.ts'

/** What an update is called in errors and in history when it stands for no node. */
const OUTSIDE = 'update'

/** With `as`, the thread goes on as after that node, and what had been pending is dropped. */
export async function updateThread(
  plan: Plan,
  handle: Handle,
  refs: ThreadRefs,
  update: unknown,
  as: string | undefined,
): Promise<void> {
  const { journal } = handle
  const standing = await journal.run(getStanding(handle, refs))
  if (standing.isHeld) throw graphError('run-busy', { thread: refs.id })
  if (as !== undefined && !plan.nodes.has(as)) {
    throw graphError('node-unknown', { node: as, known: [...plan.nodes.keys()] })
  }
  const loaded = await loadState(plan, handle, standing.head)
  const { state, changes } = await plan.fields.apply(loaded.state, update, as ?? OUTSIDE)
  const all = (task: number) => [...loaded.missing, ...changes.map(change => ({ ...change, task }))]
  if (as === undefined) {
    return journal.run(landEdit(handle, refs, standing, { cause: 'update', state, changes: all(-1), tasks: [] }))
  }
  const next = await positionAfter(plan, as, state, undefined)
  const task = { task: '0', node: as, attempt: 1, updates: [update as object], cached: false }
  const first = numbersAfter(lastNumber(standing)) + 1
  const step = { cause: 'update' as const, state, changes: all(0), tasks: [task as never], next }
  await journalKeeper(handle, refs, standing).step(step, { tasks: [first], state: first + 1 })
}
