/**
 * Adds our entry to a configuration file and keeps everything else.
 *
 * A file that would not survive a round trip (comments, numbers that JavaScript cannot represent, invalid JSON) is not changed:
 * the person gets a snippet to paste instead.
 */
import { isRecord } from '../../wire/wired.ts'
import { type Entry, entryName, type KnownClient } from './known-client.ts'

/** Undefined when the file cannot be edited safely. */
export function findEdited(text: string | undefined, { format }: KnownClient, entry: Entry): string | undefined {
  return format.kind === 'json'
    ? editedJson(text?.trim() ? text : '{}', format.key, { ...format.extra, ...entry })
    : editedToml(text ?? '', format.table, entry)
}

/** The snippet for a file that is not edited. */
export function snippet({ format }: KnownClient, entry: Entry): string {
  if (format.kind === 'toml') return tomlTable(format.table, entry)
  return `${JSON.stringify({ [format.key]: { [entryName]: { ...format.extra, ...entry } } }, null, 2)}\n`
}

/** Whether the file has our entry. */
export function hasEntry(text: string, { format }: KnownClient): boolean {
  return format.kind === 'json'
    ? new RegExp(`"${entryName}"\\s*:`).test(text)
    : text.includes(`[${format.table}.${entryName}]`)
}

function editedJson(text: string, key: string, entry: object): string | undefined {
  const known = findJson(text)
  if (!isRecord(known) || JSON.stringify(known) !== withoutSpace(text)) return undefined
  const servers = known[key] ?? {}
  if (!isRecord(servers)) return undefined
  const edited = { ...known, [key]: { ...servers, [entryName]: entry } }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return `${JSON.stringify(edited, null, indent)}\n`
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON text without the space between its tokens. */
function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function editedToml(text: string, table: string, entry: Entry): string {
  const lines = text.split('\n')
  const header = `[${table}.${entryName}]`
  const start = lines.findIndex(line => line.trim() === header)
  const fresh = tomlTable(table, entry)
  if (start === -1) return text.trim() === '' ? fresh : `${text.replace(/\n*$/, '\n\n')}${fresh}`
  // Tables below ours, such as its environment, stay.
  const length = lines.slice(start + 1).findIndex(line => line.trimStart().startsWith('['))
  const rest = length === -1 ? [] : lines.slice(start + 1 + length)
  const before = lines.slice(0, start).join('\n')
  return `${before === '' ? '' : `${before}\n`}${fresh}${rest.length === 0 ? '' : `\n${rest.join('\n')}`}`
}

function tomlTable(table: string, { command, args }: Entry): string {
  // JSON strings without astral escapes are TOML basic strings.
  return `[${table}.${entryName}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map(arg => JSON.stringify(arg)).join(', ')}]\n`
}
