/** The subcommands and options that can follow each sequence of command words. */
import type { Command } from 'commander'

export interface CompletionPoint {
  /** `spec set`; empty for `asg` itself. */
  readonly path: string
  readonly words: readonly { readonly text: string; readonly about: string }[]
  readonly options: readonly { readonly text: string; readonly about: string }[]
}

function pointsOf(command: Command, path: string): readonly CompletionPoint[] {
  const below = shownCommands(command).toSorted((a, b) => (a.name() < b.name() ? -1 : 1))
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== undefined && long !== null)
  const point = {
    path,
    words: below.map(child => ({ text: child.name(), about: child.description() })),
    options: [
      ...options.map(({ long, description }) => ({ text: long!, about: description })),
      { text: '--help', about: 'Show help' },
    ],
  }
  return [point, ...below.flatMap(child => pointsOf(child, `${path} ${child.name()}`.trim()))]
}

export function completionPoints(program: Command): readonly CompletionPoint[] {
  return pointsOf(program, '')
}

/** The subcommands that help lists. */
export function shownCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command)
}
