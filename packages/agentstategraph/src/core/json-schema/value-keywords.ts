/** Keywords about one value by itself: its type, its size, what it equals. */

import { namesOf, textOf } from './evaluation.ts'
import { isMultiple } from './multiple.ts'
import { jsonTypeOf, type SchemaObject } from './schema-node.ts'

/** A keyword that a value violates, and why. */
export interface Judgement {
  readonly rule: string
  readonly message: string
}

/** The violations of a value by itself. */
export function judge(schema: SchemaObject, value: unknown): readonly Judgement[] {
  const found = [...judgeType(schema, value), ...judgeEqual(schema, value)]
  switch (jsonTypeOf(value)) {
    case 'number':
      return [...found, ...judgeNumber(schema, value as number)]
    case 'string':
      return [...found, ...judgeText(schema, value as string)]
    case 'array':
      return [...found, ...judgeList(schema, value as readonly unknown[])]
    case 'object':
      return [...found, ...judgeObject(schema, value as object)]
    default:
      return found
  }
}

function judgeType({ type }: SchemaObject, value: unknown): readonly Judgement[] {
  if (type === undefined) return []
  const allowed = (Array.isArray(type) ? type : [type]) as readonly string[]
  const actual = jsonTypeOf(value)
  const fits = allowed.some(name => name === actual || (name === 'integer' && Number.isInteger(value)))
  const message = `has to be ${allowed.join(' or ')}, and is ${actual ?? 'nothing that JSON knows'}`
  return fits ? [] : [{ rule: 'type', message }]
}

function judgeEqual(schema: SchemaObject, value: unknown): readonly Judgement[] {
  const { enum: allowed } = schema
  const messages: Judgement[] = []
  let text: string | undefined
  const isEqual = (one: unknown): boolean => {
    if (typeof one !== 'object' || one === null) return one === value
    if (typeof value !== 'object' || value === null) return false
    text ??= textOf(value)
    return text !== undefined && text === textOf(one)
  }
  if (Object.hasOwn(schema, 'const') && !isEqual(schema['const'])) {
    messages.push({ rule: 'const', message: `has to be ${JSON.stringify(schema['const'])}` })
  }
  if (Array.isArray(allowed) && !allowed.some(isEqual)) {
    const message = `has to be one of ${allowed.map(one => JSON.stringify(one)).join(', ')}`
    messages.push({ rule: 'enum', message })
  }
  return messages
}

type Limit = readonly [keyword: string, holds: (value: number, limit: number) => boolean, words: string]

const ofNumbers: readonly Limit[] = [
  ['minimum', (value, limit) => value >= limit, 'has to be at least'],
  ['maximum', (value, limit) => value <= limit, 'has to be at most'],
  ['exclusiveMinimum', (value, limit) => value > limit, 'has to be more than'],
  ['exclusiveMaximum', (value, limit) => value < limit, 'has to be less than'],
  ['multipleOf', isMultiple, 'has to be a multiple of'],
]

function judgeNumber(schema: SchemaObject, value: number): readonly Judgement[] {
  return broken(schema, ofNumbers, value)
}

function judgeText(schema: SchemaObject, value: string): readonly Judgement[] {
  return judgeCount(schema, 'Length', () => lengthOf(value), 'characters')
}

/** The length in characters, not in code units. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

function judgeList(schema: SchemaObject, value: readonly unknown[]): readonly Judgement[] {
  const messages = [...judgeCount(schema, 'Items', () => value.length, 'elements')]
  if (schema['uniqueItems'] === true) {
    const texts = value.map(textOf).filter(text => text !== undefined)
    if (new Set(texts).size < texts.length) {
      messages.push({ rule: 'uniqueItems', message: 'has equal elements, and all have to differ' })
    }
  }
  return messages
}

function judgeObject(schema: SchemaObject, value: object): readonly Judgement[] {
  const names = new Set(namesOf(value))
  const { required = [], dependentRequired = {} } = schema
  const messages = [...judgeCount(schema, 'Properties', () => names.size, 'properties')]
  for (const name of required as readonly string[]) {
    if (!names.has(name)) messages.push({ rule: 'required', message: `has to have '${name}'` })
  }
  for (const [name, others] of Object.entries(dependentRequired as Readonly<Record<string, readonly string[]>>)) {
    if (!names.has(name)) continue
    for (const other of others) {
      const message = `has '${name}', and so has to have '${other}'`
      if (!names.has(other)) messages.push({ rule: 'dependentRequired', message })
    }
  }
  return messages
}

function judgeCount(schema: SchemaObject, of: string, count: () => number, what: string): readonly Judgement[] {
  if (schema[`min${of}`] === undefined && schema[`max${of}`] === undefined) return []
  const limits: readonly Limit[] = [
    [`min${of}`, (value, limit) => value >= limit, 'has to have at least'],
    [`max${of}`, (value, limit) => value <= limit, 'has to have at most'],
  ]
  return broken(schema, limits, count()).map(({ rule, message }) => ({ rule, message: `${message} ${what}` }))
}

function broken(schema: SchemaObject, limits: readonly Limit[], value: number): readonly Judgement[] {
  return limits.flatMap(([keyword, holds, words]) => {
    const limit = schema[keyword]
    return typeof limit !== 'number' || holds(value, limit) ? [] : [{ rule: keyword, message: `${words} ${limit}` }]
  })
}
