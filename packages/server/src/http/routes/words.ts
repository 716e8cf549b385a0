/** A hint in the words of HTTP: operations by their routes. */
import { operations } from '../../operations/table.ts'
import { inWords } from '../../wire/faults/hint.ts'

const routes: ReadonlyMap<string, string> = new Map(operations.map(({ name, route }) => [name, route]))

export function inRouteWords(hint: string): string {
  return inWords(hint, name => routes.get(name))
}
