/**
 * The updates of a step's tasks, kept at the cost of what the step's state does not already say.
 *
 * Whoever reads a run again wants each task's update as the node returned it. Most of it is in the state: a field that was
 * set has the value, a list that was appended to has the elements at its end. Only the rest is kept a second time: what a
 * later task overwrote, and what a reducer turned into something else.
 */

import type { State, Update } from '../../model/compiled-plan.ts'
import type { Change, Step } from '../../model/run-protocol.ts'

/** One field of an update: all of it is in the state, or a part of the list there, or the value itself. */
export type KeptField =
  | { readonly is: 'state' }
  /** So many elements, the first so far from the end. */
  | { readonly is: 'tail'; readonly from: number; readonly count: number }
  | { readonly is: 'value'; readonly value: unknown }

export type KeptUpdate = Readonly<Record<string, KeptField>>

/** What to keep of the updates of each task of a step. */
export function keptUpdates({ tasks, changes, state }: Step): readonly (readonly KeptUpdate[])[] {
  const byField = new Map<string, Change[]>()
  for (const change of changes) {
    const field = change.path[0]
    if (field === undefined) continue
    const known = byField.get(field)
    if (known === undefined) byField.set(field, [change])
    else known.push(change)
  }
  const appended = new Map<string, number>()
  for (const [field, made] of byField) if (made.every(isAppend)) appended.set(field, made.length)
  return tasks.map(({ updates }, place) =>
    updates.map(update => {
      const kept: Record<string, KeptField> = Object.create(null)
      for (const field of Object.keys(update)) {
        if (update[field] !== undefined) kept[field] = keptField(update[field], state, field, byField, appended, place)
      }
      return kept
    }),
  )
}

function keptField(
  value: unknown,
  state: State,
  field: string,
  byField: ReadonlyMap<string, readonly Change[]>,
  appended: Map<string, number>,
  place: number,
): KeptField {
  if (Object.hasOwn(state, field) && Object.is(state[field], value)) return { is: 'state' }
  const left = appended.get(field)
  if (left === undefined || !Array.isArray(value)) return { is: 'value', value }
  // Tasks and their updates come in the order in which they were applied, so the next elements are this one's.
  const made = byField.get(field)!
  const first = made.length - left
  const isOurs = value.every((element, i) => {
    const change = made[first + i]
    return change?.op === 'set' && change.task === place && Object.is(change.value, element)
  })
  if (!isOurs) return { is: 'value', value }
  appended.set(field, left - value.length)
  return { is: 'tail', from: left, count: value.length }
}

function isAppend({ op, path }: Change): boolean {
  return op === 'set' && path.length === 2 && path[1] === '-'
}

/** The update as the node returned it, from what was kept and the state after the step. */
export function updateFrom(kept: KeptUpdate, state: State): Update {
  const update: Record<string, unknown> = {}
  for (const [field, one] of Object.entries(kept)) {
    if (one.is === 'state') update[field] = state[field]
    else if (one.is === 'value') update[field] = one.value
    else {
      const list = state[field] as readonly unknown[]
      const from = list.length - one.from
      update[field] = list.slice(from, from + one.count)
    }
  }
  return update
}
