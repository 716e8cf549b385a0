/**
 * `asg`: parses a command line, runs the command, and returns the exit code.
 *
 * This module does not load the library: help, usage errors and completion use `commands.json` alone.
 */
import { CommanderError } from 'commander'
import { usageRefusal } from '../wire/faults/refusal.ts'
import { builtinCommands } from './commands/builtin-commands.ts'
import { buildProgram } from './commands/program.ts'
import { type CommandEntry, readCommandEntries } from './parse/command-entry.ts'
import { commandsFor } from './parse/commands-for.ts'
import { readInput } from './parse/entry-command.ts'
import { misuse } from './parse/misuse.ts'
import type { Called } from './parse/next-command.ts'
import { reportFault } from './parse/report-fault.ts'
import { settingsFrom } from './parse/settings.ts'
import { exitCodeOf, ok, usage } from './terminal/exit-code.ts'
import { faultFrom } from './terminal/fault-from.ts'
import { processTerminal, type Terminal } from './terminal/terminal.ts'
import { visibleText } from './terminal/visible-text.ts'

type Given = Readonly<Record<string, unknown>>

export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const entries = readCommandEntries()
  let called: Called | undefined
  let code = ok
  const offered = commandsFor(argv, entries, builtinCommands)
  const program = buildProgram(offered.entries, offered.builtins, terminal, {
    async operation(entry, command) {
      called = { ...entry, typed: command.args }
      const settings = settingsFrom(settingsGiven(entry, program.opts(), command.opts()), terminal.env)
      const { runOperation } = await import('./run-operation.ts')
      const input = (): ReturnType<typeof readInput> => readInput(entry, command, terminal)
      code = await runOperation({ entry, entries, input, given: command, settings, terminal })
    },
    async builtin(builtin, command) {
      called = { words: builtin.name.split(' '), places: [], typed: [] }
      const options = command.optsWithGlobals()
      const settings = settingsFrom(options, terminal.env)
      code = await builtin.run({ args: command.args, options, settings, program, terminal })
    },
  })
  try {
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ok
    if (error instanceof CommanderError && error.code === 'commander.help') return usage
    const all = [...entries.map(({ words }) => words), ...builtinCommands.map(({ name }) => name.split(' '))]
    const known = called ?? findCalled(argv, entries)
    const fault = await faultFrom(error instanceof CommanderError ? misuse(error, { argv, all, called: known }) : error)
    const json = argv.includes('--json') || terminal.env['ASG_OUTPUT'] === 'json'
    // The person at this terminal may see the stack.
    if (fault.code === 'internal' && error instanceof Error) {
      terminal.err(`${(error.stack ?? '').split('\n').map(visibleText).join('\n')}\n`)
    }
    reportFault(fault, { called: known, entries, json, terminal })
    return exitCodeOf(fault.kind)
  }
}

/** The settings among the options. An option that is a field of the operation is no setting, even with the same name. */
function settingsGiven(entry: CommandEntry, before: Given, after: Given): Given {
  if (entry.effect === 'read' && before['agent'] !== undefined) {
    const words = entry.words.join(' ')
    throw usageRefusal(`asg ${words} writes nothing, and --agent before a command says who writes: leave it out`)
  }
  const isField = (option: string): boolean =>
    (option === 'agent' && entry.effect === 'read') ||
    (entry.fields.some(({ name }) => name === option) && !entry.places.includes(option))
  const settings = Object.entries(after).filter(([option]) => !isField(option))
  return { ...before, ...Object.fromEntries(settings) }
}

/** The command that the arguments name, for errors that commander raised before calling it. */
function findCalled(argv: readonly string[], entries: readonly CommandEntry[]): Called | undefined {
  const words = argv.filter(word => !word.startsWith('-'))
  const commands = [...entries, ...builtinCommands.map(({ name }) => ({ words: name.split(' '), places: [] }))]
  const called = commands.filter(command => command.words.every((word, at) => words[at] === word))
  const nearest = called.toSorted((a, b) => b.words.length - a.words.length)[0]
  if (nearest !== undefined) return { ...nearest, typed: [] }
  const isFamily = commands.some(command => command.words.length > 1 && command.words[0] === words[0])
  return isFamily ? { words: words.slice(0, 1), places: [], typed: [] } : undefined
}
