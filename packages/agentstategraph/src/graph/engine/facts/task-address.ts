/** Reads addresses of tasks: numbers with separators between them, and for a pause a word after `!`. */

import type { TaskKey } from '../../model/run-protocol.ts'

/** The task that an interrupt belongs to. */
export function taskOfInterrupt(key: TaskKey): TaskKey {
  return key.replace(/!\w+$/, '')
}

export function isPauseAfter(key: TaskKey): boolean {
  return key.endsWith('!after')
}

/** Compares addresses number by number. */
export function inAddressOrder(a: TaskKey, b: TaskKey): number {
  const [left, right] = [a.split(/\D+/), b.split(/\D+/)]
  const at = left.findIndex((number, i) => number !== right[i])
  return at < 0 ? left.length - right.length : Number(left[at]) - Number(right[at] ?? -1)
}

/** Whether a task belongs to a graph that a node's function called, and not to a subgraph. */
export function isInCall(task: TaskKey): boolean {
  return />[1-9]/.test(task)
}
