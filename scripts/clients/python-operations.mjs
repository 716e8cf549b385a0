/**
 * Writes the generated part of the Python client from the table of operations: the methods (`_operations.py`), their types for both
 * StateGraph and AsyncStateGraph (`_operations.pyi`), the shapes of results (`shapes.py`), and what the client has to know of each
 * operation (`_table.py`).
 *
 * The same function body serves both classes: `_call` gives the result, or something to await.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { root } from '../tools.mjs'
import { pythonShapes } from './python-shapes.mjs'
import { valuePlaces } from './value-places.mjs'

const folder = join(root, 'clients/python/src/agentstategraph')

/** Written by hand, in `people.py`: what a Python user expects differs from the result of the table. */
const BY_HAND = new Set(['get', 'diff', 'blame', 'query', 'speculate', 'spec_get', 'watch'])

/** Names that programs know from elsewhere. */
const ALIASES = { set: 'set_json', commit_spec: 'commit_speculation', discard: 'discard_speculation' }

/** Fields that may be given without their name, where a command has other ones. */
const PLACES = { merge: ['source', 'target'], preview_merge: ['source', 'target'] }

const KEYWORDS = new Set([
  'from',
  'import',
  'to_',
  'global',
  'class',
  'is',
  'in',
  'not',
  'with',
  'as',
  'pass',
  'lambda',
])

const identifier = name => (KEYWORDS.has(name) ? `${name}_` : name)

const HEAD = '# Made from the table of operations by scripts/clients/python-operations.mjs. Not to be edited.\n'

/** The files, by name, with their text. */
export async function pythonFiles() {
  const { operations } = await import('../../packages/server/lib/index.js')
  const commands = JSON.parse(readFileSync(join(root, 'packages/server/commands.json'), 'utf8'))
  const shapes = pythonShapes()
  const described = operations.map(operation =>
    describe(
      operation,
      commands.find(({ name }) => name === operation.name),
      shapes,
    ),
  )
  const methods = described
    .filter(({ name }) => !BY_HAND.has(name))
    .flatMap(method => [method, ...(ALIASES[method.name] ? [{ ...method, method: ALIASES[method.name] }] : [])])
  return {
    '_operations.py': methodsText(methods),
    '_operations.pyi': stubText(methods, shapes),
    'shapes.py': shapes.text(HEAD),
    '_table.py': tableText(described),
  }
}

function describe(operation, { places }, shapes) {
  const input = z.toJSONSchema(operation.input, { io: 'input' })
  const output = z.toJSONSchema(operation.output, { io: 'output' })
  const required = new Set(input.required ?? [])
  const first = PLACES[operation.name] ?? places
  const rank = name => (required.has(name) ? 0 : first.includes(name) ? 1 : 2)
  const order = [...new Set([...first, ...required, ...Object.keys(input.properties)])]
  const fields = order
    .map(name => {
      const schema = input.properties[name]
      return { name, as: identifier(name), rank: rank(name), schema, type: shapes.inputType(schema, input) }
    })
    .sort((a, b) => a.rank - b.rank)
  const takesAgent = operation.effect !== 'read' && !fields.some(({ name }) => name === 'agent')
  const { items, next_cursor, hint, ...others } = output.properties ?? {}
  const isPage = items !== undefined && next_cursor !== undefined && Object.keys(others).length === 0
  const kind = operation.stream !== undefined ? 'stream' : isPage ? 'listing' : 'call'
  const title = operation.name.replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase())
  return {
    name: operation.name,
    method: identifier(operation.name),
    operation,
    fields: kind === 'listing' ? fields.filter(({ name }) => name !== 'cursor') : fields,
    takesAgent,
    kind,
    result: shapes.outputType(
      kind === 'listing' ? items.items : output,
      output,
      kind === 'listing' ? title : `${title}Result`,
    ),
    values: [valuePlaces(input, input), valuePlaces(output, output)],
    branch: fields.find(({ schema }) => schema.default === 'main')?.name,
    ref: fields.find(({ name, schema }) => name === 'ref' && schema.default === '*')?.name,
  }
}

/** The parameters: positional ones, then those that have to be named. `typed` adds annotations. */
function parameters({ fields, takesAgent }, typed) {
  const named = fields.filter(({ rank }) => rank === 2)
  const text = ({ as, rank, type }) => {
    if (!typed) return rank === 0 ? as : `${as}=None`
    return rank === 0 ? `${as}: ${type}` : `${as}: ${type} | None = ...`
  }
  const agent = takesAgent ? [typed ? 'agent: str | None = ...' : 'agent=None'] : []
  const rest = [...named.map(text), ...agent]
  return ['self', ...fields.filter(({ rank }) => rank < 2).map(text), ...(rest.length > 0 ? ['*', ...rest] : [])]
}

const makers = { call: '_call', listing: '_listing', stream: '_stream' }

