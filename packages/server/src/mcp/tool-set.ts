/**
 * The tools that a server offers, and their size: every listed tool takes space in the context of a model, whether it is called
 * or not.
 *
 * Tools keep the order of the table. The size is a rule of thumb: a token for every four bytes of the list, of which clients pass
 * all to their model, or all but the output schemas.
 */
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/table.ts'
import { usageRefusal } from '../wire/faults/refusal.ts'
import { type Tool, toolOf } from './tool.ts'

const sets: readonly string[] = ['core', 'standard', 'all'] satisfies readonly Operation['tools'][]

const BYTES_PER_TOKEN = 4

const made = new WeakMap<Operation, Tool>()

/** `core`, `standard`, `all`, or names of operations separated by commas; optionally only those that read. */
export function toolSet(
  choice = 'standard',
  options: { readonly isReadOnly?: boolean | undefined; readonly table?: readonly Operation[] | undefined } = {},
): readonly Tool[] {
  const { isReadOnly = false, table = operations } = options
  const chosen = chosenFrom(table, choice)
  return chosen.filter(({ effect }) => !isReadOnly || effect === 'read').map(hoisted)
}

type Listed = Pick<Tool, 'name' | 'description' | 'inputSchema'> & Partial<Pick<Tool, 'outputSchema'>>

export function tokensOf(tools: readonly Listed[]): number {
  const bytes = tools.reduce(
    (sum, { name, description, inputSchema, outputSchema }) =>
      sum + Buffer.byteLength(JSON.stringify({ name, description, inputSchema, outputSchema })),
    0,
  )
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

function chosenFrom(table: readonly Operation[], choice: string): readonly Operation[] {
  const size = sets.indexOf(choice)
  if (size !== -1) return table.filter(({ tools }) => sets.indexOf(tools) <= size)
  const names = choice.split(',').map(name => name.trim().replace(/^agentstategraph_/, ''))
  const unknown = names.filter(name => !table.some(operation => operation.name === name))
  if (unknown.length > 0)
    throw usageRefusal(
      `There is no tool ${unknown.map(name => JSON.stringify(name)).join(', ')}.`,
      `--tools takes ${sets.join(', ')}, or names with commas between, such as get,set,blame.`,
      'tool-unknown',
    )
  return table.filter(({ name }) => names.includes(name))
}

function hoisted(operation: Operation): Tool {
  const known = made.get(operation)
  if (known !== undefined) return known
  const tool = toolOf(operation)
  made.set(operation, tool)
  return tool
}
