/**
 * The commands that a command line can mean: those that begin with its first word.
 *
 * To describe all commands to commander takes longer than most of them run. Where no command has that word, as in help and for a mistyped one,
 * all are needed.
 */
import type { CommandEntry } from './command-entry.ts'
import { settingOptions } from './settings.ts'

export interface Offered<Builtin> {
  readonly entries: readonly CommandEntry[]
  readonly builtins: readonly Builtin[]
}

export function commandsFor<Builtin extends { readonly name: string; readonly listsCommands?: true }>(
  argv: readonly string[],
  entries: readonly CommandEntry[],
  builtins: readonly Builtin[],
): Offered<Builtin> {
  const first = findFirstWord(argv)
  const named = {
    entries: entries.filter(({ words }) => words[0] === first),
    builtins: builtins.filter(({ name, listsCommands }) => name.split(' ')[0] === first && !listsCommands),
  }
  return named.entries.length + named.builtins.length > 0 ? named : { entries, builtins }
}

/** The word after the settings; undefined where something else stands there. */
function findFirstWord(argv: readonly string[]): string | undefined {
  const settings = settingOptions()
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (!word.startsWith('-')) return word
    const setting = settings.find(({ long }) => long === word.split('=')[0])
    if (setting === undefined) return undefined
    if (setting.required && !word.includes('=')) at++
  }
  return undefined
}
