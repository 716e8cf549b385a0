/** The lifecycle of a plan: created, closed when all tasks have ended, archived. */

import { isWellFormed, utf8Length } from '../core/index.ts'
import {
  assertStillMayEdit,
  checkedText,
  findBranchHead,
  type Handle,
  isFinal,
  type PlanStatus,
  plansKey,
  taskIdOf,
} from '../repo/index.ts'
import { emptyRoot } from '../repo/state/roots.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { planError } from './errors.ts'
import { assertActive, type Decision, landPlan, momentOn, statusOfPlan, transit, untilLanded } from './land-plan.ts'
import { openCount } from './plan-index.ts'
import { amend, findBelow, keysBelow, type PlanRoot, planRoot, setAt } from './plan-root.ts'

const MAX_NAME_BYTES = 128
const MAX_TEXT_BYTES = 1024
const SHOWN_TASKS = 5

export async function createPlan(handle: Handle, name: string, description: string | undefined): Promise<void> {
  checkName(name)
  checkedText('description', description, MAX_TEXT_BYTES)
  const { journal, branch, who } = handle
  await untilLanded(handle, 'create', function* (): Work<StoredCommit | 'lost'> {
    const head = yield* findBranchHead(handle)
    const root = planRoot(journal, name, head?.system ?? emptyRoot(journal))
    // Authorization runs before state is read, so a denied caller cannot probe which plans exist.
    yield* assertStillMayEdit(handle, who.agent, branch, [{ path: [plansKey, name] }])
    if ((yield* findBelow(root, ['state'])) !== undefined) throw planError('plan-exists', { plan: name, branch })
    const at = new Date(momentOn(handle, head)).toISOString()
    const plan = {
      ...(description === undefined ? {} : { description }),
      created: { by: who.agent, at },
      state: new Map([['status', 'active']]),
      tasks: {},
    }
    yield* amend(root, [setAt(root, [], plan)])
    return (yield* landPlan(handle, head, root, { description: `Create the plan ${name}` })) ?? 'lost'
  })
}

/** Ends a plan whose tasks have all ended. */
export async function closePlan(handle: Handle, name: string, summary: string): Promise<StoredCommit> {
  if (summary === undefined) throw planError('task-invalid', { plan: name, field: 'summary', reason: 'it is missing' })
  checkedText('summary', summary, MAX_TEXT_BYTES)
  const landed = await transit(handle, name, 'close', function* ({ root }): Decision<undefined> {
    yield* assertActive(root, 'close')
    const open = yield* openCount(root)
    if (open > 0) throw planError('plan-unfinished', { plan: name, open, tasks: yield* firstOpen(root) })
    yield* moveTo(handle, root, 'completed', summary)
    return { description: `Close the plan ${name}`, reasoning: summary, result: undefined }
  })
  return landed!.commit
}

/** Archives a closed plan; undefined when it is archived already. */
export async function archivePlan(handle: Handle, name: string): Promise<StoredCommit | undefined> {
  const landed = await transit(handle, name, 'archive', function* ({ root }): Decision<undefined> {
    const status = yield* statusOfPlan(root)
    if (status === 'archived') return undefined
    if (status === 'active') throw planError('plan-active', { plan: name })
    yield* moveTo(handle, root, 'archived', undefined)
    return { description: `Archive the plan ${name}`, result: undefined }
  })
  return landed?.commit
}

function* moveTo({ who }: Handle, root: PlanRoot, status: PlanStatus, summary: string | undefined): Work<void> {
  const before = (yield* findBelow(root, ['state'])) as ReadonlyMap<string, unknown>
  const state = new Map([...before, ['status', status], ['by', who.agent]] as [string, unknown][])
  if (summary !== undefined) state.set('summary', summary)
  yield* amend(root, [setAt(root, ['state'], state)])
}

function* firstOpen(root: PlanRoot): Work<string[]> {
  const ids: string[] = []
  for (const key of yield* keysBelow(root, ['tasks'])) {
    const state = (yield* findBelow(root, ['tasks', key, 'state'])) as ReadonlyMap<string, unknown>
    if (!isFinal(state.get('status'))) ids.push(taskIdOf(key))
    if (ids.length === SHOWN_TASKS) break
  }
  return ids
}

/** Throws for an invalid name. Names are keys of a map and segments of paths. */
function checkName(name: string): void {
  const refuse = (reason: string): Error => planError('plan-name-invalid', { plan: String(name), reason })
  if (typeof name !== 'string' || name === '') throw refuse('it is empty')
  if (!isWellFormed(name)) throw refuse('it contains a lone surrogate')
  if (utf8Length(name) > MAX_NAME_BYTES) throw refuse(`it has more than ${MAX_NAME_BYTES} bytes`)
  if (/[\p{Cc}/]/u.test(name)) throw refuse('it contains a slash or a control character')
  if (name.trim() !== name) throw refuse('it begins or ends with a space')
}
