/** A hint in the words of a model: operations by the names of their tools, and nothing of how others reach the server. */
import { operations } from '../../operations/table.ts'
import { inWords } from '../../wire/faults/hint.ts'

const names: ReadonlySet<string> = new Set(operations.map(({ name }) => name))

const hints: Readonly<Record<string, string>> = {
  unauthenticated: 'This connection has no valid key. Whoever configures it has to give it one.',
}

export function inToolWords(code: string, hint: string): string {
  return inWords(hints[code] ?? hint, name => (names.has(name) ? `agentstategraph_${name}` : undefined))
}
