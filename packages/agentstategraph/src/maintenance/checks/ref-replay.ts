/**
 * Where every ref must be: the journal's moves, done again one after another.
 *
 * Others may write while refs are read. So from the entry that was the newest before they were read, every place a ref
 * comes to is remembered, and any of those is right.
 *
 * A replay can begin behind the first entry, where a digest tells how the refs stood. How each of them stood there follows
 * from its first move since, or from where it is if it was not moved.
 */

import { canonicalText, hashText } from '../../core/index.ts'
import type { EntryMove, RefCell } from '../../store/index.ts'
import type { VerifyPoint } from './verify-point.ts'

export interface RefReplay {
  /** Does the moves of an entry; gives what is wrong with them. */
  move(seq: number, moves: readonly EntryMove[]): readonly string[]
  /** Passes over an entry that cannot be read: where refs are is not known until each is moved again. */
  skip(): void
  /** From now on, places are remembered. */
  remember(): void
  /** What is wrong with the refs that are not where some move put them. */
  compare(refs: readonly RefCell[]): readonly WrongRef[]
  /** The digest of where the refs are after all moves, once they were compared. */
  digest(): string
}

export interface WrongRef {
  readonly where: string
  readonly what: string
}

/** Begins before the first entry, or after entry `seq` with the digest of the refs there. */
export function refReplay(after?: Pick<VerifyPoint, 'seq' | 'refs'> | undefined): RefReplay {
  const places = new Map<string, number>()
  /** Where refs were before their first move. */
  const origins = new Map<string, number | null>()
  /** Refs moved since the last entry that could not be read. */
  const certain = new Set<string>()
  let isCertain = after === undefined
  let hasSkipped = false
  let seen: Map<string, Set<number | null>> | undefined

  const isKnown = (name: string): boolean => isCertain || certain.has(name)

  /** Adds the places of refs that were not moved; returns whether all refs were where the digest says. */
  const complete = (cells: ReadonlyMap<string, number>): boolean => {
    const before = new Map(cells)
    for (const [name, at] of origins) {
      if (at === null) before.delete(name)
      else before.set(name, at)
    }
    for (const [name, at] of before) if (!origins.has(name)) places.set(name, at)
    return digestOf(before) === after?.refs
  }

  return {
    move(seq, moves) {
      const wrong: string[] = []
      for (const [name, from, to] of moves) {
        const at = places.get(name) ?? null
        if (at !== from && isKnown(name))
          wrong.push(`it moves ${name} from ${shown(from)}, but the ref was at ${shown(at)}`)
        const target = to === 0 ? seq : to
        if (target !== null && target > seq) wrong.push(`it moves ${name} to entry ${target}, which comes later`)
        if (!isCertain) certain.add(name)
        if (after !== undefined && !origins.has(name)) origins.set(name, from)
        if (seen !== undefined) seen.set(name, (seen.get(name) ?? new Set([from])).add(target))
        if (target === null) places.delete(name)
        else places.set(name, target)
      }
      return wrong
    },
    skip() {
      isCertain = false
      hasSkipped = true
      certain.clear()
    },
    remember() {
      seen ??= new Map()
    },
    compare(refs) {
      const cells = new Map(refs.map(({ name, seq }) => [name, seq]))
      const wrong: WrongRef[] = []
      for (const name of new Set([...places.keys(), ...cells.keys()])) {
        const at = cells.get(name) ?? null
        const expected = places.get(name) ?? null
        if (at === expected || !isKnown(name) || seen?.get(name)?.has(at) === true) continue
        const what = `it is at ${shown(at)}, and the journal's last move put it at ${shown(expected)}`
        wrong.push({ where: `ref ${name}`, what })
      }
      if (after !== undefined && !hasSkipped && wrong.length === 0 && !complete(cells)) {
        wrong.push({ where: 'refs', what: `one that was not moved since entry ${after.seq} is not where it was there` })
      }
      return wrong
    },
    digest: () => digestOf(places),
  }
}

function digestOf(places: ReadonlyMap<string, number>): string {
  return hashText(canonicalText([...places].sort(([a], [b]) => (a < b ? -1 : 1))))
}

function shown(seq: number | null): string {
  return seq === null ? 'nothing' : `entry ${seq}`
}
