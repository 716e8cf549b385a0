/**
 * The updates of a step's tasks, stored without what the step's state contains.
 *
 * Events and history need each update as the node returned it. Most of it is in the state: a field that was set has the
 * value, a list that was appended to has the elements at its end. Only the rest is stored a second time: what a later task
 * overwrote, and what a reducer changed.
 */

import type { State, Update } from '../../model/compiled-plan.ts'
import { getOrAdd } from '../../model/get-or-add.ts'
import type { Change, Step } from '../../model/run-protocol.ts'

/** One field of an update: the value in the state, a part of the list there, or the value itself. */
export type KeptField =
  | { readonly is: 'state' }
  /** `count` elements of the list; the first is `from` elements before the end. */
  | { readonly is: 'tail'; readonly from: number; readonly count: number }
  | { readonly is: 'value'; readonly value: unknown }

export type KeptUpdate = Readonly<Record<string, KeptField>>

/** What to keep of the updates of each task of a step. */
export function keptUpdates({ tasks, changes, state }: Step): readonly (readonly KeptUpdate[])[] {
  const byField = new Map<string, Change[]>()
  for (const change of changes) {
    const field = change.path[0]
    if (field !== undefined) getOrAdd(byField, field, () => []).push(change)
  }
  const appended = new Map<string, number>()
  for (const [field, made] of byField) if (made.every(isAppend)) appended.set(field, made.length)
  return tasks.map(({ updates }, task) =>
    updates.map(update => {
      const kept: Record<string, KeptField> = Object.create(null)
      for (const field of Object.keys(update)) {
        if (update[field] !== undefined) kept[field] = keptField(update[field], state, field, byField, appended, task)
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
  task: number,
): KeptField {
  if (Object.hasOwn(state, field) && Object.is(state[field], value)) return { is: 'state' }
  const left = appended.get(field)
  if (left === undefined || !Array.isArray(value)) return { is: 'value', value }
  // Updates were applied in this order, so the next elements may be those of this update.
  const made = byField.get(field)!
  const first = made.length - left
  const isOwn = value.every((element, i) => {
    const change = made[first + i]
    return change?.op === 'set' && change.task === task && Object.is(change.value, element)
  })
  if (!isOwn) return { is: 'value', value }
  appended.set(field, left - value.length)
  return { is: 'tail', from: left, count: value.length }
}

function isAppend({ op, path }: Change): boolean {
  return op === 'set' && path.length === 2 && path[1] === '-'
}

/** The update as the node returned it, from its stored form and the state after the step. */
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
