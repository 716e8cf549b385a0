/**
 * Whether a rule is about an act.
 *
 * Selectors that cost nothing are asked first; what the act changes is looked at only when all of them match and the rule asks
 * for it. Nothing here reads a clock, and the work is bounded by the rule and the change.
 */

import type { Work } from '../../store/index.ts'
import type { ProposedChange } from '../records/act.ts'
import { meansName, touchesPlace } from '../state/place-pattern.ts'
import type { ActChange } from './act-changes.ts'
import type { RuleSelectors } from './rule.ts'

const MILLION = 1_000_000

/** The places for which a rule's selectors match an act; undefined when they do not. `changes` is asked at most once. */
export function* matchedPlaces(
  when: RuleSelectors,
  act: ProposedChange,
  changes: () => Work<readonly ActChange[]>,
): Work<readonly (readonly string[])[] | undefined> {
  if (!isAbout(when, act)) return undefined
  const { paths, change, maxChanges } = when
  const isMeant = (path: readonly string[]): boolean =>
    paths === undefined || paths.some(pattern => touchesPlace(pattern, path))
  const places = act.changed.filter(isMeant)
  if (paths !== undefined && places.length === 0) return undefined
  if (change === undefined && maxChanges === undefined) return places
  const closely = (yield* changes()).filter(({ path }) => isMeant(path))
  const kept = change === undefined ? closely : closely.filter(({ kinds }) => kinds.some(kind => change.includes(kind)))
  if (change !== undefined && kept.length === 0) return undefined
  const count = closely.reduce((sum, one) => sum + one.places, 0)
  if (maxChanges !== undefined && count <= maxChanges) return undefined
  return kept.map(({ path }) => path)
}

/** What a rule says of an act before anything is known of what changes. */
function isAbout({ branches, categories, agents, confidence }: RuleSelectors, act: ProposedChange): boolean {
  if (branches?.some(pattern => meansName(pattern, act.branch)) === false) return false
  if (categories?.includes(act.category) === false) return false
  if (agents?.some(pattern => meansName(pattern, act.agent)) === false) return false
  const given = act.confidence ?? 0
  const { min = 0, max = 1 } = confidence ?? {}
  return given >= Math.round(min * MILLION) && given <= Math.round(max * MILLION)
}
