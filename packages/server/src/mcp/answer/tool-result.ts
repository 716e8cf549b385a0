/**
 * The result of a tool, as one text: a line for a reader, then the data as compact JSON. Structured content is the same data.
 *
 * The line is derived from the shape of the result, never from the name of the operation.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Fault } from '../../wire/faults/fault.ts'
import { isRecord } from '../../wire/wired.ts'
import { plainLine } from './plain-line.ts'
import { inToolWords } from './tool-words.ts'

const SHOWN_VALUE = 200
const SHOWN_ID = 12
const SHOWN_HINT = 2000

/** `text` is the output as JSON, in which undefined fields are absent. */
export function answer(summary: string, output: unknown, text: string): CallToolResult {
  return {
    content: [{ type: 'text', text: `${plainLine(firstLine(summary, output))}\n${text}` }],
    structuredContent: JSON.parse(text),
  }
}

/** A failure that the model can read and correct: the code, the reason, the next step, and what it is about. */
export function refusal({ code, message, hint, data }: Fault): CallToolResult {
  const next = hint === undefined ? '' : `\nNext: ${plainLine(inToolWords(code, hint), SHOWN_HINT)}`
  const about = isRecord(data) && Object.keys(data).length > 0 ? `\n${JSON.stringify(data)}` : ''
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${plainLine(message, SHOWN_HINT)}${next}${about}` }],
  }
}

function firstLine(summary: string, output: unknown): string {
  if (!isRecord(output)) return summary
  const { id, agent, items, value, path, ref } = output
  const description = descriptionOf(output)
  const place = 'value' in output && typeof path === 'string' ? `${path}${at(ref)} = ${shown(value)}` : undefined
  if (typeof id === 'string' && typeof agent === 'string' && description !== undefined) {
    const kept = output['changed'] === false ? ' (nothing changed)' : ''
    const commit = `commit ${id.slice(0, SHOWN_ID)} by ${agent}: ${shown(description)}${kept}`
    return place === undefined ? `C${commit.slice(1)}` : `${place}, ${commit}`
  }
  if (place !== undefined) return place
  if (Array.isArray(items)) {
    const more = output['next_cursor'] === undefined ? '' : '; more with cursor'
    return `${summary}: ${items.length} ${items.length === 1 ? 'item' : 'items'}${more}`
  }
  if (Array.isArray(output['refs']) && 'entry' in output) return undoneLine(output)
  const [list, ...others] = Object.entries(output).filter(([, part]) => Array.isArray(part))
  if (list !== undefined && others.length === 0)
    return `${summary}: ${counted((list[1] as readonly unknown[]).length, list[0])}`
  const subject = output['label'] ?? output['name'] ?? id
  return typeof subject === 'string' ? `${summary}: ${shown(subject)}` : summary
}

function counted(count: number, name: string): string {
  return `${count} ${count === 1 ? name.replace(/s$/, '') : name}`
}

function descriptionOf({ intent, description }: Readonly<Record<string, unknown>>): unknown {
  return isRecord(intent) ? intent['description'] : description
}

/** What an undo took back and where; without a place in the journal it only looked. */
function undoneLine({ seq, entry, refs, commit, changes }: Readonly<Record<string, unknown>>): string {
  const where = (refs as readonly unknown[]).map(ref => (isRecord(ref) ? String(ref['name']) : '')).join(' and ')
  const what = isRecord(commit)
    ? `commit ${String(commit['id']).slice(0, SHOWN_ID)}: ${shown(descriptionOf(commit))}`
    : 'a move'
  const changed = Array.isArray(changes) ? `, ${counted(changes.length, 'changes')}` : ''
  return `${seq === undefined ? 'Would undo' : 'Undid'} entry ${String(entry)} on ${where}, ${what}${changed}`
}

function at(ref: unknown): string {
  return typeof ref === 'string' ? ` at ${ref}` : ''
}

function shown(value: unknown): string {
  return plainLine(JSON.stringify(value) ?? 'nothing', SHOWN_VALUE)
}
