/** Memory of this process: any value, no checkpoints, kept as long as the object exists. */

import { millisOf } from '../../core/index.ts'
import { memoryError } from '../errors.ts'
import type { MemoryEvent } from '../events/events.ts'
import { type AgentDefinition, definitionOf, type Remembering } from '../state/agent-definition.ts'
import { initialValues } from '../state/initial.ts'

interface LiveParts {
  readonly states: Map<string, object>
  readonly events: MemoryEvent[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const parts = new WeakMap<Live, LiveParts>()

/** Memory that lives as long as the process and has no history. */
export class Live {
  constructor({ clock }: { clock?: (() => Date) | undefined } = {}) {
    parts.set(this, { states: new Map(), events: [], now: millisOf(clock) })
  }

  /** An agent's memory. Returns the same object every time. */
  of<S>(agent: Remembering<S>): S {
    const definition = definitionOf(agent)
    const state = stateIn(this, definition)
    if (state instanceof Promise) throw memoryError('memory-schema-async', { agent: definition.name })
    return state as S
  }
}

export function liveParts(live: Live): LiveParts {
  return parts.get(live)!
}

/** An agent's state; a promise when its schema is asynchronous. */
export function stateIn(live: Live, definition: AgentDefinition): object | Promise<object> {
  const { states } = liveParts(live)
  const known = states.get(definition.name)
  if (known !== undefined) return known
  const keep = (values: object): object => {
    // A concurrent call may have made it.
    const state = states.get(definition.name) ?? values
    states.set(definition.name, state)
    return state
  }
  const values = initialValues(definition)
  return values instanceof Promise ? values.then(keep) : keep(values)
}
