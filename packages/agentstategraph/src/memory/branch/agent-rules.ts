/** What the agents of a memory say about merges: their policies, and the values of keys that nobody has stored yet. */

import { isStateError, type Stored } from '../../core/index.ts'
import type { Edit, Policies } from '../../tree/index.ts'
import type { AgentDefinition } from '../state/agent-definition.ts'
import { initialValues } from '../state/initial.ts'
import type { Codec } from '../values/codec.ts'

export interface AgentRules {
  readonly policies: Policies
  readonly initial: readonly InitialValue[]
}

/** The edit that sets it. */
export type InitialValue = Edit

export async function rulesOf(agents: Iterable<AgentDefinition>, codec: Codec): Promise<AgentRules> {
  const policies: Record<string, Policies[string]> = {}
  const initial: InitialValue[] = []
  for (const definition of agents) {
    Object.assign(policies, definition.policies)
    for (const [key, value] of Object.entries(await findInitialValues(definition))) {
      const path = [definition.name, key]
      const stored = definition.transient.has(key) ? undefined : findStored(codec, value, path)
      if (stored !== undefined) initial.push({ op: 'set', path, value: stored })
    }
  }
  return { policies, initial }
}

/** Nothing for a schema that has no defaults for all that it requires. */
async function findInitialValues(definition: AgentDefinition): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await initialValues(definition)
  } catch (error) {
    if (isStateError(error, 'memory-schema-mismatch')) return {}
    throw error
  }
}

/** Undefined for a value that cannot be stored. */
function findStored(codec: Codec, value: unknown, path: readonly string[]): Stored | undefined {
  try {
    return codec.encode(value, path)
  } catch (error) {
    if (isStateError(error, 'value-refused')) return undefined
    throw error
  }
}
