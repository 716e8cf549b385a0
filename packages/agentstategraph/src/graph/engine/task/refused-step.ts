/**
 * Steps that are refused for what is in them: a value that cannot be stored, a state that breaks a schema.
 *
 * Whoever keeps the thread is as good as before, so this is the failure of the tasks that gave it: the thread stands before
 * the step, and those tasks run again when it is resumed. What other members of a group did is kept.
 */

import { formatPath, isStateError } from '../../../core/index.ts'
import type { Step } from '../../model/run-protocol.ts'
import { type Halted, stuckBy } from '../flow/halted.ts'
import type { Run } from './engine-scope.ts'

export function isRefusal(error: unknown): boolean {
  return isStateError(error, 'value-refused') || isStateError(error, 'schema-violation')
}

/** What a step changed, and by whom. */
export type Changed = Pick<Step, 'cause' | 'changes' | 'tasks'>

/** Makes a refused step the failure of its tasks. */
export function refusedStep(run: Run, step: Step, error: unknown): Halted {
  const { node, violations } = (error as { readonly data: Refused }).data
  const tasks =
    violations === undefined
      ? step.tasks.filter(task => task.node === node).slice(0, 1)
      : culpritsOf(step, violations).flatMap(index => step.tasks[index] ?? [])
  for (const { task, node: name, attempt } of tasks) {
    run.facts.note({ kind: 'failure', task, node: name, attempt, error, isRefused: true })
  }
  const named = tasks[0]?.node ?? node ?? step.tasks[0]?.node ?? ''
  if (tasks.length === 0) run.facts.note({ kind: 'failure', task: '', node: named, attempt: 1, error })
  return stuckBy({ failures: [{ node: named, error }] })
}

/** A place that broke a schema. */
interface Broken {
  readonly path: string
}

/** What the errors of refused steps say. */
interface Refused {
  readonly node?: string | undefined
  readonly violations?: readonly Broken[] | undefined
}

/** The places of the tasks whose changes break a schema, -1 for the step itself; all that changed something where none is near. */
export function culpritsOf({ changes }: Changed, violations: readonly Broken[]): readonly number[] {
  const near = violations.flatMap(({ path }) => tasksNear(changes, path))
  const all = near.length === 0 ? changes.map(({ task }) => task) : near
  return [...new Set(all)].sort((a, b) => a - b)
}

/** Who made what is at a place. What a later change wrote over is nobody's fault. */
function tasksNear(changes: Step['changes'], place: string): readonly number[] {
  const tasks: number[] = []
  for (const { path, task } of changes.toReversed()) {
    const isAppended = path.at(-1) === '-'
    const at = formatPath(isAppended ? path.slice(0, -1) : path)
    const isAround = isWithin(place, at)
    if (isAround || isWithin(at, place)) tasks.push(task)
    if (isAround && !isAppended) break
  }
  return tasks
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(place === '/' ? place : `${place}/`)
}
