/** `asg man`: manual pages of all commands, from the same table as their help. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { packageVersion } from '../../host/package-file.ts'
import { ok } from '../terminal/exit-code.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { shownCommands } from './completion/words.ts'
import { termOf } from './program.ts'

/** Text for roff: backslashes and lines that begin with a control character are escaped. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
}

function optionLines(command: Command): readonly string[] {
  return command.options
    .filter(({ hidden, helpGroupHeading }) => !hidden && helpGroupHeading === undefined)
    .flatMap(({ flags, description }) => ['.TP', `.B ${roff(flags)}`, roff(description)])
}

/** A command, and those below it. */
function commandLines(command: Command, words: readonly string[]): readonly string[] {
  const called = [...words, command.name()]
  if (command.commands.length > 0) {
    return shownCommands(command)
      .filter(child => child.name() !== 'help')
      .flatMap(child => commandLines(child, called))
  }
  const places = command.registeredArguments
    .filter(({ description }) => description !== '')
    .flatMap(place => ['.TP', `.I ${roff(place.name())}`, roff(place.description)])
  return [
    `.SS "${roff(['asg', ...words, termOf(command)].join(' '))}"`,
    `${roff(command.description())}.`,
    ...places,
    ...optionLines(command),
  ]
}

function heading(name: string, about: string): readonly string[] {
  return [
    `.TH "${name.toUpperCase()}" "1" "" "agentstategraph ${packageVersion()}" "AgentStateGraph"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(about)}`,
  ]
}

/** By file name, the pages: one of `asg`, and one for each of its first words. */
export function manPages(program: Command): ReadonlyMap<string, string> {
  const commands = shownCommands(program).filter(command => command.name() !== 'help')
  const overview = [
    ...heading('asg', 'versioned state for agents'),
    '.SH SYNOPSIS',
    '.B asg',
    '[options] command',
    '.SH DESCRIPTION',
    roff(program.description()),
    '.SH OPTIONS',
    ...optionLines(program),
    '.SH COMMANDS',
    ...commands.flatMap(command => ['.TP', `.BR asg\\-${roff(command.name())} (1)`, roff(command.description())]),
    '.SH "EXIT STATUS"',
    roff(
      '0 done; 1 a failure, or differences; 2 malformed; 3 conflict; 4 not allowed; 5 not found; 6 verification failed; 7 moved.',
    ),
  ]
  const pages = commands.map(command => [
    `asg-${command.name()}.1`,
    [...heading(`asg-${command.name()}`, command.description()), '.SH COMMANDS', ...commandLines(command, [])],
  ]) as [string, readonly string[]][]
  return new Map([['asg.1', overview] as const, ...pages].map(([file, lines]) => [file, `${lines.join('\n')}\n`]))
}

export async function man({ args, program, settings, terminal }: BuiltinCall): Promise<number> {
  const folder = resolve(terminal.folder, args[0] ?? 'man')
  mkdirSync(folder, { recursive: true })
  const pages = manPages(program)
  for (const [file, text] of pages) writeFileSync(join(folder, file), text)
  if (settings.json) terminal.out(`${visibleJson({ folder, pages: [...pages.keys()] }, 2)}\n`)
  else {
    terminal.out(`Wrote ${pages.size} pages to ${visibleText(folder)}\n`)
    terminal.err(`try: man ${visibleText(join(folder, 'asg.1'))}\n`)
  }
  return ok
}
