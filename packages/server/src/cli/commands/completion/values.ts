/** What can follow the words of a command line from the store: branches, tags, paths, speculations, epochs. */
import { type CommandEntry, optionName, readCommandEntries } from '../../parse/command-entry.ts'
import { isRevisionField } from '../../parse/revision-text.ts'
import { settingOptions } from '../../parse/settings.ts'
import { ok } from '../../terminal/exit-code.ts'
import { visibleText } from '../../terminal/visible-text.ts'
import type { BuiltinCall } from '../builtin-command.ts'
import { calledOperation } from '../called-operation.ts'

const MOST = 200

type Named = Readonly<Record<string, unknown>>

/** The field that the last word is for: that of the option before it, or the next place. */
function fieldAt(words: readonly string[]): { readonly entry: CommandEntry; readonly field: string } | undefined {
  const typed = words.slice(0, -1)
  const plain = typed.filter((word, at) => !word.startsWith('-') && !takesValue(typed[at - 1]))
  const entry = readCommandEntries()
    .filter(each => each.words.every((word, at) => plain[at] === word))
    .toSorted((a, b) => b.words.length - a.words.length)[0]
  if (entry === undefined) return undefined
  const before = typed.at(-1) ?? ''
  const option = entry.fields.find(({ name, kind }) => `--${optionName(name)}` === before && kind !== 'boolean')
  if (option !== undefined) return { entry, field: option.name }
  const place = plain.length - entry.words.length
  const field = entry.places[Math.min(place, entry.places.length - 1)]
  return before.startsWith('-') || field === undefined ? undefined : { entry, field }
}

/** Whether the word after an option belongs to it. A flag takes none. */
function takesValue(option: string | undefined): boolean {
  if (option === undefined || !option.startsWith('-')) return false
  const setting = settingOptions().find(({ long, short }) => long === option || short === option)
  if (setting !== undefined) return setting.required
  const name = option.replace(/^--/, '').replaceAll('-', '_')
  const fields = readCommandEntries().flatMap(entry => entry.fields)
  return option === '-m' || option === '-n' || fields.some(each => each.name === name && each.kind !== 'boolean')
}

async function listed(call: BuiltinCall, name: string, input: Named = {}): Promise<readonly Named[]> {
  const { items } = await calledOperation(call, name, { limit: MOST, ...input })
  return items as readonly Named[]
}

async function pathsFor(call: BuiltinCall, typed: string): Promise<readonly string[]> {
  const parent = typed.slice(0, typed.lastIndexOf('/')) || '/'
  const places = await listed(call, 'list_paths', { path: parent, depth: 1 })
  return places.map(({ path, kind }) => `${String(path)}${kind === 'value' ? '' : '/'}`)
}

async function valuesFor(
  call: BuiltinCall,
  entry: CommandEntry,
  field: string,
  typed: string,
): Promise<readonly string[]> {
  if (field === 'path' || field === 'below' || typed.startsWith('/')) return pathsFor(call, typed)
  if (entry.group === 'speculation' && (field === 'id' || field === 'speculations')) {
    return (await listed(call, 'list_specs')).map(({ id, label }) => String(label ?? id))
  }
  if (entry.group === 'epochs') return (await listed(call, 'list_epochs')).map(({ id }) => String(id))
  const isBranch = field === 'branch' || (field === 'name' && /branch/.test(entry.name))
  if (!isBranch && !isRevisionField(entry.name, field)) return []
  const branches = await listed(call, 'list_branches')
  const tags = isBranch ? [] : await listed(call, 'list_tags')
  return [...branches, ...tags].map(({ name }) => String(name))
}

/** Prints one candidate a line, and nothing where the store has none to offer: a person is typing. */
export async function completionValues(call: BuiltinCall): Promise<number> {
  const words = call.args
  const typed = words.at(-1) ?? ''
  const isSwitch = words[0] === 'switch' && words.length === 2
  const at = isSwitch ? fieldAt(['log', typed]) : fieldAt(words)
  if (at === undefined) return ok
  try {
    const values = await valuesFor(call, at.entry, at.field, typed)
    for (const value of values) if (value.startsWith(typed)) call.terminal.out(`${visibleText(value)}\n`)
  } catch {
    // There is no store here, or it has no such branch yet.
  }
  return ok
}
