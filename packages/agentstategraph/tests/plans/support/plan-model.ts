/** What a plan is, in a few lines: tasks in an array, looked through from the start each time. */
import type { Priority, TaskStatus } from '../../../src/plans/index.ts'

export interface ModelTask {
  readonly id: string
  priority: Priority
  assignee: string | undefined
  readonly parent: string | undefined
  blockedBy: string[]
  status: TaskStatus
  /** Which claim holds it, and until when. */
  held: { readonly claim: number; readonly owner: string; ends: number } | undefined
}

const order: readonly Priority[] = ['critical', 'high', 'medium', 'low']

export class PlanModel {
  readonly tasks: ModelTask[] = []
  now = 0

  /** A task as it stands now: a lease that ran out holds nothing. */
  statusOf({ status, held }: ModelTask): TaskStatus {
    return status === 'in-progress' && held!.ends <= this.now ? 'pending' : status
  }

  isHeldBy(task: ModelTask | undefined, claim: number): boolean {
    return task?.held?.claim === claim && this.statusOf(task) === 'in-progress'
  }

  /** Whether a task waits for nothing: what blocks it is done, and its children have ended. */
  isFree(task: ModelTask): boolean {
    const isDone = (id: string): boolean => this.tasks.find(one => one.id === id)?.status === 'done'
    const children = this.tasks.filter(({ parent }) => parent === task.id)
    return task.blockedBy.every(isDone) && children.every(({ status }) => status === 'done' || status === 'abandoned')
  }

  isReady(task: ModelTask): boolean {
    return this.statusOf(task) === 'pending' && this.isFree(task)
  }

  /** Whether a task leads to another by what it waits for. */
  leadsTo(from: string, to: string): boolean {
    if (from === to) return true
    const children = this.tasks.filter(({ parent }) => parent === from).map(({ id }) => id)
    const blockers = this.tasks.find(({ id }) => id === from)?.blockedBy ?? []
    return [...children, ...blockers].some(next => this.leadsTo(next, to))
  }

  next(agent: string): ModelTask | undefined {
    return this.tasks
      .filter(task => this.isReady(task) && (task.assignee === undefined || task.assignee === agent))
      .sort((a, b) => order.indexOf(a.priority) - order.indexOf(b.priority))[0]
  }
}
