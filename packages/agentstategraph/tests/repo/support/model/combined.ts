/**
 * Three-way merge of known values, with policies, one resolution for all conflicts, and a list of them.
 *
 * Which elements of two lists go together is taken from the plan of the merge; who wrote them is not.
 */
import { decode, formatPath, matchesGlob, parseGlob, type Stored } from '../../../../src/core/index.ts'
import type { Policies, Policy } from '../../../../src/repository/index.ts'
import { planMerge } from '../../../../src/tree/merge/merge-plan.ts'
import {
  equalEnds,
  isEqual,
  isList,
  type Known,
  laidOver,
  newlyKnown,
  type Part,
  plainOfKnown,
  textOfKnown,
} from '../../../tree/support/known.ts'
import { storedOf } from '../../../tree/support/plain.ts'

export type Resolution = 'ours' | 'theirs' | 'base' | { readonly value: number }

export interface Combining {
  /** Patterns of which at most one matches a path. */
  readonly policies: Policies
  readonly resolution: Resolution | undefined
  readonly later: 'ours' | 'theirs'
  readonly writer: number
  readonly conflicts: string[]
}

type Maybe = Known | undefined

interface Sides {
  readonly base: Maybe
  readonly ours: Maybe
  readonly theirs: Maybe
}

export function combined(how: Combining, base: Maybe, ours: Maybe, theirs: Maybe, path: readonly string[]): Maybe {
  if (isEqual(ours, theirs) || isEqual(base, theirs)) return ours
  const sides = { base, ours, theirs }
  if (isEqual(base, ours)) return taken(how, theirs, sides)
  const [pattern, policy] = Object.entries(how.policies).find(([glob]) => matchesGlob(parseGlob(glob), path)) ?? []
  const isDecided = policy !== undefined && path.length > 0
  const isForMaps = isDecided && !pattern?.endsWith('**') && policy !== 'sum'
  const part = partsCombined(how, sides, path, isForMaps, isDecided)
  if (part !== undefined) return withWriter(how, part, sides)
  return isDecided ? decided(how, sides, path, policy) : resolved(how, sides, path)
}

function decided(how: Combining, sides: Sides, path: readonly string[], policy: Policy): Maybe {
  if (policy === 'ours' || policy === 'theirs') return taken(how, sides[policy], sides)
  if (policy === 'latest') return taken(how, sides[how.later], sides)
  const value = policy === 'sum' ? sumOf(sides) : sidesLeft(undefined, seenOf(sides.ours), seenOf(sides.theirs))
  return value === undefined ? resolved(how, sides, path) : taken(how, newlyKnown(value, how.writer), sides)
}

function resolved(how: Combining, sides: Sides, path: readonly string[]): Maybe {
  const { resolution } = how
  if (resolution === undefined) {
    how.conflicts.push(formatPath(path))
    return sides.ours
  }
  if (typeof resolution === 'string') return taken(how, sides[resolution], sides)
  return taken(how, newlyKnown(resolution.value, how.writer), sides)
}

/** Undefined when the sides are not two containers of one kind, or a policy decides over the whole. */
function partsCombined(
  how: Combining,
  { base, ours, theirs }: Sides,
  path: readonly string[],
  isForMaps: boolean,
  isForLists: boolean,
): Part | undefined {
  if (ours === undefined || theirs === undefined) return undefined
  if (ours.part instanceof Map && theirs.part instanceof Map) {
    return isForMaps ? undefined : mapsCombined(how, { base, ours, theirs }, path)
  }
  if (isForLists || !isList(ours.part) || !isList(theirs.part)) return undefined
  return listsCombined(how, base !== undefined && isList(base.part) ? base.part : [], ours.part, theirs.part, path)
}

function mapsCombined(how: Combining, sides: Sides, path: readonly string[]): ReadonlyMap<string, Known> {
  const [was, mine, yours] = [sides.base, sides.ours, sides.theirs].map(side =>
    side?.part instanceof Map ? (side.part as ReadonlyMap<string, Known>) : new Map<string, Known>(),
  )
  const merged = new Map<string, Known>()
  for (const key of [...new Set([...mine!.keys(), ...yours!.keys()])].sort()) {
    const child = combined(how, was!.get(key), mine!.get(key), yours!.get(key), [...path, key])
    if (child !== undefined) merged.set(key, child)
  }
  return merged
}

function listsCombined(
  how: Combining,
  base: readonly Known[],
  ours: readonly Known[],
  theirs: readonly Known[],
  path: readonly string[],
): readonly Known[] | undefined {
  const [a, b] = [ours, theirs].map(side => equalEnds(base.map(textOfKnown), side.map(textOfKnown)))
  const start = Math.min(a!.start, b!.start)
  const end = Math.min(a!.end, b!.end, Math.min(base.length, ours.length, theirs.length) - start)
  const [was, mine, yours] = [base, ours, theirs].map(side => side.slice(start, side.length - end))
  const plan = planMerge(was!.map(textOfKnown), mine!.map(textOfKnown), yours!.map(textOfKnown), 'conflict')
  if (plan === undefined) return undefined
  const between: Known[] = []
  for (const step of plan) {
    const element =
      step.kind === 'ours'
        ? mine![step.index]
        : step.kind === 'theirs'
          ? yours![step.index]
          : combined(how, was![step.base], mine![step.ours], yours![step.theirs], [
              ...path,
              String(start + between.length),
            ])
    if (element !== undefined) between.push(element)
  }
  return [...ours.slice(0, start), ...between, ...ours.slice(ours.length - end)]
}

/** What equals ours is ours, what equals theirs is theirs, the rest is written by the merge. */
function withWriter({ writer }: Combining, part: Part, { ours, theirs }: Sides): Known {
  const merged: Known = { writer, part }
  if (isEqual(merged, ours)) return ours!
  return isEqual(merged, theirs) ? { writer: theirs!.writer, part } : merged
}

function taken(how: Combining, known: Maybe, sides: Sides): Maybe {
  if (known === undefined) return undefined
  const { ours, theirs } = sides
  if (isEqual(known, ours)) return ours
  if (isEqual(known, theirs)) return laidOver(ours, theirs!)
  return laidOver(ours, laidOver(theirs, newlyKnown(storedOf(plainOfKnown(known)), how.writer)))
}

/** What a policy sees: of nothing, and of a value that is undefined, the same. */
function seenOf(known: Maybe): unknown {
  return known === undefined ? undefined : decode(storedOf(plainOfKnown(known)))
}

/** A policy of one's own: how many sides still have something there. */
export function sidesLeft(_base: unknown, ours: unknown, theirs: unknown): number {
  return [ours, theirs].filter(side => side !== undefined).length
}

function sumOf({ base, ours, theirs }: Sides): number | undefined {
  const [x, y] = [leafOf(ours), leafOf(theirs)]
  if (typeof x !== 'number' || typeof y !== 'number') return undefined
  const from = base === undefined ? 0 : leafOf(base)
  return typeof from === 'number' ? x + y - from : undefined
}

function leafOf(known: Maybe): Stored | undefined {
  return known === undefined || known.part instanceof Map || isList(known.part)
    ? undefined
    : (known.part as { readonly leaf: Stored }).leaf
}
