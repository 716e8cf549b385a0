/**
 * Three-way merge of known values, without policies: where the sides cannot be brought together, ours stays.
 *
 * Which elements of two lists go together is taken from the plan of the merge; who wrote them is not.
 */
import { alignInOrder as align } from '../../src/tree/align-in-order.ts'
import { planMerge } from '../../src/tree/merge-plan.ts'
import { equalEnds, isEqual, isList, type Known, laidOver, type Part, textOfKnown } from './known.ts'

type Maybe = Known | undefined

export function mergedKnown(base: Maybe, ours: Maybe, theirs: Maybe, seq: number): Maybe {
  if (isEqual(ours, theirs) || isEqual(base, theirs)) return ours
  if (isEqual(base, ours)) return theirs === undefined ? undefined : laidOver(ours, theirs)
  if (ours === undefined || theirs === undefined) return ours
  const part = mergedParts(base, ours, theirs, seq)
  if (part === undefined) return ours
  const merged: Known = { writer: seq, part }
  if (isEqual(merged, ours)) return ours
  return isEqual(merged, theirs) ? { ...merged, writer: theirs.writer } : merged
}

function mergedParts(base: Maybe, ours: Known, theirs: Known, seq: number): Part | undefined {
  if (ours.part instanceof Map && theirs.part instanceof Map) return mergedMaps(base, ours, theirs, seq)
  if (!isList(ours.part) || !isList(theirs.part)) return undefined
  return mergedLists(base !== undefined && isList(base.part) ? base.part : [], ours.part, theirs.part, seq)
}

function mergedMaps(base: Maybe, ours: Known, theirs: Known, seq: number): Map<string, Known> {
  const [was, mine, yours] = [base, ours, theirs].map(side =>
    side?.part instanceof Map ? (side.part as ReadonlyMap<string, Known>) : new Map<string, Known>(),
  )
  const merged = new Map<string, Known>()
  for (const key of new Set([...mine!.keys(), ...yours!.keys()])) {
    const child = mergedKnown(was!.get(key), mine!.get(key), yours!.get(key), seq)
    if (child !== undefined) merged.set(key, child)
  }
  return merged
}

function mergedLists(
  base: readonly Known[],
  ours: readonly Known[],
  theirs: readonly Known[],
  seq: number,
): Known[] | undefined {
  const [a, b] = [ours, theirs].map(side => equalEnds(base.map(textOfKnown), side.map(textOfKnown)))
  const start = Math.min(a!.start, b!.start)
  const end = Math.min(a!.end, b!.end, Math.min(base.length, ours.length, theirs.length) - start)
  const [was, mine, yours] = [base, ours, theirs].map(side => side.slice(start, side.length - end))
  const plan = planMerge(was!.map(textOfKnown), mine!.map(textOfKnown), yours!.map(textOfKnown), 'conflict')
  if (plan === undefined) return undefined
  const between = plan.map(step => {
    if (step.kind === 'ours') return mine![step.index]!
    if (step.kind === 'both') return mergedKnown(was![step.base], mine![step.ours], yours![step.theirs], seq)!
    return stillOurs(step.index, was!, mine!, yours!) ?? yours![step.index]!
  })
  return [...ours.slice(0, start), ...between, ...ours.slice(ours.length - end)]
}

/** The element of ours that theirs only moved. */
function stillOurs(index: number, was: readonly Known[], mine: readonly Known[], yours: readonly Known[]): Maybe {
  const from = align(was.map(textOfKnown), yours.map(textOfKnown)).matches[index]!
  if (from < 0) return undefined
  return mine[align(was.map(textOfKnown), mine.map(textOfKnown)).matches.indexOf(from)]
}
