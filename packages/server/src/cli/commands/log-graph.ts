/** `asg log --graph`: the same question, asked of the operation that gives commits with their parents and refs. */
import { type CommandEntry, optionName } from '../parse/command-entry.ts'
import { usageFault } from '../terminal/command-fault.ts'

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
  throw usageFault(
    `--graph shows every commit: leave out ${unknown.map(name => `--${optionName(name)}`).join(' and ')}`,
  )
}
