/** What the address of a task says: numbers with marks between them, and a word behind it for a pause. */

import type { TaskKey } from '../../model/run-protocol.ts'

/** The task that an interrupt belongs to: pauses have a word behind its address. */
export function taskOfInterrupt(key: TaskKey): TaskKey {
  return key.replace(/!\w+$/, '')
}

export function isPauseAfter(key: TaskKey): boolean {
  return key.endsWith('!after')
}

/** Addresses are numbers with marks between them. */
export function inAddressOrder(a: TaskKey, b: TaskKey): number {
  const [left, right] = [a.split(/\D+/), b.split(/\D+/)]
  const place = left.findIndex((number, i) => number !== right[i])
  return place < 0 ? left.length - right.length : Number(left[place]) - Number(right[place] ?? -1)
}

/** Whether a task is one of a graph that a node's function runs, and not one of a graph that is a node. */
export function isInCall(task: TaskKey): boolean {
  return />[1-9]/.test(task)
}
