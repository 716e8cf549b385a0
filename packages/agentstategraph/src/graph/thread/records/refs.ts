/**
 * The two refs of a thread.
 *
 * `thread/<graph>/<id>` points to its last commit, and is read, compared and merged like a branch. `run/<graph>/<id>`
 * points to the newest entry of facts since the last step, and exists only while there are some. The name of a graph has
 * no slash, so no two threads share a name.
 */

import { besidePrefix, checkedRefName, runPrefix, threadPrefix } from '../../../repo/index.ts'

export interface ThreadRefs {
  readonly id: string
  readonly graph: string
  readonly head: string
  readonly run: string
}

export function threadRefs(graph: string, id: string): ThreadRefs {
  const head = checkedRefName(threadsOf(graph) + id)
  return { id, graph, head, run: `${runPrefix}${graph}/${id}` }
}

/** The prefix of the names of all threads of a graph. */
export function threadsOf(graph: string): string {
  return `${threadPrefix}${graph}/`
}

/** The branch name of a thread; that of a run beside it is the same. */
export function threadName({ graph, id }: ThreadRefs): string {
  return threadsOf(graph) + id
}

/** The refs of a run beside another, which are not listed with threads and branches. */
export function besideRefs({ graph, id }: ThreadRefs, name: string): ThreadRefs {
  const head = `${besidePrefix}${graph}/${id}/${name}`
  return { id, graph, head, run: runPrefix + head }
}
