/** The fields of an answer, from its JSON Schema: what each is asked for with, and the value that was typed. */
export interface AnswerField {
  /** The key in the answer; empty when the answer is one value. */
  readonly name: string
  readonly title: string
  readonly kind: 'boolean' | 'number' | 'choice' | 'text' | 'json'
  readonly isRequired: boolean
  readonly choices: readonly unknown[]
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly value?: unknown
}

interface Schema {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

/** Without a schema, or with one that is no form, the answer is typed as JSON. */
export function fieldsOf(schema: unknown): readonly AnswerField[] {
  if (typeof schema !== 'object' || schema === null) return [fieldOf('', {}, true)]
  const { properties, required = [] } = schema as Schema
  if (properties === undefined) return [fieldOf('', schema as Schema, true)]
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property, required.includes(name)))
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): AnswerField {
  const title = schema.title ?? (name || 'answer')
  return {
    name,
    title: schema.description === undefined ? title : `${title} (${schema.description})`,
    kind: kindOf(schema),
    isRequired,
    choices: schema.enum ?? (schema.const === undefined ? [] : [schema.const]),
    min: schema.minimum,
    max: schema.maximum,
    value: schema.default,
  }
}

function kindOf({ type, enum: choices, const: only }: Schema): AnswerField['kind'] {
  if (choices !== undefined || only !== undefined) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'string' ? 'text' : 'json'
}

/** The answer that the texts of a form make. Throws when a text that has to be JSON is none. */
export function answerOf(fields: readonly AnswerField[], texts: Readonly<Record<string, string | undefined>>): unknown {
  const entries = fields.flatMap(field => {
    const text = texts[`answer ${field.name}`]
    if (field.kind === 'boolean') return [[field.name, text === 'on'] as const]
    return text === undefined ? [] : [[field.name, typedValue(field, text)] as const]
  })
  return fields.length === 1 && fields[0]?.name === '' ? entries[0]?.[1] : Object.fromEntries(entries)
}

function typedValue({ kind, choices, title }: AnswerField, text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'number') return Number(text)
  if (kind === 'choice') return choices[Number(text)]
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${title} is no JSON. A text needs quotes around it.`)
  }
}
