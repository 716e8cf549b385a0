/** A hint in the words of HTTP: operations by their routes. */
import { operations } from '../../operations/table.ts'

/** Only names of two words: `get`, `log` and `merge` are plain English too. */
const routes = new Map(operations.filter(({ name }) => name.includes('_')).map(({ name, route }) => [name, route]))
const named = new RegExp(`(?<![\\w/])(?:${[...routes.keys()].join('|')})(?!\\w)`, 'g')

export function inRouteWords(hint: string): string {
  return hint.replace(named, name => routes.get(name)!)
}
