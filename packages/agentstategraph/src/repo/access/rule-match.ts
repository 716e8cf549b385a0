/**
 * Whether the selectors of a rule match a proposed change.
 *
 * The cheap selectors come first. The details of the change are computed only when all of those match and the rule selects by
 * details. Matching reads no clock, and its cost is bounded by the rule and the change.
 */

import type { Work } from '../../store/index.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import { meansName, touchesPlace } from '../state/place-pattern.ts'
import type { ChangeDetail } from './change-details.ts'
import type { PolicyRule, RuleSelectors } from './rule.ts'

const MILLION = 1_000_000

/** The paths for which a rule matches a change by a chain; undefined when it does not. Calls `details` at most once. */
export function* matchedPaths(
  rule: PolicyRule,
  change: ProposedChange,
  links: readonly string[],
  details: () => Work<readonly ChangeDetail[]>,
): Work<readonly (readonly string[])[] | undefined> {
  const { when } = rule
  if (!matchesMetadata(when, change) || !matchesChain(rule, links)) return undefined
  const { paths, change: kinds, maxChanges } = when
  const isSelected = (path: readonly string[]): boolean =>
    paths === undefined || paths.some(pattern => touchesPlace(pattern, path))
  const changed = change.changed.filter(isSelected)
  if (paths !== undefined && changed.length === 0) return undefined
  if (kinds === undefined && maxChanges === undefined) return changed
  const selected = (yield* details()).filter(({ path }) => isSelected(path))
  const matched = kinds === undefined ? selected : selected.filter(one => one.kinds.some(kind => kinds.includes(kind)))
  if (kinds !== undefined && matched.length === 0) return undefined
  const count = selected.reduce((sum, { places }) => sum + places, 0)
  if (maxChanges !== undefined && count <= maxChanges) return undefined
  return matched.map(({ path }) => path)
}

/** Matches the selectors that do not depend on what changes. */
function matchesMetadata(
  { branches, categories, confidence }: RuleSelectors,
  { branch, category, confidence: given = 0 }: ProposedChange,
): boolean {
  if (branches?.some(pattern => meansName(pattern, branch)) === false) return false
  if (categories?.includes(category) === false) return false
  const { min = 0, max = 1 } = confidence ?? {}
  return given >= Math.round(min * MILLION) && given <= Math.round(max * MILLION)
}

/** A rule that restricts matches when one link of the chain does, so that no name below or beside evades it; `allow` needs all. */
export function matchesChain({ effect, when: { agents } }: PolicyRule, links: readonly string[]): boolean {
  if (agents === undefined) return true
  const isMeant = (name: string): boolean => agents.some(pattern => meansName(pattern, name))
  return effect === 'allow' ? links.every(isMeant) : links.some(isMeant)
}
