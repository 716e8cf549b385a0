/** What a command is that is no operation: its words, and what it is called with. */
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
  /** All commands, this one among them. */
  readonly program: Command
  readonly terminal: Terminal
}

export interface BuiltinCommand {
  readonly name: string
  /** `[folder]`: as commander writes arguments. */
  readonly args: string
  readonly summary: string
  readonly options: readonly BuiltinOption[]
  /** Leaves every argument to the command itself, `--help` too. */
  readonly passThrough?: true
  run(call: BuiltinCall): Promise<number>
}
