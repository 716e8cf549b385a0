/** Turns an entry of the table into a commander command, and the parsed command line into the input of the operation. */
import { Argument, type Command, Option } from 'commander'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommandEntry, type CommandField, optionName } from './command-entry.ts'
import { readField, type Typed } from './field-text.ts'
import { settingOptions } from './settings.ts'
import { presets, shortcuts } from './shortcuts.ts'

const placeholders = {
  text: 'text',
  moment: 'time',
  document: 'text',
  texts: 'text',
  number: 'number',
  numbers: 'number',
  value: 'json',
  values: 'json',
  boolean: '',
} as const

const messageField = 'description'

const MAIN = 'main'

function about({ about: words, default: preset, kind }: CommandField): string {
  const notes = [
    preset === undefined || preset === false
      ? []
      : [`default: ${preset === MAIN ? 'the current branch' : JSON.stringify(preset)}`],
    kind === 'value' ? ['@file and - for stdin are read'] : [],
    kind === 'document' ? ['or the name of its file, or - for stdin'] : [],
    kind === 'texts' || kind === 'numbers' || kind === 'values' ? ['can be repeated'] : [],
  ].flat()
  return notes.length === 0 ? words : `${words} (${notes.join('; ')})`.trimStart()
}

function isList({ kind }: CommandField): boolean {
  return kind === 'texts' || kind === 'numbers' || kind === 'values'
}

/** The options of one field; the first one that was typed wins. */
function optionsOf(field: CommandField): readonly Option[] {
  const name = optionName(field.name)
  if (field.kind === 'boolean') {
    const on = new Option(`--${name}`, about(field)).hideHelp(field.default === true)
    return [on, new Option(`--no-${name}`, `Not: ${field.about}`).hideHelp(field.default !== true)]
  }
  const short = field.name === 'limit' ? '-n, ' : ''
  const option = new Option(`${short}--${name} <${placeholders[field.kind]}>`, about(field))
  if (isList(field)) option.argParser((text, before: readonly string[] = []) => [...before, text])
  // Commander ignores choices when an option has a parser; then the operation's schema checks them.
  else if (field.choices !== undefined) option.choices([...field.choices])
  if (field.name !== messageField) return [option]
  return [new Option('-m, --message <text>', about(field)), option.hideHelp()]
}

function placeOf(field: CommandField, preset: string | undefined): Argument {
  const name = isList(field) ? `${field.name}...` : field.name
  const isNeeded = field.required && preset === undefined
  const words = about(preset === undefined ? field : { ...field, default: MAIN })
  const place = new Argument(isNeeded ? `<${name}>` : `[${name}]`, words)
  return field.choices === undefined || isList(field) ? place : place.choices([...field.choices])
}

function fieldNamed(entry: CommandEntry, name: string): CommandField {
  const field = entry.fields.find(each => each.name === name)
  if (field === undefined) throw new Error(`The command of ${entry.name} names ${name}, which is no field of it`)
  return field
}

/** Whether this command lacks a setting: a field has its name, or it is `--agent` (who writes) and the command only reads. */
function isTaken(entry: CommandEntry, option: Option): boolean {
  if (option.long === '--agent' && entry.effect === 'read') return true
  return entry.fields.some(({ name }) => !entry.places.includes(name) && `--${optionName(name)}` === option.long)
}

/** Adds the arguments, options and help of an entry to a command. */
export function fillCommand(command: Command, entry: CommandEntry): void {
  for (const name of entry.places) command.addArgument(placeOf(fieldNamed(entry, name), presets[entry.name]?.[name]))
  for (const field of entry.fields) {
    if (entry.places.includes(field.name)) continue
    for (const option of optionsOf(field)) command.addOption(option)
  }
  const shortcut = shortcuts[entry.name]
  for (const { flags, about: words } of shortcut?.options ?? []) command.addOption(new Option(flags, words))
  if (shortcut?.place !== undefined) command.addArgument(new Argument(`[${shortcut.place.name}]`, shortcut.place.about))
  for (const option of settingOptions()) {
    if (!isTaken(entry, option)) command.addOption(option.helpGroup('For every command:'))
  }
  const examples = entry.examples.map(({ title, line }) => `  # ${title}\n  ${line}`)
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
}

/** The text typed for a field, as an argument or as an option. */
function typedFor(entry: CommandEntry, field: CommandField, command: Command): Typed | undefined {
  const place = entry.places.indexOf(field.name)
  if (place >= 0) {
    const typed: Typed | undefined = command.processedArgs[place]
    return Array.isArray(typed) && typed.length === 0 ? undefined : typed
  }
  const given = command.opts<Readonly<Record<string, Typed>>>()
  return optionsOf(field)
    .map(option => given[option.attributeName()])
    .find(typed => typed !== undefined)
}

/** The input of the operation. */
export async function readInput(
  entry: CommandEntry,
  command: Command,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const typed = entry.fields.flatMap(field => {
    const text = typedFor(entry, field, command) ?? presets[entry.name]?.[field.name]
    return text === undefined ? [] : [{ field, text }]
  })
  const absent = entry.fields.filter(
    ({ name, required }) => required && !typed.some(({ field }) => field.name === name),
  )
  // A list that was not typed is empty; the operation decides whether that is valid.
  const missing = absent.filter(field => !isList(field))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => (name === messageField ? '-m, --message' : `--${optionName(name)}`))
    throw usageRefusal(`asg ${entry.words.join(' ')} also needs ${names.join(' and ')}`)
  }
  const input: [string, unknown][] = absent.map(({ name }) => [name, []])
  for (const { field, text } of typed) input.push([field.name, await readField(field, text, terminal)])
  return Object.fromEntries(input)
}
