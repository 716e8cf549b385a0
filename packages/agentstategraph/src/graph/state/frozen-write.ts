/**
 * Finding where a node wrote to its frozen state.
 *
 * The language only says which property it was, in words that differ between engines. The state is searched for the
 * places that fit; this happens once, after a node has failed, and never on the way of one that works.
 */

import { formatPath, isPlainObject } from '../../core/index.ts'

const searchedAtMost = 100_000
const namedAtMost = 3

/** What the engines say of a write to something frozen; the group is the property. */
const sentences: readonly RegExp[] = [
  /Cannot (?:assign to read only|delete|redefine) property '?([^']*)'? (?:of|: )/,
  /Cannot redefine property: (.*)$/,
  /Cannot add property (.*), object is not extensible/,
  /"?([^" ]+)"? is read-only/,
  /can't (?:define|delete) (?:array index |property )?"?([^" ]+)"?/,
  /Attempted to assign to readonly property()/,
  /Unable to delete property()/,
]

export interface FrozenWrite {
  /** The place, or those that it may have been. */
  readonly path: string
  readonly reason: string
}

/** Tells where an error says that the state was written to; undefined when it says something else. */
export function findFrozenWrite(error: unknown, state: unknown): FrozenWrite | undefined {
  if (!(error instanceof TypeError)) return undefined
  for (const sentence of sentences) {
    const property = sentence.exec(error.message)?.[1]
    if (property !== undefined) return { path: placesOf(property, state), reason: error.message }
  }
  return undefined
}

function placesOf(property: string, state: unknown): string {
  const places: string[] = []
  const queue: { readonly value: object; readonly path: readonly string[] }[] = []
  if (typeof state === 'object' && state !== null) queue.push({ value: state, path: [] })
  for (let i = 0; i < queue.length && i < searchedAtMost && places.length <= namedAtMost; i++) {
    const { value, path } = queue[i]!
    if (takes(value, property)) places.push(formatPath([...path, property]))
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === 'object' && part !== null && (Array.isArray(part) || isPlainObject(part))) {
        queue.push({ value: part, path: [...path, key] })
      }
    }
  }
  if (places.length === 0) return '/'
  return places.length > namedAtMost ? `${places.slice(0, namedAtMost).join(', ')}, …` : places.join(' or ')
}

/** Says whether a write of that property may have been to this container: it has it, or it is a list's next index. */
function takes(container: object, property: string): boolean {
  if (Array.isArray(container)) return property === `${container.length}` || property in container
  return Object.hasOwn(container, property)
}
