/** A hint in the words of a shell: operations by their commands, whether it names them or, from a server, their routes. */
import type { CommandEntry } from './command-entry.ts'

export function inShellWords(hint: string, entries: readonly CommandEntry[]): string {
  const commands = new Map(
    entries.flatMap(({ name, route, words }) => {
      const command = `\`asg ${words.join(' ')}\``
      // Only names of two words: `get`, `log` and `merge` are plain English too.
      return [[route, command] as const, ...(name.includes('_') ? [[name, command] as const] : [])]
    }),
  )
  const longestFirst = [...commands.keys()].sort((a, b) => b.length - a.length)
  const named = new RegExp(`(?<![\\w/])(?:${longestFirst.map(escaped).join('|')})(?![\\w/])`, 'g')
  return hint.replace(named, name => commands.get(name)!)
}

function escaped(text: string): string {
  return text.replace(/[{}/]/g, '\\$&')
}
