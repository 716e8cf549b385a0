/** A hint in the words of a model: operations by the names of their tools. */
import { operations } from '../../operations/table.ts'

/** Only names of two words: `get`, `log` and `merge` are plain English too. */
const names = operations.map(({ name }) => name).filter(name => name.includes('_'))
const named = new RegExp(`(?<![\\w/])(?:${names.join('|')})(?!\\w)`, 'g')

export function inToolWords(hint: string): string {
  return hint.replace(named, name => `agentstategraph_${name}`)
}
