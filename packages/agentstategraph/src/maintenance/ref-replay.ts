/**
 * Where every ref must be: the journal's moves, done again one after another.
 *
 * Others may write while refs are read. So from the entry that was the newest before they were read, every place a ref
 * comes to is remembered, and any of those is right.
 */

import type { EntryMove, RefCell } from '../store/index.ts'

export interface RefReplay {
  /** Does the moves of an entry; gives what is wrong with them. */
  move(seq: number, moves: readonly EntryMove[]): readonly string[]
  /** Passes over an entry that cannot be read: where refs are is not known until each is moved again. */
  skip(): void
  /** From now on, places are remembered. */
  remember(): void
  /** The refs that are not where some move put them, each with what is wrong. */
  compare(refs: readonly RefCell[]): readonly { readonly name: string; readonly what: string }[]
}

export function refReplay(): RefReplay {
  const places = new Map<string, number>()
  /** Refs moved since the last entry that could not be read. */
  const certain = new Set<string>()
  let isCertain = true
  let seen: Map<string, Set<number | null>> | undefined

  const isKnown = (name: string): boolean => isCertain || certain.has(name)

  return {
    move(seq, moves) {
      const wrong: string[] = []
      for (const [name, from, to] of moves) {
        const at = places.get(name) ?? null
        if (at !== from && isKnown(name))
          wrong.push(`it moves ${name} from ${shown(from)}, but the ref was at ${shown(at)}`)
        const target = to === 0 ? seq : to
        if (target !== null && target > seq) wrong.push(`it moves ${name} to entry ${target}, which comes later`)
        certain.add(name)
        if (seen !== undefined) seen.set(name, (seen.get(name) ?? new Set([at])).add(target))
        if (target === null) places.delete(name)
        else places.set(name, target)
      }
      return wrong
    },
    skip() {
      isCertain = false
      certain.clear()
    },
    remember() {
      seen ??= new Map()
    },
    compare(refs) {
      const cells = new Map(refs.map(({ name, seq }) => [name, seq]))
      const wrong: { name: string; what: string }[] = []
      for (const name of new Set([...places.keys(), ...cells.keys()])) {
        const at = cells.get(name) ?? null
        const expected = places.get(name) ?? null
        if (at !== expected && isKnown(name) && seen?.get(name)?.has(at) !== true)
          wrong.push({ name, what: `it is at ${shown(at)}, and the journal's last move put it at ${shown(expected)}` })
      }
      return wrong
    },
  }
}

function shown(seq: number | null): string {
  return seq === null ? 'nothing' : `entry ${seq}`
}
