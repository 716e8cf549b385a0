/**
 * Plans with their index, read and changed.
 *
 * The most recent indexes are cached. A new index is derived from the latest and the tasks that differ, whatever changed them:
 * a transition, another process, a merge, a rollback. Only the first read of a plan visits all tasks.
 */

import { appendAll, isStateError } from '../core/index.ts'
import { planPath, type TaskRecord } from '../repo/index.ts'
import type { Journal, Work } from '../store/index.ts'
import { contentOf, differingKeys, type Edit, findEntry, type Link } from '../tree/index.ts'
import { newIndex } from './new-index.ts'
import { type IndexedPlan, indexAfter } from './plan-index.ts'
import { amend, containerBelow, deleteAt, findTask, type PlanRoot, setAt } from './plan-root.ts'

/** Cached indexes for one plan, which may exist on several branches. */
const MAX_KEPT = 8

/** A plan as it was read, with the hash of its tasks: its state may not be stored any more. */
interface KeptPlan extends IndexedPlan {
  readonly hash: string
}

/** Indexed plans of a journal by name, the newest last. */
const kept = new WeakMap<Journal, Map<string, readonly KeptPlan[]>>()

function* remember({ journal, context, plan, system, index }: IndexedPlan): Work<void> {
  const plans = kept.get(journal.opened) ?? new Map<string, readonly KeptPlan[]>()
  kept.set(journal.opened, plans)
  const now = { journal, context, plan, system, index }
  const hash = yield* tasksHash(now)
  const others = (plans.get(plan) ?? []).filter(one => one.hash !== hash)
  plans.set(plan, [...others, { ...now, hash }].slice(-MAX_KEPT))
}

/** The plan with its index: the cached one, or one derived from the latest. */
export function* indexed(root: PlanRoot): Work<IndexedPlan> {
  const known = kept.get(root.journal.opened)?.get(root.plan) ?? []
  const hash = yield* tasksHash(root)
  const same = known.findLast(one => one.hash === hash)
  if (same !== undefined) return { ...root, index: same.index }
  const last = known.at(-1)
  const index = (last && (yield* indexFrom(last, root))) ?? (yield* newIndex(root))
  const plan = { ...root, index }
  yield* remember(plan)
  return plan
}

/** The index derived from a cached one; undefined when the tasks of that one are no longer stored. */
function* indexFrom(before: IndexedPlan, now: PlanRoot): Work<Link | undefined> {
  try {
    const tasks = yield* containerBelow(now, ['tasks'])
    const differences = yield* differingKeys(now.context, (yield* containerBelow(before, ['tasks']))!, tasks!)
    return yield* indexAfter(
      before,
      now,
      differences.map(({ key }) => key),
    )
  } catch (error) {
    if (isStateError(error, 'pack-dropped') || isStateError(error, 'state-trimmed')) return undefined
    throw error
  }
}

/** New values for fields of a task; undefined deletes a field. A new task needs all fields. */
export interface TaskChange {
  readonly key: string
  readonly fields: { readonly [F in keyof TaskRecord]?: TaskRecord[F] | undefined }
}

/** Changes tasks, and the index with them. */
export function* changeTasks(plan: IndexedPlan, changes: readonly TaskChange[]): Work<void> {
  const before = { ...plan }
  const edits: Edit[] = []
  for (const change of changes) appendAll(edits, taskEdits(plan, change, yield* findTask(plan, change.key)))
  yield* amend(plan, edits)
  plan.index = yield* indexAfter(
    before,
    plan,
    changes.map(({ key }) => key),
  )
  yield* remember(plan)
}

function taskEdits(root: PlanRoot, { key, fields }: TaskChange, before: TaskRecord | undefined): Edit[] {
  if (before === undefined) return [setAt(root, ['tasks', key], fields)]
  return Object.entries(fields).map(([field, value]) => {
    const at = ['tasks', key, field]
    return value === undefined ? deleteAt(root, at) : setAt(root, at, value)
  })
}

function* tasksHash({ context, plan, system }: PlanRoot): Work<string> {
  return contentOf((yield* findEntry(context, system, planPath(plan, 'tasks')))!.child)
}
