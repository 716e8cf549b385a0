/**
 * Options and arguments that the command line adds to single operations. Everything else about a command comes from the table.
 *
 * `-m, --message` is a shortcut for the field `description` of every operation that has it as an option.
 */
import { type Command, Option } from 'commander'
import type { CommandEntry } from './command-entry.ts'

export interface Shortcuts {
  readonly options: readonly { readonly flags: string; readonly about: string }[]
  /** An argument after those of the operation. */
  readonly place?: { readonly name: string; readonly about: string }
}

/** By operation, what an argument stands for that is left out. */
export const presets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  diff: { to: 'HEAD' },
  get_commit: { id: 'HEAD' },
}

/** Fields whose text is usually in a file: `@file` and `-` work for them as they do for values. */
export const documentFields: readonly string[] = ['bundle', 'head', 'answer', 'prior', 'export']

const out = { flags: '--out <file>', about: 'Write to a new file instead of stdout' }

const oneline = { flags: '--oneline', about: 'Only the id and what it was for' }

export const shortcuts: Readonly<Record<string, Shortcuts>> = {
  export_epoch: { options: [out] },
  export: { options: [out] },
  log: {
    options: [{ flags: '--graph', about: 'Draw branches and merges as lanes' }, oneline],
  },
  query: { options: [oneline] },
  diff: {
    options: [{ flags: '--stat', about: 'Count the changes below each part of the state' }],
  },
  repair: {
    options: [
      {
        flags: '--empty-torn',
        about:
          'Of a bucket: put an empty segment in the place of the newest one, which is torn and of which there is no copy; its commits are lost',
      },
    ],
  },
  verify: {
    options: [
      {
        flags: '--key <file...>',
        about: 'Public keys that a bundle has to be signed by: files, or the keys themselves',
      },
      { flags: '--prior <file>', about: 'A signed head from an earlier time: the bundle has to extend it' },
      {
        flags: '--save-head <file>',
        about: 'Keep the signed head of the bundle in a new file, for --prior at the next time',
      },
    ],
    place: { name: 'bundle', about: 'A bundle to verify by itself, without a store; - reads it from stdin' },
  },
}

/** The typed values of a command's shortcuts, by name. */
export function shortcutsGiven(entry: CommandEntry, command: Command): Readonly<Record<string, unknown>> {
  const shortcut = shortcuts[entry.name]
  if (shortcut === undefined) return {}
  const given = command.opts()
  const named = shortcut.options.map(({ flags }) => new Option(flags).attributeName())
  const place = shortcut.place === undefined ? [] : [[shortcut.place.name, command.processedArgs[entry.places.length]]]
  return Object.fromEntries([...named.map(name => [name, given[name]]), ...place])
}
