/**
 * Judging a change by the rules in force: deny wins over require-approval, and that over allow.
 *
 * Rules only restrict. Where none matches, the grants decide alone, and an `allow` rule has no effect beyond `explain`. Rules
 * apply to everyone, the operator included.
 */

import { formatPath } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { AccessState } from '../records/accessor.ts'
import type { ProposedChange } from '../records/proposed-change.ts'
import { mergeApprovals, type RequiredApproval } from '../records/required-approval.ts'
import { type PlaceIndex, placeIndex } from '../state/place-index.ts'
import { meansName, touchesPlace } from '../state/place-pattern.ts'
import { type ChangeDetail, detailsOfChange } from './change-details.ts'
import type { PolicyRule, RuleEffect, RuleSelectors } from './rule.ts'
import { matchedPaths, matchesChain } from './rule-match.ts'
import { rulesInForce } from './rule-record.ts'

const SHOWN_PATHS = 4

/** Throws when a rule denies the change by a chain of principals; otherwise the approval that rules require. */
export function* judgeRules(
  state: AccessState,
  change: ProposedChange,
  links: readonly string[],
): Work<RequiredApproval | undefined> {
  let known: readonly ChangeDetail[] | undefined
  const details = function* (): Work<readonly ChangeDetail[]> {
    known ??= yield* detailsOfChange(state.journal, change)
    return known
  }
  let required: RequiredApproval | undefined
  for (const rule of yield* rulesAbout(state, change)) {
    const { name, effect, approvers } = rule
    if (effect === 'allow') continue
    const places = yield* matchedPaths(rule, change, links, details)
    if (places === undefined) continue
    if (effect === 'deny') {
      const paths = places.slice(0, SHOWN_PATHS).map(formatPath)
      throw accessError('rule-denied', { rule: name, branch: change.branch, paths })
    }
    required = mergeApprovals(required, { rule: name, ...(approvers === undefined ? {} : { approvers }) })
  }
  return required
}

const indexes = new WeakMap<AccessState, PlaceIndex<PolicyRule>>()

/** The rules in force whose patterns may match a changed path. */
function* rulesAbout(state: AccessState, { changed }: ProposedChange): Work<readonly PolicyRule[]> {
  let index = indexes.get(state)
  if (index === undefined) {
    index = placeIndex(yield* rulesInForce(state), ({ when }) => when.paths)
    indexes.set(state, index)
  }
  return index.about(changed)
}

/** A rule that may apply to a request. */
export interface RelevantRule {
  readonly rule: string
  readonly effect: RuleEffect
  readonly approvers?: readonly string[]
  /** The selectors that only the change itself can decide: category, confidence, details. */
  readonly dependsOn: readonly string[]
}

/** The rules that may apply to a change by a chain of principals, the strictest first. */
export function* relevantRules(
  state: AccessState,
  links: readonly string[],
  { branch, path }: { branch?: string | undefined; path?: readonly string[] | undefined },
): Work<readonly RelevantRule[]> {
  const isAbout = ({ when: { branches, paths } }: PolicyRule): boolean =>
    (branch === undefined || branches?.some(pattern => meansName(pattern, branch)) !== false) &&
    (path === undefined || paths?.some(pattern => touchesPlace(pattern, path)) !== false)
  const rules = (yield* rulesInForce(state)).filter(rule => matchesChain(rule, links) && isAbout(rule))
  return rules
    .map(({ name, effect, when, approvers }) => ({
      rule: name,
      effect,
      ...(approvers === undefined ? {} : { approvers }),
      dependsOn: unknownBefore(when, branch, path),
    }))
    .sort((a, b) => strictness.indexOf(a.effect) - strictness.indexOf(b.effect))
}

const strictness: readonly RuleEffect[] = ['deny', 'require-approval', 'allow']

function unknownBefore(
  when: RuleSelectors,
  branch: string | undefined,
  path: readonly string[] | undefined,
): readonly string[] {
  const isKnown: Readonly<Record<string, boolean>> = {
    agents: true,
    branches: branch !== undefined,
    paths: path !== undefined,
  }
  return Object.keys(when).filter(selector => isKnown[selector] !== true)
}
