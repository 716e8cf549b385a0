/**
 * Finds where a node wrote to its frozen state.
 *
 * The error names only the property, in a sentence that differs between JavaScript engines. The state is searched for
 * paths with that property; this happens only after a node has failed.
 */

import { formatPath, isPlainObject } from '../../core/index.ts'

const searchedAtMost = 100_000
const namedAtMost = 3

/** The messages about a write to a frozen object; the group is the property. */
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
  /** The path, or the paths that are possible. */
  readonly path: string
  readonly reason: string
}

/** The write to the state that an error reports; undefined for other errors. */
export function findFrozenWrite(error: unknown, state: unknown): FrozenWrite | undefined {
  if (!(error instanceof TypeError)) return undefined
  for (const sentence of sentences) {
    const property = sentence.exec(error.message)?.[1]
    if (property !== undefined) return { path: pathsOf(property, state), reason: error.message }
  }
  return undefined
}

function pathsOf(property: string, state: unknown): string {
  const paths: string[] = []
  const queue: { readonly value: object; readonly path: readonly string[] }[] = []
  if (typeof state === 'object' && state !== null) queue.push({ value: state, path: [] })
  for (let i = 0; i < queue.length && i < searchedAtMost && paths.length <= namedAtMost; i++) {
    const { value, path } = queue[i]!
    if (takes(value, property)) paths.push(formatPath([...path, property]))
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === 'object' && part !== null && (Array.isArray(part) || isPlainObject(part))) {
        queue.push({ value: part, path: [...path, key] })
      }
    }
  }
  if (paths.length === 0) return '/'
  return paths.length > namedAtMost ? `${paths.slice(0, namedAtMost).join(', ')}, …` : paths.join(' or ')
}

/** Whether the write may have been to this container: it has the property, or the property is the next index of a list. */
function takes(container: object, property: string): boolean {
  if (Array.isArray(container)) return property === `${container.length}` || property in container
  return Object.hasOwn(container, property)
}
