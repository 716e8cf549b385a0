/**
 * What a memory holds before anything was kept: the initial values, or the defaults of a schema.
 *
 * Every memory gets its own copy. Containers are copied; what only a process can hold (functions, connections, instances)
 * is shared, because there is no other of it.
 */

import { isPlainObject, isWholeList, setOwn, type Validated, validateWith } from '../../core/index.ts'
import { memoryError } from '../errors.ts'
import type { AgentDefinition } from './agent-definition.ts'

type Values = Record<string, unknown>

/** The initial values of an agent without stored ones; of a schema that waits, a promise of them. */
export function initialValues(definition: AgentDefinition): Values | Promise<Values> {
  if (definition.schema === undefined) return freshCopy(definition.initial) as Values
  const validated = validateWith(definition.schema, {})
  const read = (answer: Validated): Values => validValues(definition, 'loading', answer)
  return validated instanceof Promise ? validated.then(read) : read(validated)
}

/** What a schema says of a state, or why it does not match. */
export function validValues(definition: AgentDefinition, when: 'loading' | 'checkpoint', answer: Validated): Values {
  if ('issues' in answer) {
    throw memoryError('memory-schema-mismatch', { agent: definition.name, when, issues: answer.issues })
  }
  return answer.value as Values
}

export function freshCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // A list with holes or properties is left as it is: a copy would lose them, and they are refused when they are stored.
  if (Array.isArray(value)) return isWholeList(value) ? value.map(freshCopy) : value
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [freshCopy(key), freshCopy(item)]))
  if (value instanceof Set) return new Set([...value].map(freshCopy))
  if (value instanceof Date || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return structuredClone(value)
  if (!isPlainObject(value)) return value
  const copy: Values = {}
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, freshCopy(item))
  return copy
}
