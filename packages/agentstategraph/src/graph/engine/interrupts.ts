/**
 * Asking somebody: `ctx.interrupt`, and the pauses before and after a node.
 *
 * An interrupt is a fact of its task, known by its place among the task's interrupts, so the node that runs again from its
 * top is given what it was given before. The id is made once and then read from the fact. Asking rejects, so that what
 * the node holds is released; a node that swallows this has paused all the same, and what it returns is not used.
 */

import { type StandardSchema, validateWith } from '../../core/index.ts'
import { graphError } from '../errors.ts'
import type { Interrupt, TaskKey } from '../record.ts'
import type { Place } from './place.ts'
import { type Stuck, stuckBy } from './stuck.ts'

/** What a node sees when it has to wait for an answer. */
export class PauseSignal extends Error {
  override readonly name = 'PauseSignal'
  constructor() {
    super('The run pauses here until somebody answers. Let this error pass.')
  }
}

export interface Asking {
  readonly place: Place
  readonly task: TaskKey
  readonly node: string
  /** What it waits for, and what is wrong with the answers it was given. */
  readonly asks: Interrupt[]
  readonly stops: unknown[]
}

/** The answer to the n-th interrupt of a task. */
export async function askFor(
  asking: Asking,
  ordinal: number,
  payload: unknown,
  schema: StandardSchema | undefined,
): Promise<unknown> {
  const { facts, answers } = asking.place.run
  const known = facts.findInterrupt(asking.task, ordinal)
  if (known === undefined) {
    const asked = newInterrupt(asking, payload)
    // Kept before the node hears of it: one whose question cannot be stored has failed, and does not pause.
    await facts.keep({ kind: 'interrupt', task: asking.task, ...asked })
    return pause(asking, asked)
  }
  const kept = facts.findAnswer(known.id)
  if (kept !== undefined) return kept.value
  const given = answers.find(known.id)
  if (given === undefined) return pause(asking, known)
  const accepted = schema === undefined ? given : await validateWith(schema, given.value)
  if ('issues' in accepted) {
    const reason = accepted.issues.map(({ path, message }) =>
      path.length === 0 ? message : `/${path.join('/')}: ${message}`,
    )
    asking.stops.push(graphError('answer-invalid', { interrupt: known.id, reason: reason.join(' ') }))
    throw new PauseSignal()
  }
  await facts.keep({ kind: 'answer', id: known.id, value: accepted.value })
  return accepted.value
}

function newInterrupt({ place, node }: Asking, payload: unknown): Interrupt {
  return { id: place.run.newId(), node, payload }
}

function pause({ asks }: Asking, { id, node, payload }: Interrupt): never {
  asks.push({ id, node, payload })
  throw new PauseSignal()
}

/** Holds a run up before or after a node, until it is resumed. Undefined: nothing holds it. */
export function breakpoint(place: Place, task: TaskKey, node: string, when: 'before' | 'after'): Stuck | undefined {
  const { plan, run, path } = place
  if (!(when === 'before' ? plan.interruptBefore : plan.interruptAfter).has(node)) return undefined
  const at: Asking = { place, task: `${task}!${when}`, node: path + node, asks: [], stops: [] }
  const known = run.facts.findInterrupt(at.task, 0)
  if (known === undefined) {
    const held = newInterrupt(at, { when, node })
    run.facts.note({ kind: 'interrupt', task: at.task, ...held })
    return stuckBy({ interrupts: [held] })
  }
  if (run.facts.findAnswer(known.id) !== undefined) return undefined
  const given = run.answers.find(known.id) ?? (run.answers.isNone ? { value: true } : undefined)
  if (given === undefined) return stuckBy({ interrupts: [{ id: known.id, node: known.node, payload: known.payload }] })
  run.facts.note({ kind: 'answer', id: known.id, value: given.value })
  return undefined
}
