/** Converts the text typed for a field into the value for the wire. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommandField, optionName } from './command-entry.ts'

/** The text parsed as JSON or, when it is no JSON, the text itself: `3`, `true`, `{"a":1}`, `hello`. */
export function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function readNumber(field: CommandField, text: string): number {
  // Answers show how sure somebody is in percent.
  const percent = field.name.startsWith('confidence') ? /^(\d+(?:\.\d+)?) ?%$/.exec(text.trim())?.[1] : undefined
  if (percent !== undefined) return Number(percent) / 100
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(number)) return number
  throw usageRefusal(`--${optionName(field.name)} has to be a number, not ${JSON.stringify(text)}`)
}

/** A text that looks like JSON is stored all the same, with a warning, because it may be mistyped. */
function readTold(text: string, terminal: Terminal): unknown {
  const value = readValue(text)
  if (value === text && /^[{[]/.test(text)) terminal.err('Note: this is no JSON, so it is taken as a text.\n')
  return value
}

/** `-` reads stdin, `@name` reads a file. */
async function expand(text: string, terminal: Terminal): Promise<string> {
  if (text === '-') return terminal.stdin()
  if (!text.startsWith('@') || text === '@') return text
  const file = resolve(terminal.folder, text.slice(1))
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usageRefusal(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      `To write the text itself, quote it as JSON: '"${text}"'.`,
    )
  }
}

/** Whether a document was named, not written: nobody types one that is the name of a file, or looks like one. */
function isNamed(text: string, { folder }: Terminal): boolean {
  if (text.includes('\n') || text.length > LONGEST_NAME) return false
  if (existsSync(resolve(folder, text))) return true
  if (/^[\w./~-]+\.\w+$/.test(text)) throw usageRefusal(`There is no file ${resolve(folder, text)}`)
  return false
}

const LONGEST_NAME = 4096

/** Drops the last line break, which a file or `echo` adds. */
function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

async function readOne(field: CommandField, text: string, terminal: Terminal): Promise<unknown> {
  if (field.kind === 'number' || field.kind === 'numbers') return readNumber(field, text)
  if (field.kind === 'document') return expand(isNamed(text, terminal) ? `@${text}` : text, terminal)
  if (field.kind === 'value') return readTold(withoutLastBreak(await expand(text, terminal)), terminal)
  if (field.kind === 'values') return readValue(withoutLastBreak(await expand(text, terminal)))
  return text
}

/** What was typed for a field: a flag, one text, or a list of texts. */
export type Typed = string | boolean | readonly string[]

export async function readField(field: CommandField, typed: Typed, terminal: Terminal): Promise<unknown> {
  if (typeof typed === 'boolean') return typed
  if (typeof typed === 'string') return readOne(field, typed, terminal)
  const parts: unknown[] = []
  for (const text of typed) {
    const part = await readOne(field, text, terminal)
    // `@file` may hold the whole list.
    if (field.kind === 'values' && /^[@-]/.test(text) && Array.isArray(part)) {
      for (const one of part as readonly unknown[]) parts.push(one)
    } else parts.push(part)
  }
  return parts
}
