/** `asg log --graph`: calls `commit_graph` in place of `log`. */

import { usageRefusal } from '../../wire/faults/refusal.ts'
import { type CommandEntry, optionName } from '../parse/command-entry.ts'

type Input = Readonly<Record<string, unknown>>

export function insteadOf(
  entry: CommandEntry,
  input: Input,
  shortcuts: Input,
  entries: readonly CommandEntry[],
): { readonly entry: CommandEntry; readonly input: Input } {
  const graph = shortcuts['graph'] === true ? entries.find(({ name }) => name === 'commit_graph') : undefined
  if (graph === undefined) return { entry, input }
  const unknown = Object.keys(input).filter(name => !graph.fields.some(field => field.name === name))
  if (unknown.length === 0) return { entry: graph, input }
  throw usageRefusal(
    `--graph shows every commit: leave out ${unknown.map(name => `--${optionName(name)}`).join(' and ')}`,
  )
}
