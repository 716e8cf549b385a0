/** What is kept of updates gives them back, and holds no list twice. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Change, Step, TaskResult } from '../../model/run-protocol.ts'
import { keptUpdates, updateFrom } from './kept-update.ts'

const values = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.record({ deep: fc.integer() }))
/** A task writes a plain field, adds to a list, adds to a sum, or any of these. */
const updates = fc.record(
  { plain: values, list: fc.array(values, { maxLength: 3 }), sum: fc.integer({ min: -9, max: 9 }) },
  { requiredKeys: [] },
)

interface State {
  plain: unknown
  list: unknown[]
  sum: number
}

/** The step that some updates make of a state, as reducers would. */
function stepOf(before: State, tasks: readonly (readonly Partial<State>[])[]): Step {
  const state = { ...before, list: [...before.list] }
  const changes: Change[] = []
  tasks.forEach((given, task) => {
    for (const update of given) {
      if ('plain' in update) {
        state.plain = update.plain
        changes.push({ op: 'set', path: ['plain'], value: update.plain, task })
      }
      for (const value of update.list ?? []) {
        state.list.push(value)
        changes.push({ op: 'set', path: ['list', '-'], value, task })
      }
      if (update.sum !== undefined) {
        state.sum += update.sum
        changes.push({ op: 'set', path: ['sum'], value: state.sum, task })
      }
    }
  })
  const results = tasks.map((given, place): TaskResult => {
    return { task: `0.${place}`, node: 'n', attempt: 1, updates: given as TaskResult['updates'], cached: false }
  })
  return { cause: 'group', state: { ...state }, changes, tasks: results, next: undefined }
}

it('every update comes back as it was returned, whatever the others of its step wrote', () => {
  fc.assert(
    fc.property(
      fc.record({ plain: values, list: fc.array(values), sum: fc.integer() }),
      fc.array(fc.array(updates, { maxLength: 3 }), { maxLength: 4 }),
      (before, tasks) => {
        const step = stepOf(before, tasks)
        const back = keptUpdates(step).map(kept => kept.map(one => updateFrom(one, step.state)))
        expect(back).toEqual(tasks)
      },
    ),
  )
})

it('what the state holds is not kept a second time', () => {
  const step = stepOf({ plain: 0, list: [1], sum: 0 }, [
    [{ list: ['a', 'b'] }],
    [{ list: ['c'], plain: { large: true } }],
  ])
  expect(keptUpdates(step)).toEqual([
    [{ list: { is: 'tail', from: 3, count: 2 } }],
    [{ list: { is: 'tail', from: 1, count: 1 }, plain: { is: 'state' } }],
  ])
})
