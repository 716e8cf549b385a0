/**
 * Asking somebody: `ctx.interrupt`, and the pauses before and after a node.
 *
 * An interrupt is a fact of its task, known by its place among the task's interrupts, so the node that runs again from its
 * top is given what it was given before. The id is made once and then read from the fact. Asking rejects, so that what
 * the node holds is released; a node that swallows this has paused all the same, and what it returns is not used.
 */

import { type StandardSchema, validateWith } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { Interrupt, InterruptFact, TaskKey } from '../../model/run-protocol.ts'
import { type Halted, stuckBy } from '../flow/halted.ts'
import type { EngineScope, Run } from './engine-scope.ts'

/** What a node sees when it has to wait for an answer. */
export class PauseSignal extends Error {
  override readonly name = 'PauseSignal'
  constructor() {
    super('The run pauses here until somebody answers. Let this error pass.')
  }
}

export interface Asking {
  readonly place: EngineScope
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
    const question = newInterrupt(asking, payload)
    // Kept before the node hears of it: one whose question cannot be stored has failed, and does not pause.
    await facts.keep({ kind: 'interrupt', task: asking.task, ...question })
    return pause(asking, question)
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

function pause({ asks }: Asking, interrupt: Interrupt): never {
  asks.push(asked(interrupt))
  throw new PauseSignal()
}

/** Where a run stands when it is held up by the pause that its last step ended with. */
const HELD: TaskKey = '0!after'

/** Pauses before a node, until the run is resumed. Undefined: nothing holds it up. */
export function pauseBefore(place: EngineScope, task: TaskKey, node: string): Halted | undefined {
  return place.plan.interruptBefore.has(node)
    ? pauseAt(place, `${task}!before`, pauseOf(place, node, 'before'))
    : undefined
}

/**
 * Pauses a member of a group, or a graph inside a task, after a node. Undefined: nothing holds it up.
 *
 * `next` is kept with the pause: only the run can ask routes what follows.
 */
export function pauseAfter(
  place: EngineScope,
  task: TaskKey,
  node: string,
  next: readonly string[],
): Halted | undefined {
  if (!place.plan.interruptAfter.has(node)) return undefined
  return pauseAt(place, `${task}!after`, { ...pauseOf(place, node, 'after'), next })
}

/** The pause that a step ends with when its node is one to stop after. */
export function holdAfter(place: EngineScope, node: string): InterruptFact | undefined {
  if (!place.plan.interruptAfter.has(node)) return undefined
  return { kind: 'interrupt', task: HELD, id: place.run.newId(), ...pauseOf(place, node, 'after') }
}

/** What still holds up a run whose last step ended with a pause. */
export function heldByStep(run: Run): Halted | undefined {
  const known = run.facts.findInterrupt(HELD, 0)
  return known === undefined ? undefined : passOrHold(run, known)
}

type Pause = Omit<InterruptFact, 'kind' | 'task' | 'id'>

function pauseOf({ path }: EngineScope, node: string, when: 'before' | 'after'): Pause {
  return { node: path + node, payload: { when, node } }
}

function pauseAt({ run }: EngineScope, task: TaskKey, pause: Pause): Halted | undefined {
  const known = run.facts.findInterrupt(task, 0)
  if (known !== undefined) return passOrHold(run, known)
  const held: InterruptFact = { kind: 'interrupt', task, id: run.newId(), ...pause }
  run.facts.note(held)
  return stuckBy({ interrupts: [asked(held)] })
}

/** A pause is passed by an answer to it, or by going on without any. */
function passOrHold({ facts, answers }: Run, known: Interrupt): Halted | undefined {
  if (facts.findAnswer(known.id) !== undefined) return undefined
  const given = answers.find(known.id) ?? (answers.passesPauses ? { value: true } : undefined)
  if (given === undefined) return stuckBy({ interrupts: [asked(known)] })
  facts.note({ kind: 'answer', id: known.id, value: given.value })
  return undefined
}

/** An interrupt as callers see it. */
export function asked({ id, node, payload }: Interrupt): Interrupt {
  return { id, node, payload }
}