function methodsText(methods) {
  const parts = methods.map(method => {
    const { name, fields, takesAgent, kind, operation } = method
    const own = fields.filter(field => !(kind === 'listing' && field.name === 'limit'))
    const given = own.map(({ name, as }) => `${JSON.stringify(name)}: ${as}`).join(', ')
    const extra = `${kind === 'listing' ? ', limit' : ''}${takesAgent ? ', agent=agent' : ''}`
    const about = fields.map(({ as, schema }) => `        ${as}: ${schema.description ?? ''}`.trimEnd())
    const doc = `${operation.summary}.\n\n${wrapped(operation.guidance, 8)}\n\n${about.join('\n')}\n        `
    return [
      `    def ${method.method}(${parameters(method, false).join(', ')}):`,
      `        r"""${doc.replaceAll('"""', "'''")}"""`,
      `        return self.${makers[kind]}(${JSON.stringify(name)}, {${given}}${extra})`,
    ].join('\n')
  })
  return `${HEAD}class Operations:\n    __slots__ = ()\n\n${parts.join('\n\n')}\n\n\nAsyncOperations = Operations\n`
}

function stubText(methods, shapes) {
  const own = kind => ({ call: r => r, listing: r => `Listing[${r}]`, stream: r => `Stream[${r}]` })[kind]
  const awaited = kind =>
    ({ call: r => `Awaitable[${r}]`, listing: r => `AsyncListing[${r}]`, stream: r => `AsyncStream[${r}]` })[kind]
  const classText = (name, result) =>
    `class ${name}:\n${methods
      .map(method => {
        const type = result(method.kind)(method.result)
        return `    def ${method.method}(${parameters(method, true).join(', ')}) -> ${type}: ...`
      })
      .join('\n')}\n`
  const body = `${classText('Operations', own)}\n${classText('AsyncOperations', awaited)}`
  const used = names => names.filter(name => new RegExp(`\\b${name}\\b`).test(body)).join(', ')
  return [
    HEAD,
    `from collections.abc import ${used(['Awaitable', 'Mapping', 'Sequence'])}`,
    'from datetime import datetime',
    `from typing import ${used(['Any', 'Literal'])}\n`,
    'from .async_listing import AsyncListing, AsyncStream',
    'from .listing import Listing, Stream',
    `from .shapes import ${used(shapes.names())}\n`,
    body,
  ].join('\n')
}

function tableText(described) {
  const rows = described.map(({ name, operation, fields, values, branch, ref, kind }) => {
    const [verb, path] = operation.route.split(' ')
    const hasKey = 'idempotency_key' in operation.input.shape
    const isRepeatable = operation.effect === 'read' || operation.idempotent || hasKey
    const json = fields.filter(({ schema }) => isAny(schema)).map(field => field.name)
    // A required value may be null; elsewhere None stands for a field that is left out.
    const nullable = fields.filter(({ rank, schema }) => rank === 0 && isAny(schema)).map(field => field.name)
    const inPath = fields.filter(({ name, schema }) => path.includes(`{${name}}`) && schema.default !== undefined)
    const defaults = Object.fromEntries(inPath.map(({ name, schema }) => [name, schema.default]))
    const takesSession = operation.effect !== 'read' && 'session' in operation.input.shape
    const row = [
      verb,
      path,
      isRepeatable,
      hasKey,
      kind,
      ...values,
      branch ?? ref,
      json,
      nullable,
      defaults,
      takesSession,
    ]
    return `    ${JSON.stringify(name)}: Operation(${row.map(literal).join(', ')}),`
  })
  return `${HEAD}from __future__ import annotations

from typing import NamedTuple, Union

# Where values of states are: True here, in members of an object, in each item of a list, or by the name of a shape.
Places = Union[bool, str, "dict[str, Places]", "list[Places]", None]


class Operation(NamedTuple):
    verb: str
    path: str
    repeatable: bool
    has_key: bool
    kind: str
    given: Places
    result: Places
    ref: str | None
    json: list[str]
    nullable: list[str]
    defaults: dict[str, str]
    takes_session: bool


PLACES: dict[str, Places] = ${literal(valuePlaces.named())}

OPERATIONS: dict[str, Operation] = {
${rows.join('\n')}
}
`
}

/** Whether the query of a request carries a field as JSON, because it can be of any type. */
function isAny({ $ref, items }) {
  return $ref !== undefined || (items !== undefined && items.type !== 'string')
}

function literal(value) {
  if (value === undefined || value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${literal(part)}`)
    .join(', ')}}`
}

function wrapped(text, indent, width = 110) {
  const lines = ['']
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length + indent >= width) lines.push('')
    lines.push(`${lines.pop()} ${word}`.trim())
  }
  return lines.map(line => ' '.repeat(indent) + line).join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [name, text] of Object.entries(await pythonFiles())) writeFileSync(join(folder, name), text)
}
