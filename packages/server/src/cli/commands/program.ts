/** The commander program with all commands of `asg`: those of the table and the builtin ones. The caller passes the actions. */
import { Command } from 'commander'
import { packageVersion } from '../../host/package-file.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import { fillCommand } from '../parse/entry-command.ts'
import { settingOptions } from '../parse/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { BuiltinCommand } from './builtin-command.ts'

export interface Actions {
  operation(entry: CommandEntry, command: Command): Promise<void>
  builtin(builtin: BuiltinCommand, command: Command): Promise<void>
}

/** A command in the list of commands, without the mention of options. */
export function termOf(command: Command): string {
  const places = command.registeredArguments.map(place => {
    const name = place.variadic ? `${place.name()}...` : place.name()
    return place.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...places].join(' ')
}

/** The words of each command. */
type Words = readonly (readonly string[])[]

function addEntry(program: Command, entry: CommandEntry, all: Words, actions: Actions): void {
  let command = program
  for (const [depth, word] of entry.words.entries()) {
    command = command.commands.find(child => child.name() === word) ?? command.command(word)
    if (depth > 0 || command.helpGroup() !== '') continue
    command.helpGroup(`${entry.group.charAt(0).toUpperCase()}${entry.group.slice(1)}:`)
    if (entry.words.length > 1) command.description(familySummary(word, all))
  }
  command.description(entry.summary).summary(entry.summary)
  fillCommand(command, entry)
  command.action(() => actions.operation(entry, command))
}

/** The summary of a word with subcommands: their names. */
function familySummary(word: string, all: Words): string {
  const below = all.filter(words => words[0] === word && words.length > 1).map(words => words[1])
  return [...new Set(below)].join(', ')
}

/** The command that those of several words have in common. */
function familyOf(program: Command, word: string, all: Words): Command {
  const known = program.commands.find(child => child.name() === word)
  return known ?? program.command(word).description(familySummary(word, all))
}

function addBuiltin(program: Command, builtin: BuiltinCommand, all: Words, actions: Actions): void {
  const words = builtin.name.split(' ')
  const parent = words.slice(0, -1).reduce((above, word) => familyOf(above, word, all), program)
  const command = parent
    .command(`${words.at(-1)} ${builtin.args}`.trim(), { hidden: builtin.isHidden === true })
    .description(builtin.summary)
  for (const { flags, about } of builtin.options) command.option(flags, about)
  if (builtin.passThrough) command.allowUnknownOption().helpOption(false)
  else for (const option of settingOptions()) command.addOption(option.helpGroup('For every command:'))
  if (builtin.passThrough) command.passThroughOptions()
  command.action(() => actions.builtin(builtin, command))
}

export function buildProgram(
  entries: readonly CommandEntry[],
  builtins: readonly BuiltinCommand[],
  terminal: Pick<Terminal, 'out' | 'err' | 'columns'>,
  actions: Actions,
): Command {
  const program = new Command('asg')
    .description('Versioned state for agents: every value has an author, a reason and an undo.')
    .version(packageVersion())
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm: termOf })
    .showSuggestionAfterError()
  for (const option of settingOptions()) program.addOption(option)
  const all = [...entries.map(({ words }) => words), ...builtins.map(({ name }) => name.split(' '))]
  for (const entry of entries) addEntry(program, entry, all, actions)
  program.commandsGroup('This machine:').helpCommand('help [command]', 'Show the help of a command')
  for (const each of builtins) addBuiltin(program, each, all, actions)
  configure(program, terminal)
  return program
}

/** Output goes to the terminal given, and commander never ends the process. */
function configure(command: Command, terminal: Pick<Terminal, 'out' | 'err' | 'columns'>): void {
  command.exitOverride().configureOutput({
    writeOut: text => terminal.out(text),
    writeErr: text => terminal.err(text),
    // `main` reports usage errors like every other failure.
    outputError: () => {},
    getOutHelpWidth: () => terminal.columns,
    getErrHelpWidth: () => terminal.columns,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  })
  for (const child of command.commands) configure(child, terminal)
}
