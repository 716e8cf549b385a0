/**
 * What the command line adds to an operation that it knows by name. Everything else about an operation comes from the table.
 *
 * `-m, --message` for `description` is the one shortcut that goes by a field, wherever that field is.
 */
import { type Command, Option } from 'commander'
import type { CommandEntry } from './command-entry.ts'

export interface Shortcuts {
  readonly options: readonly { readonly flags: string; readonly about: string }[]
  /** A place of its own after those of the operation. */
  readonly place?: { readonly name: string; readonly about: string }
}

/** Texts that are mostly in a file: `@file` and `-` are read for them, as they are for values. */
export const documentFields: readonly string[] = ['bundle', 'head', 'answer', 'prior', 'export']

export const shortcuts: Readonly<Record<string, Shortcuts>> = {
  log: {
    options: [{ flags: '--graph', about: 'Draw branches and merges as lanes' }],
  },
  diff: {
    options: [{ flags: '--stat', about: 'Count the changes below each part of the state' }],
  },
  verify: {
    options: [
      {
        flags: '--key <file...>',
        about: 'Public keys that a bundle has to be signed by: files, or the keys themselves',
      },
      { flags: '--prior <file>', about: 'A signed head that was kept before: the bundle has to go on from there' },
    ],
    place: { name: 'bundle', about: 'A bundle to verify by itself, without a store; - reads it from stdin' },
  },
}

/** What was typed for the shortcuts of a command, by name. */
export function shortcutsGiven(entry: CommandEntry, command: Command): Readonly<Record<string, unknown>> {
  const shortcut = shortcuts[entry.name]
  if (shortcut === undefined) return {}
  const given = command.opts()
  const named = shortcut.options.map(({ flags }) => new Option(flags).attributeName())
  const place = shortcut.place === undefined ? [] : [[shortcut.place.name, command.processedArgs[entry.places.length]]]
  return Object.fromEntries([...named.map(name => [name, given[name]]), ...place])
}
