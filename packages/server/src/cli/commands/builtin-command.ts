/** The type of a command that is not an operation of the table. */
import type { Command } from 'commander'
import type { Settings } from '../parse/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface BuiltinOption {
  readonly flags: string
  readonly about: string
}

export interface BuiltinCall {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly settings: Settings
  /** The program with this command; with all where the command lists them. */
  readonly program: Command
  readonly terminal: Terminal
}

export interface BuiltinCommand {
  /** One word, or two: `key new`. */
  readonly name: string
  /** In the notation of commander: `[folder]`. */
  readonly args: string
  readonly summary: string
  readonly options: readonly BuiltinOption[]
  /** The command parses all arguments itself, including `--help`. */
  readonly passThrough?: true
  /** The command is not in help, nor completed. */
  readonly isHidden?: true
  /** The command needs the program with all commands, because it lists them. */
  readonly listsCommands?: true
  run(call: BuiltinCall): Promise<number>
}
