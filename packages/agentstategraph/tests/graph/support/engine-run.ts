/** Runs compiled graphs on the engine alone, with a keeper that can be killed at any call. */

import type { EngineEvent } from '../../../src/graph/engine/facts/events.ts'
import { type EngineOptions, runPlan } from '../../../src/graph/engine/run/engine.ts'
import { positionAfter } from '../../../src/graph/engine/task/route.ts'
import type { CompiledGraphPlan, State } from '../../../src/graph/model/compiled-plan.ts'
import { findPlan } from '../../../src/graph/model/compiled-plan.ts'
import type { EventKind } from '../../../src/graph/model/event-types.ts'
import type {
  Change,
  Fact,
  Outcome,
  Position,
  ResumePoint,
  RunLog,
  Step,
} from '../../../src/graph/model/run-protocol.ts'
import { START } from '../../../src/graph/model/targets.ts'

export class Crash extends Error {}

/** Keeps in memory what it is told, checks that changes lead to states, and dies at one call when told to. */
export class Kept implements RunLog {
  state: State
  next: Position | undefined
  facts: Fact[] = []
  readonly steps: Step[] = []
  calls = 0
  /** The call at which it dies, and whether that one was still kept. */
  dies: { readonly at: number; readonly isKept: boolean } | undefined

  constructor(state: State, next: Position | undefined) {
    this.state = state
    this.next = next
  }

  get resumePoint(): ResumePoint {
    return { state: this.state, next: this.next, facts: [...this.facts] }
  }

  keep(facts: readonly Fact[]): void {
    this.#call(() => this.facts.push(...facts))
  }

  step(step: Step): void {
    this.#call(() => {
      const made = step.changes.reduce(changed, this.state)
      if (JSON.stringify(sorted(made)) !== JSON.stringify(sorted(step.state))) {
        throw new Error(`The changes of a step give ${JSON.stringify(made)}, not ${JSON.stringify(step.state)}`)
      }
      this.state = step.state
      this.next = step.next
      this.facts = step.hold === undefined ? [] : [step.hold]
      this.steps.push(step)
    })
  }

  #call(write: () => void): void {
    if (this.dies !== undefined && this.calls >= this.dies.at) {
      if (this.calls++ === this.dies.at && this.dies.isKept) write()
      throw new Crash('the process is gone')
    }
    this.calls++
    write()
  }
}

function changed(state: State, change: Change): State {
  const [key, ...rest] = change.path as [string, ...string[]]
  const place = (Array.isArray(state) && key === '-' ? state.length : key) as string
  const copy = (Array.isArray(state) ? [...state] : { ...state }) as unknown as Record<string, unknown>
  if (rest.length > 0) copy[place] = changed((copy[place] ?? {}) as State, { ...change, path: rest })
  else if (change.op === 'set') copy[place] = change.value
  else delete copy[place]
  return copy
}

function sorted(state: State): unknown {
  return Object.fromEntries(Object.entries(state).sort(([a], [b]) => (a < b ? -1 : 1)))
}

let ids = 0

export interface RunSettings extends Partial<EngineOptions> {
  readonly events?: readonly EventKind[]
  readonly seen?: EngineEvent[]
}

export const engineDefaults = {
  now: () => 0,
  random: () => 0,
  newId: () => `id-${++ids}`,
  wait: async () => {},
} satisfies Partial<EngineOptions>

export function planOf(app: object): CompiledGraphPlan {
  const plan = findPlan(app)
  if (plan === undefined) throw new Error('No plan is known for this app')
  return plan
}

/** A thread's beginning: the input applied, and the first position. */
export async function begin(app: object, input: unknown, settings: RunSettings = {}): Promise<Kept> {
  const plan = planOf(app)
  const state = await plan.fields.begin(input)
  return new Kept(state, await positionAfter(plan, START, state, settings.context))
}

/** Goes on from where it stands. */
export async function goOn(app: object, kept: Kept, settings: RunSettings = {}): Promise<Outcome> {
  const { events, seen, ...options } = settings
  return await runPlan(planOf(app), kept.resumePoint, kept, {
    ...engineDefaults,
    wants: kind => events?.includes(kind) === true,
    emit: event => seen?.push(event),
    ...options,
  })
}

export async function run(app: object, input: unknown, settings: RunSettings = {}): Promise<Outcome> {
  return goOn(app, await begin(app, input, settings), settings)
}

/** The final state of a run that has to end. */
export async function finalState(app: object, input: unknown, settings: RunSettings = {}): Promise<State> {
  const outcome = await run(app, input, settings)
  if (outcome.status === 'failed') throw outcome.error
  if (outcome.status !== 'done') throw new Error(`The run is ${outcome.status}`)
  return outcome.state
}

/** A promise that is settled from outside. */
export interface Gate<T = void> {
  readonly promise: Promise<T>
  open(value: T): void
  fail(error: unknown): void
}

export function gate<T = void>(): Gate<T> {
  let open!: (value: T) => void
  let fail!: (error: unknown) => void
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}
