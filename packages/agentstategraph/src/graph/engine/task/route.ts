/**
 * Where a token goes after a node: along its edges, to the targets of its routes, or to those of its Command.
 *
 * Names that are known only at run time are checked here, so a `Position` names nodes of the plan.
 */

import { appendAll } from '../../../core/index.ts'
import { graphError } from '../../errors.ts'
import type { CompiledGraphPlan, State } from '../../model/compiled-plan.ts'
import type { MaybePromise } from '../../model/maybe-promise.ts'
import type { Position, Target } from '../../model/run-protocol.ts'
import { END, Send, SendBatch } from '../../model/targets.ts'
import { awaited, drive, type Flow } from '../flow/flow.ts'

/** The position after a node, or after START. Undefined: the token ends. */
export function positionAfter(
  plan: CompiledGraphPlan,
  from: string,
  state: State,
  context: unknown,
): MaybePromise<Position | undefined> {
  return drive(followEdges(plan, from, state, answer => awaited(answer), context))
}

/** The same as a flow; `wait` decides how a route is awaited. */
export function* followEdges(
  plan: CompiledGraphPlan,
  from: string,
  state: State,
  wait: (answer: MaybePromise<unknown>) => Flow<unknown>,
  context: unknown,
): Flow<Position | undefined> {
  const targets = edgeTargets(plan, from)
  let sentNothing = false
  for (const { route } of plan.routes.get(from) ?? []) {
    const answer = yield* wait(route(state, context))
    sentNothing ||= Array.isArray(answer) && answer.length === 0
    appendAll(targets, targetsFrom(plan, from, answer))
  }
  if (targets.length === 0) return sentNothing ? { targets, from } : undefined
  return { targets: withoutRepeats(targets), from }
}

/** The same for a node without routes. */
export function followStaticEdges(plan: CompiledGraphPlan, from: string): Position | undefined {
  return positionOf(edgeTargets(plan, from), from)
}

function edgeTargets(plan: CompiledGraphPlan, from: string): Target[] {
  const targets: Target[] = []
  for (const to of plan.edges.get(from) ?? []) if (to !== END) targets.push(edgeTo(to))
  return targets
}

/** The position of these targets. Undefined: the token ends. */
export function positionOf(targets: readonly Target[], from: string): Position | undefined {
  return targets.length === 0 ? undefined : { targets: withoutRepeats(targets), from }
}

/** The targets in the answer of a route or in the `goto` of a Command. */
export function targetsFrom(plan: CompiledGraphPlan, from: string, answer: unknown): readonly Target[] {
  if (Array.isArray(answer)) return answer.flatMap(one => targetsFrom(plan, from, one))
  if (answer === END) return []
  if (answer instanceof Send) return [sendTo(plan, from, answer, undefined)]
  if (answer instanceof SendBatch) return batchTargets(plan, from, answer)
  if (typeof answer !== 'string' || !plan.nodes.has(answer)) {
    throw graphError('route-unknown', { node: from, target: String(answer), known: [...plan.nodes.keys(), END] })
  }
  return [edgeTo(answer)]
}

function batchTargets(plan: CompiledGraphPlan, from: string, { sends, join }: SendBatch): readonly Target[] {
  if (join !== undefined) targetsFrom(plan, from, join)
  if (sends.length === 0) return join === undefined || join === END ? [] : [edgeTo(join)]
  return sends.map(send => sendTo(plan, from, send, join === END ? undefined : join))
}

function sendTo(plan: CompiledGraphPlan, from: string, { node, state }: Send, join: string | undefined): Target {
  targetsFrom(plan, from, node)
  if (typeof state !== 'object' || state === null || Array.isArray(state)) {
    throw graphError('send-invalid', { node, issues: [{ path: [], message: 'It is no object.' }] })
  }
  return join === undefined ? { node, payload: state, isSend: true } : { node, payload: state, isSend: true, join }
}

function edgeTo(node: string): Target {
  return { node, isSend: false }
}

/** Two edges to one node are one target; two Sends are two. */
function withoutRepeats(targets: readonly Target[]): readonly Target[] {
  if (targets.length < 2) return targets
  const seen = new Set<string>()
  return targets.filter(({ node, isSend }) => {
    if (isSend) return true
    if (seen.has(node)) return false
    seen.add(node)
    return true
  })
}
