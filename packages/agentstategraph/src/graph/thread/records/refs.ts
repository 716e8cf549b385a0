/**
 * The two refs of a thread.
 *
 * `thread/<graph>/<id>` points to its last commit, and is read, compared and merged like a branch. `run/<graph>/<id>`
 * points to the newest entry of what happened since the last step, and is there only while something did. A graph's name
 * has no slash, so no two threads share a name.
 */

import { besidePrefix, checkedRefName, runPrefix, threadPrefix } from '../../../repo/index.ts'

export interface ThreadRefs {
  /** As callers know the thread. */
  readonly id: string
  readonly graph: string
  readonly head: string
  readonly run: string
}

export function threadRefs(graph: string, id: string): ThreadRefs {
  const head = checkedRefName(threadsOf(graph) + id)
  return { id, graph, head, run: `${runPrefix}${graph}/${id}` }
}

/** What the names of all threads of a graph begin with. */
export function threadsOf(graph: string): string {
  return `${threadPrefix}${graph}/`
}

/** The name that a thread is known by where branches are: also that of a run beside it. */
export function threadName({ graph, id }: ThreadRefs): string {
  return threadsOf(graph) + id
}

/** The refs of a run that goes on beside another, where nobody sees it until it is merged. */
export function besideRefs({ graph, id }: ThreadRefs, name: string): ThreadRefs {
  const head = `${besidePrefix}${graph}/${id}/${name}`
  return { id, graph, head, run: runPrefix + head }
}
