/** `commands.json`, generated from the table: one entry for each operation. */
import { z } from 'zod'
import {
  type CommandEntry,
  type CommandField,
  type FieldKind,
  optionName,
} from '../../../src/cli/parse/command-entry.ts'
import { readValue } from '../../../src/cli/parse/field-text.ts'
import { operationModules, operationsIn } from '../../../src/cli/parse/find-operation.ts'
import { documentFields } from '../../../src/cli/parse/shortcuts.ts'
import { shellWord } from '../../../src/cli/terminal/command-text.ts'
import type { Operation } from '../../../src/operations/operation.ts'

interface FieldSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly default?: unknown
  readonly description?: string
}

/** How a property of a JSON Schema is typed on a command line. */
function kindOf(schema: FieldSchema): FieldKind {
  const { type, items, anyOf, format } = schema
  if (format === 'date-time') return 'moment'
  if (type === 'string' || 'enum' in schema || typeof schema.const === 'string') return 'text'
  if (anyOf?.every(choice => kindOf(choice) === 'text')) return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type !== 'array') return 'value'
  if (items?.type === 'string') return 'texts'
  return items?.type === 'number' || items?.type === 'integer' ? 'numbers' : 'values'
}

function describeField(name: string, schema: FieldSchema, required: boolean): CommandField {
  const choices = (schema.type === 'array' ? schema.items : schema)?.enum?.map(String)
  const kind = kindOf(schema)
  return {
    name,
    kind: kind === 'text' && documentFields.includes(name) ? 'document' : kind,
    ...(required ? { required } : {}),
    about: schema.description ?? '',
    ...(choices === undefined ? {} : { choices }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  }
}

/** The text to type for a value. */
function typedText(value: unknown, kind: FieldKind): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const isValue = kind === 'value' || kind === 'values'
  return isValue && (readValue(value) !== value || /^[@-]/.test(value)) ? JSON.stringify(value) : value
}

/** The file that stands for a document in an example. */
export function documentFile(field: string): string {
  return `${field}.${field === 'bundle' || field === 'export' ? 'jsonl' : 'txt'}`
}

function exampleLine(entry: Omit<CommandEntry, 'examples'>, input: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown, kind: FieldKind, name: string): string =>
    kind === 'document' ? documentFile(name) : shellWord(typedText(value, kind))
  const placed = entry.places.flatMap(name => {
    const { kind } = entry.fields.find(field => field.name === name)!
    const value = input[name]
    if (value === undefined) return []
    return (kind === 'value' ? [value] : [value].flat()).map(each => text(each, kind, name))
  })
  const options = entry.fields.flatMap(({ name, kind }) => {
    const value = input[name]
    if (value === undefined || entry.places.includes(name)) return []
    if (kind === 'boolean') return [value ? `--${optionName(name)}` : `--no-${optionName(name)}`]
    const option = name === 'description' ? '-m' : `--${optionName(name)}`
    return (kind === 'value' ? [value] : [value].flat()).map(each => `${option} ${text(each, kind, name)}`)
  })
  return ['asg', ...entry.words, ...placed, ...options].join(' ')
}

function describeOperation(operation: Operation, module: string): CommandEntry {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const {
    properties = {},
    required = [],
    $defs = {},
  } = schema as {
    properties?: Record<string, FieldSchema>
    required?: readonly string[]
    $defs?: Record<string, FieldSchema>
  }
  const resolved = (field: FieldSchema): FieldSchema => ({ ...$defs[field.$ref?.split('/').at(-1) ?? ''], ...field })
  const parts = operation.command.split(' ')
  const entry = {
    name: operation.name,
    group: operation.group,
    module,
    words: parts.filter(part => /^\w/.test(part)),
    places: parts.filter(part => !/^\w/.test(part)).map(part => part.replace(/[^\w]/g, '')),
    fields: Object.entries(properties).map(([name, field]) =>
      describeField(name, resolved(field), required.includes(name)),
    ),
    summary: operation.summary,
    effect: operation.effect,
    route: operation.route,
    ...(operation.stream === undefined ? {} : { stream: operation.stream }),
  }
  return {
    ...entry,
    examples: operation.examples.map(({ title, input }) => ({ title, line: exampleLine(entry, input) })),
  }
}

/** The first module that defines each operation, by its name. */
async function modulesByName(): Promise<ReadonlyMap<string, string>> {
  const modules = new Map<string, string>()
  for (const [module, load] of Object.entries(operationModules)) {
    for (const { name } of operationsIn(await load())) if (!modules.has(name)) modules.set(name, module)
  }
  return modules
}

/** The text of `commands.json`: one line for each operation, so that diffs are readable. */
export async function commandsText(operations: readonly Operation[]): Promise<string> {
  const modules = await modulesByName()
  const lines = operations.map(operation => JSON.stringify(describeOperation(operation, modules.get(operation.name)!)))
  return `[\n${lines.join(',\n')}\n]\n`
}
