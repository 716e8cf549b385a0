/**
 * Turns the changes that `diff` returns into edits.
 *
 * The order of the edits makes every path valid when its turn comes: outer containers before inner ones; in each container
 * first the removals, from the end, then the insertions, from the start, then the changes in place.
 */

import { formatPath, isIndex, parseKnownPath } from '../../core/index.ts'
import type { StoredChange } from '../diff/diff.ts'
import { type Nodes, pausePoint, type Walk } from '../nodes/walk.ts'
import type { Edit } from './edits.ts'

interface Step {
  readonly parent: string
  readonly phase: 0 | 1 | 2
  readonly place: number
  readonly edit: Edit
}

export function editsOf(changes: readonly StoredChange[]): Edit[] {
  return inTurn(changes.flatMap(stepsOf))
}

/** The same, with pauses where work may pause. */
export function* pausedEditsOf(nodes: Nodes, changes: readonly StoredChange[]): Walk<Edit[]> {
  const steps: Step[] = []
  for (const change of changes) {
    if (nodes.isPauseDue?.() === true) yield pausePoint
    for (const step of stepsOf(change)) steps.push(step)
  }
  return inTurn(steps)
}

function inTurn(steps: Step[]): Edit[] {
  return steps.sort(inOrder).map(({ edit }) => edit)
}

function stepsOf(change: StoredChange): Step[] {
  const path = parseKnownPath(change.path)
  switch (change.op) {
    case 'add':
      return [step(1, { op: 'insert', path, value: change.after })]
    case 'remove':
      return [step(0, { op: 'delete', path })]
    case 'change':
      return [step(2, { op: 'set', path, value: change.after })]
    case 'move':
      return [
        step(0, { op: 'delete', path: parseKnownPath(change.from) }),
        step(1, { op: 'insert', path, value: change.after }),
      ]
  }
}

function step(phase: 0 | 1 | 2, edit: Edit): Step {
  const last = edit.path.at(-1) ?? ''
  return { parent: formatPath(edit.path.slice(0, -1)), phase, place: isIndex(last) ? Number(last) : 0, edit }
}

function inOrder(a: Step, b: Step): number {
  const depth = a.edit.path.length - b.edit.path.length
  if (depth !== 0) return depth
  if (a.parent !== b.parent) return a.parent < b.parent ? -1 : 1
  if (a.phase !== b.phase) return a.phase - b.phase
  return a.phase === 0 ? b.place - a.place : a.place - b.place
}
