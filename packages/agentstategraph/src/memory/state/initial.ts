/**
 * The initial values of an agent, or the defaults of its schema.
 *
 * Every memory gets its own copy. Containers are copied; functions, connections and instances are shared, because they
 * cannot be copied.
 */

import { isPlainObject, isWholeList, setOwn, type Validated, validateWith } from '../../core/index.ts'
import { memoryError } from '../errors.ts'
import type { AgentDefinition } from './agent-definition.ts'

type Values = Record<string, unknown>

/** The initial values of an agent that has nothing stored; a promise when its schema is asynchronous. */
export function initialValues(definition: AgentDefinition): Values | Promise<Values> {
  if (definition.schema === undefined) return freshCopy(definition.initial) as Values
  const validated = validateWith(definition.schema, {})
  const read = (answer: Validated): Values => validValues(definition, 'loading', answer)
  return validated instanceof Promise ? validated.then(read) : read(validated)
}

/** The values of a validated state; throws when it does not match the schema. */
export function validValues(definition: AgentDefinition, when: 'loading' | 'checkpoint', answer: Validated): Values {
  if ('issues' in answer) {
    throw memoryError('memory-schema-mismatch', { agent: definition.name, when, issues: answer.issues })
  }
  return answer.value as Values
}

export function freshCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // A list with holes or extra properties is not copied: a copy would lose them, and storing has to refuse them.
  if (Array.isArray(value)) return isWholeList(value) ? value.map(freshCopy) : value
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [freshCopy(key), freshCopy(item)]))
  if (value instanceof Set) return new Set([...value].map(freshCopy))
  if (value instanceof Date || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return structuredClone(value)
  if (!isPlainObject(value)) return value
  const copy: Values = {}
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, freshCopy(item))
  return copy
}
