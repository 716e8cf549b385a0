/** The memory at a commit, read-only in type and at run time. */

import { type DeepReadonly, formatPath, hexOfId, validateWith } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'
import type { StoredCommit } from '../../store/index.ts'
import { memoryError } from '../errors.ts'
import { type AgentDefinition, definitionOf, type Remembering } from '../state/agent-definition.ts'
import { type Refuse, readOnly } from '../state/read-only.ts'
import { stateObject } from '../state/state-object.ts'
import type { KeySource } from '../state/working-copy.ts'
import { codecOf } from '../values/codec.ts'
import { agentsIn, baseAt, sourceIn } from './workspace.ts'

/** The memories of agents at one commit. They can be read, not changed. */
export interface Checkout {
  readonly commit: string
  of<S>(agent: Remembering<S>): DeepReadonly<S>
}

const handles = new WeakMap<Checkout, { readonly handle: Handle; readonly commit: StoredCommit }>()

/** The handle and the commit of a checkout. */
export function checkoutParts(checkout: Checkout): { readonly handle: Handle; readonly commit: StoredCommit } {
  return handles.get(checkout)!
}

export async function checkoutAt(handle: Handle, commit: StoredCommit): Promise<Checkout> {
  const id = hexOfId(commit.id)
  const refuse: Refuse = path => memoryError('checkout-read-only', { path, commit: id })
  const findSource = await sourcesAt(handle, commit)
  const states = new Map<string, object>()
  const checkout: Checkout = {
    commit: id,
    of<S>(agent: Remembering<S>): DeepReadonly<S> {
      const definition = definitionOf(agent)
      const state = states.get(definition.name) ?? pastState(handle, definition, findSource(definition.name), refuse)
      states.set(definition.name, state)
      return state as DeepReadonly<S>
    },
  }
  handles.set(checkout, { handle, commit })
  return checkout
}

/** An agent's keys at a commit. With an asynchronous backend all of them are read in advance. */
async function sourcesAt(handle: Handle, commit: StoredCommit): Promise<(agent: string) => KeySource> {
  const { journal } = handle
  const place = { handle, base: baseAt(handle, commit) }
  if (journal.log.sync !== undefined) return agent => journal.runSync(sourceIn(place, agent))
  const sources = new Map<string, KeySource>()
  for (const name of await journal.run(agentsIn(handle, commit.tree))) {
    sources.set(name, await journal.run(sourceIn(place, name)))
  }
  const nothing: KeySource = { find: () => undefined, has: () => false, list: () => [] }
  return agent => sources.get(agent) ?? nothing
}

function pastState(handle: Handle, definition: AgentDefinition, source: KeySource, refuse: Refuse): object {
  const codec = codecOf(handle)
  const values = new Map<string, { readonly value: unknown }>()
  const initial = initialOver(definition, () =>
    Object.fromEntries(source.list().map(key => [key, codec.decode(source.find(key)!, [definition.name, key])])),
  )
  const find = (key: string): { readonly value: unknown } | undefined => {
    const known = values.get(key)
    if (known !== undefined) return known
    const stored = source.find(key)
    if (stored === undefined && !Object.hasOwn(initial, key)) return undefined
    const value = stored === undefined ? initial[key] : codec.decode(stored, [definition.name, key])
    const found = { value: readOnly(value, [definition.name, key], refuse) }
    values.set(key, found)
    return found
  }
  const never = (key: string): never => {
    throw refuse(formatPath([definition.name, key]))
  }
  return stateObject({
    find,
    has: key => values.has(key) || source.has(key) || Object.hasOwn(initial, key),
    set: never,
    delete: never,
    list: () => [...new Set([...source.list(), ...Object.keys(initial)])],
  })
}

/** The values of keys that were not stored then. An old state that does not match today's schema is not an error. */
function initialOver(definition: AgentDefinition, stored: () => object): Readonly<Record<string, unknown>> {
  if (definition.schema === undefined) return definition.initial
  const answer = validateWith(definition.schema, stored())
  return answer instanceof Promise || 'issues' in answer ? {} : (answer.value as Record<string, unknown>)
}
