/** The definition of an agent, which its public object does not show. */

import {
  formatPath,
  isStandardSchema,
  isWellFormed,
  type StandardSchema,
  type StateSource,
  utf8Length,
} from '../../core/index.ts'
import type { Policies } from '../../tree/index.ts'
import { memoryError } from '../errors.ts'

/** Carries the type of the state; no value has it. */
export declare const remembered: unique symbol

/** An agent with a state of type `S`: the argument that selects a state in a memory. */
export interface Remembering<S> {
  readonly name: string
  readonly [remembered]?: S
}

export interface AgentDefinition {
  readonly name: string
  readonly schema: StandardSchema | undefined
  /** The initial values, when no schema gives them. */
  readonly initial: Readonly<Record<string, unknown>>
  readonly transient: ReadonlySet<string>
  /** By patterns of paths from the root. */
  readonly policies: Policies
}

export interface DefinitionOptions {
  readonly state?: StateSource | undefined
  readonly transient?: readonly PropertyKey[] | undefined
  readonly policies?: Policies | undefined
}

const definitions = new WeakMap<object, AgentDefinition>()

export function keepDefinition(agent: object, definition: AgentDefinition): void {
  definitions.set(agent, definition)
}

export function definitionOf(agent: object): AgentDefinition {
  const definition = definitions.get(agent)
  if (definition !== undefined) return definition
  throw memoryError('agent-name-invalid', { what: 'agent', name: String(agent), reason: 'it is not what agent() gave' })
}

export function defineAgent(
  name: string,
  { state, transient = [], policies = {} }: DefinitionOptions,
): AgentDefinition {
  const schema = isStandardSchema(state) ? state : undefined
  return {
    name: checkedName('agent', name),
    schema,
    initial: schema === undefined ? ((state ?? {}) as Record<string, unknown>) : {},
    transient: new Set(transient.map(String)),
    policies: Object.fromEntries(
      Object.entries(policies).map(([key, policy]) => [`${formatPath([name])}/${key.replace(/^\//, '')}`, policy]),
    ),
  }
}

const MAX_NAME_BYTES = 256
/** Keys of the root that the repository uses. */
const reserved = ['_meta', '_plans']

/** Returns the name of an agent or a task, or throws why it cannot be one. */
export function checkedName(what: 'agent' | 'task', name: string): string {
  const refuse = (reason: string): never => {
    throw memoryError('agent-name-invalid', { what, name, reason })
  }
  if (typeof name !== 'string' || name.trim() === '') return refuse('it is empty')
  if (!isWellFormed(name)) return refuse('it contains a lone surrogate')
  if (/\p{Cc}/u.test(name)) return refuse('it contains a control character')
  if (name.includes('*')) return refuse('it contains a star, which stands for any name in patterns')
  if (utf8Length(name) > MAX_NAME_BYTES) return refuse(`it has more than ${MAX_NAME_BYTES} bytes`)
  return reserved.includes(name) ? refuse('this name belongs to the repository') : name
}
