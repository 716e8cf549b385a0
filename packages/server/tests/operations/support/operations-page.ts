/**
 * docs/operations.md, generated from the table: what each operation is for, where it is found, its input and its result.
 *
 * Types come from the JSON Schemas that clients see, so the page cannot deviate from them.
 */
import { z } from 'zod'
import { groups, type Operation } from '../../../src/operations/operation.ts'

/** The parts of a JSON Schema that the page shows. */
interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly $defs?: Readonly<Record<string, Shape>>
}

const titles: Readonly<Record<(typeof groups)[number], string>> = {
  state: 'State',
  branches: 'Branches, tags and merging',
  speculation: 'Speculation',
  history: 'History',
  epochs: 'Epochs and evidence',
  sessions: 'Sessions',
  access: 'Access',
  plans: 'Plans and tasks',
  schema: 'Schemas and migrations',
  graph: 'Graphs and threads',
  memory: 'Memories of agents',
  store: 'The store',
}

/** The whole page. */
export function operationsPage(operations: readonly Operation[]): string {
  const shapes = new Map<string, Shape>()
  const sections = groups.flatMap(group => {
    const members = operations.filter(operation => operation.group === group)
    return members.length === 0 ? [] : [`## ${titles[group]}`, ...members.map(member => sectionOf(member, shapes))]
  })
  const named = [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, shape]) => shapeSection(name, shape))
  return `${[intro(operations.length), contents(operations), ...sections, '## Shapes', ...named].join('\n\n')}\n`
}

function intro(count: number): string {
  return [
    '# Operations',
    '',
    `The ${count} operations that a client can call, the same over HTTP, MCP and the command line. A test generates this page from`,
    'the table in `packages/server/src/operations`.',
    '',
    'Fields in braces of a route come from its path, the others from the query (GET, DELETE) or the JSON body. The MCP tool of an',
    'operation is its name with the prefix `agentstategraph_`, in the set named (`standard` includes `core`, `all` includes both).',
    'Listings return `items` and, when there are more, `next_cursor`. Values that JSON lacks are tagged objects such as',
    '`{"$date": "…"}`. [reading](reading.md) explains paths, words and cursors for all of them.',
  ].join('\n')
}

function contents(operations: readonly Operation[]): string {
  const rows = operations.map(
    ({ name, summary, route, command, tools }) =>
      `| [${name}](#${name}) | ${summary} | \`${route}\` | \`asg ${cell(command)}\` | ${tools} |`,
  )
  return ['| operation | what it does | HTTP | command | tools |', '|---|---|---|---|---|', ...rows].join('\n')
}

function sectionOf(operation: Operation, shapes: Map<string, Shape>): string {
  const { name, summary, guidance, route, command, capability, effect, idempotent, stream, examples } = operation
  const kind = { read: 'reads', write: 'writes', destructive: 'destructive' }[effect]
  const facts = [
    `\`${route}\` · \`asg ${command}\``,
    `${kind}${idempotent ? ', can be repeated' : ''} · needs \`${capability}\`${stream === undefined ? '' : ` · a stream of ${stream}`}`,
  ]
  const parts = [`### ${name}`, `${summary}. ${guidance}`, facts.join('<br>\n'), ...inputTable(operation)]
  parts.push(`Gives ${outputText(operation, shapes)}.`)
  for (const { title, input } of examples) {
    parts.push(`For example, ${title.replace(/\?$/, '')}:\n\n\`\`\`json\n${JSON.stringify(input)}\n\`\`\``)
  }
  return parts.join('\n\n')
}

function inputTable({ input }: Operation): string[] {
  const { properties = {}, required = [] } = shapeOf(input, 'input')
  const rows = Object.entries(properties).map(([field, shape]) => {
    const how = required.includes(field)
      ? 'yes'
      : shape.default === undefined
        ? ''
        : code(JSON.stringify(shape.default))
    return `| \`${field}\` | ${typeText(shape)} | ${how} | ${cell(shape.description ?? '')} |`
  })
  return rows.length === 0
    ? ['Takes nothing.']
    : [['| field | type | required, or default | meaning |', '|---|---|---|---|', ...rows].join('\n')]
}

function outputText({ output, stream }: Operation, shapes: Map<string, Shape>): string {
  const shape = shapeOf(output, 'output')
  for (const [name, inner] of Object.entries(shape.$defs ?? {})) shapes.set(name, inner)
  const ref = shape.$ref === undefined ? undefined : shape.$defs?.[nameOf(shape.$ref)]
  const { id } = (output.meta() ?? {}) as { id?: string }
  if (id !== undefined) shapes.set(id, ref ?? shape)
  const text = id === undefined ? (shape.description ?? '') : ''
  const type = id === undefined ? typeText(shape) : link(id)
  return `${type}${text === '' ? '' : ` (${text})`}${stream === undefined ? '' : ', one after another'}`
}

function shapeSection(name: string, shape: Shape): string {
  const head = `### ${name} shape${shape.description === undefined ? '' : `\n\n${shape.description}.`}`
  const variants = shape.oneOf ?? shape.anyOf ?? [shape]
  if (variants.some(({ properties }) => properties === undefined)) return `${head}\n\n${typeText(shape)}`
  return [head, ...variants.map(fieldTable)].join('\n\n')
}

function fieldTable({ properties = {}, required = [] }: Shape): string {
  const rows = Object.entries(properties).map(
    ([field, shape]) =>
      `| \`${field}\`${required.includes(field) ? '' : '?'} | ${typeText(shape)} | ${cell(shape.description ?? '')} |`,
  )
  return ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')
}

function shapeOf(schema: z.ZodType, io: 'input' | 'output'): Shape {
  return z.toJSONSchema(schema, { io }) as Shape
}

/** A type in as few words as it takes. */
function typeText(shape: Shape): string {
  if (shape.$ref !== undefined) return link(nameOf(shape.$ref))
  if (shape.const !== undefined) return code(JSON.stringify(shape.const))
  if (shape.enum !== undefined) return shape.enum.map(value => code(JSON.stringify(value))).join(' \\| ')
  const variants = shape.oneOf ?? shape.anyOf
  if (variants !== undefined) return variants.map(typeText).join(' or ')
  if (shape.type === 'array') return `list of ${typeText(shape.items ?? {})}`
  if (shape.properties !== undefined) return objectText(shape)
  if (typeof shape.additionalProperties === 'object') return `map of ${typeText(shape.additionalProperties)}`
  return shape.type ?? 'anything'
}

function objectText({ properties = {}, required = [] }: Shape): string {
  const fields = Object.entries(properties).map(
    ([name, shape]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(shape)}`,
  )
  return `{ ${fields.join(', ')} }`
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()}-shape)`
}

function code(text: string): string {
  return `\`${cell(text)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
