/**
 * The result of a tool: a line of text for a reader, then the whole result as data.
 *
 * The line is derived from the shape of the result, never from the name of the operation. The data is there twice: as structured
 * content, and as JSON text for clients that do not pass structured content to their model.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Fault } from '../wire/faults/fault.ts'
import { isRecord } from '../wire/wired.ts'
import { plainLine } from './plain-line.ts'

const SHOWN_VALUE = 200
const SHOWN_ID = 12
const SHOWN_HINT = 2000

/** `text` is the output as JSON, in which undefined fields are absent. */
export function answer(summary: string, output: unknown, text: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: plainLine(firstLine(summary, output)) },
      { type: 'text', text },
    ],
    structuredContent: JSON.parse(text),
  }
}

/** A failure that the model can read and correct: the code, the reason, and the next step. */
export function refusal({ code, message, hint, data }: Fault): CallToolResult {
  const next = hint === undefined ? '' : `\nNext: ${plainLine(hint, SHOWN_HINT)}`
  return {
    isError: true,
    content: [
      { type: 'text', text: `${code}: ${plainLine(message, SHOWN_HINT)}${next}` },
      { type: 'text', text: JSON.stringify({ code, message, hint, data }) },
    ],
  }
}

function firstLine(summary: string, output: unknown): string {
  if (!isRecord(output)) return `${summary}: ${shown(output)}`
  const { id, agent, intent, items, value, path, ref } = output
  const place = 'value' in output && typeof path === 'string' ? `${path}${at(ref)} = ${shown(value)}` : undefined
  if (typeof id === 'string' && isRecord(intent)) {
    const kept = output['changed'] === false ? ' (nothing changed)' : ''
    const commit = `commit ${id.slice(0, SHOWN_ID)} by ${String(agent)}: ${shown(intent['description'])}${kept}`
    return place === undefined ? `C${commit.slice(1)}` : `${place}, ${commit}`
  }
  if (place !== undefined) return place
  if (Array.isArray(items)) {
    const more = output['next_cursor'] === undefined ? '' : '; more with cursor'
    return `${summary}: ${items.length} ${items.length === 1 ? 'item' : 'items'}${more}`
  }
  const [list, ...others] = Object.entries(output).filter(([, part]) => Array.isArray(part))
  if (list !== undefined && others.length === 0)
    return `${summary}: ${(list[1] as readonly unknown[]).length} ${list[0]}`
  return `${summary}: ${shown(output)}`
}

function at(ref: unknown): string {
  return typeof ref === 'string' ? ` at ${ref}` : ''
}

function shown(value: unknown): string {
  return plainLine(JSON.stringify(value) ?? 'nothing', SHOWN_VALUE)
}
