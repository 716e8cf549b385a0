/**
 * Steps that the run log refuses for their content: a value that cannot be stored, a state that breaks a schema.
 *
 * The run log itself still works, so the refusal is a failure of the tasks whose changes were refused. The thread stays
 * before the step, and those tasks run again when it is resumed. The results of other members of a group are kept.
 */

import { formatPath, isStateError } from '../../../core/index.ts'
import type { Step } from '../../model/run-protocol.ts'
import { type Halted, haltedBy } from '../flow/halted.ts'
import type { Run } from './engine-scope.ts'

export function isRefusal(error: unknown): boolean {
  return isStateError(error, 'value-refused') || isStateError(error, 'schema-violation')
}

/** The changes of a step, with the tasks that made them. */
export type Changed = Pick<Step, 'cause' | 'changes' | 'tasks'>

/** Turns a refused step into failures of its tasks. */
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
  return haltedBy({ failures: [{ node: named, error }] })
}

/** A path whose value breaks a schema. */
interface Broken {
  readonly path: string
}

/** The data of the errors of refused steps. */
interface Refused {
  readonly node?: string | undefined
  readonly violations?: readonly Broken[] | undefined
}

/** The indexes of the tasks whose changes break a schema, -1 for the step itself; without a change near the path, all tasks with changes. */
export function culpritsOf({ changes }: Changed, violations: readonly Broken[]): readonly number[] {
  const near = violations.flatMap(({ path }) => tasksNear(changes, path))
  const all = near.length === 0 ? changes.map(({ task }) => task) : near
  return [...new Set(all)].sort((a, b) => a - b)
}

/** The tasks that wrote what is at a path. What a later change overwrote does not count. */
function tasksNear(changes: Step['changes'], broken: string): readonly number[] {
  const tasks: number[] = []
  for (const { path, task } of changes.toReversed()) {
    const isAppended = path.at(-1) === '-'
    const at = formatPath(isAppended ? path.slice(0, -1) : path)
    const isAround = isWithin(broken, at)
    if (isAround || isWithin(at, broken)) tasks.push(task)
    if (isAround && !isAppended) break
  }
  return tasks
}

function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(ancestor === '/' ? ancestor : `${ancestor}/`)
}
