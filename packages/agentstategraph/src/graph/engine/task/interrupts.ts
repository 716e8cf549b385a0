/**
 * Interrupts: `ctx.interrupt`, and the pauses before and after a node.
 *
 * An interrupt is a fact of its task, found by its ordinal among the task's interrupts, so a node that runs again from its
 * top is given the answers that it was given before. The id is made once and then read from the fact. `ctx.interrupt`
 * rejects, so that `finally` and `using` release what the node holds; a node that swallows the rejection has paused all
 * the same, and what it returns is not used.
 */

import { findJsonSchema, type StandardSchema, validateWith } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { Interrupt, InterruptFact, TaskKey } from '../../model/run-protocol.ts'
import { type Halted, haltedBy } from '../flow/halted.ts'
import type { EngineScope, Run } from './engine-scope.ts'
import type { AttemptReport } from './task.ts'

/** What `ctx.interrupt` rejects with while there is no answer. */
export class PauseSignal extends Error {
  override readonly name = 'PauseSignal'
  constructor() {
    super('The run pauses here until there is an answer. Let this error pass.')
  }
}

export interface InterruptRequest {
  readonly scope: EngineScope
  readonly task: TaskKey
  readonly node: string
  /** The place among the task's interrupts, from 0. */
  readonly ordinal: number
  readonly payload: unknown
}

/** The answer to an interrupt of a task. Without one it adds the interrupt to the report and rejects. */
export async function answerTo<A>(
  { scope, task, node, ordinal, payload }: InterruptRequest,
  schema: StandardSchema<unknown, A> | undefined,
  report: AttemptReport,
): Promise<A> {
  const { facts, answers, newId } = scope.run
  const pause = (interrupt: Interrupt): never => {
    report.interrupts.push(publicInterrupt(interrupt))
    throw new PauseSignal()
  }
  const known = facts.known.findInterrupt(task, ordinal)
  if (known === undefined) {
    const asked = schema && findJsonSchema(schema)
    const interrupt = { id: newId(), node, payload, ...(asked === undefined ? {} : { schema: asked }) }
    // Kept before the node pauses: a node whose payload cannot be stored has failed.
    await facts.keep({ kind: 'interrupt', task, ...interrupt })
    return pause(interrupt)
  }
  const kept = facts.known.findAnswer(known.id)
  // The schema accepted the answer before it was kept.
  if (kept !== undefined) return kept.value as A
  const given = answers.find(known.id)
  if (given === undefined) return pause(known)
  const accepted = schema === undefined ? { value: given.value } : await validateWith(schema, given.value)
  if ('issues' in accepted) {
    const reason = accepted.issues.map(({ path, message }) =>
      path.length === 0 ? message : `/${path.join('/')}: ${message}`,
    )
    report.stops.push(graphError('answer-invalid', { interrupt: known.id, reason: reason.join(' ') }))
    throw new PauseSignal()
  }
  await facts.keep({ kind: 'answer', id: known.id, ...given, value: accepted.value })
  return accepted.value as A
}

/** The address of the pause that a step ends with. */
const HELD: TaskKey = '0!after'

/** The pause before a node; undefined when there is none or it was passed. */
export function pauseBefore(scope: EngineScope, task: TaskKey, node: string): Halted | undefined {
  return scope.plan.interruptBefore.has(node)
    ? pauseAt(scope, `${task}!before`, pauseOf(scope, node, 'before'))
    : undefined
}

/**
 * The pause after a node in a member of a group or in a nested graph; undefined when there is none or it was passed.
 *
 * `next` is kept with the pause, because routes are called only while a run goes on.
 */
export function pauseAfter(
  scope: EngineScope,
  task: TaskKey,
  node: string,
  next: readonly string[],
): Halted | undefined {
  if (!scope.plan.interruptAfter.has(node)) return undefined
  return pauseAt(scope, `${task}!after`, { ...pauseOf(scope, node, 'after'), next })
}

/** The pause that the step of a node ends with, when the graph pauses after that node. */
export function holdAfter(scope: EngineScope, node: string): InterruptFact | undefined {
  if (!scope.plan.interruptAfter.has(node)) return undefined
  return { kind: 'interrupt', task: HELD, id: scope.run.newId(), ...pauseOf(scope, node, 'after') }
}

/** The pause that the last step ended with; undefined when there is none or it was passed. */
export function heldByStep(run: Run): Halted | undefined {
  const known = run.facts.known.findInterrupt(HELD, 0)
  return known === undefined ? undefined : passOrHold(run, known)
}

type Pause = Omit<InterruptFact, 'kind' | 'task' | 'id'>

function pauseOf({ path }: EngineScope, node: string, when: 'before' | 'after'): Pause {
  return { node: path + node, payload: { when, node } }
}

function pauseAt({ run }: EngineScope, task: TaskKey, pause: Pause): Halted | undefined {
  const known = run.facts.known.findInterrupt(task, 0)
  if (known !== undefined) return passOrHold(run, known)
  const held: InterruptFact = { kind: 'interrupt', task, id: run.newId(), ...pause }
  run.facts.note(held)
  return haltedBy({ interrupts: [publicInterrupt(held)] })
}

/** A pause is passed by an answer to it, or by a resume without answers. */
function passOrHold({ facts, answers }: Run, known: Interrupt): Halted | undefined {
  if (facts.known.findAnswer(known.id) !== undefined) return undefined
  const given = answers.find(known.id) ?? answers.toPauses
  if (given === undefined) return haltedBy({ interrupts: [publicInterrupt(known)] })
  facts.note({ kind: 'answer', id: known.id, ...given })
  return undefined
}

/** An interrupt without what only the engine uses. */
export function publicInterrupt({ id, node, payload, schema }: Interrupt): Interrupt {
  return schema === undefined ? { id, node, payload } : { id, node, payload, schema }
}
