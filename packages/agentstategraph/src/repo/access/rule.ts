/**
 * Access rules: their form, and the check of it.
 *
 * A rule is data: patterns, lists and numbers, no functions and no regular expressions. Proposed and stored rules pass the same
 * check, because ignoring an unknown selector would make the rule apply more widely than it says. Matching is not done here.
 */

import { isWellFormed, utf8Length } from '../../core/index.ts'
import { accessError } from '../records/access-errors.ts'
import { namePattern, placePattern } from '../state/place-pattern.ts'

export type RuleEffect = 'allow' | 'require-approval' | 'deny'
/** A kind of change that a rule can select. */
export type ChangeKind = 'destructive' | 'schema' | 'type'

/** A rule about changes. All selectors that are given have to match. */
export interface PolicyRule {
  name: string
  effect: RuleEffect
  when: RuleSelectors
  /** Who may approve, where the effect is `require-approval`. Without it, every principal with `approve` there. */
  approvers?: readonly string[] | undefined
}

/** What a rule applies to. Every selector that is given must match. */
export interface RuleSelectors {
  /** Patterns of places. With them, `change` and `maxChanges` look at those places only. */
  paths?: readonly string[] | undefined
  /** Patterns of names, as `feature/*`. */
  branches?: readonly string[] | undefined
  categories?: readonly string[] | undefined
  /** Patterns of names, as `agent/*`. */
  agents?: readonly string[] | undefined
  /** Both ends included. A change without a confidence has 0. */
  confidence?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
  /** Matches one of these: something is removed, a value changes its kind, `/_meta` changes. */
  change?: readonly ChangeKind[] | undefined
  /** Matches when more places change than this. */
  maxChanges?: number | undefined
}

/** The most rules in force, and the most that wait to be ratified. */
export const maxRules = 1000
const MAX_LISTED = 64
const MAX_NAME_BYTES = 128
const MAX_ITEM_BYTES = 1024

const effects: readonly RuleEffect[] = ['allow', 'require-approval', 'deny']
const changeKinds: readonly ChangeKind[] = ['destructive', 'schema', 'type']

type Check = (field: string, value: unknown) => void
type Fields = Readonly<Record<string, unknown>>

const selectors: Readonly<Record<keyof RuleSelectors, Check>> = {
  paths: (field, value) => checkList(field, value, placePattern),
  branches: (field, value) => checkList(field, value, namePattern),
  categories: (field, value) => checkList(field, value),
  agents: (field, value) => checkList(field, value, namePattern),
  confidence: checkConfidence,
  change: (field, value) => checkList(field, value, kind => checkOneOf(field, kind, changeKinds)),
  maxChanges: checkCount,
}

/** The rule as it is stored. Throws `rule-invalid`. */
export function checkedRule(given: unknown): PolicyRule {
  const { name, effect, when, approvers } = checkFields('it', given, ['name', 'effect', 'when', 'approvers'])
  checkOneOf('effect', effect, effects)
  const fields = checkFields('when', when, Object.keys(selectors))
  for (const [field, value] of Object.entries(fields)) selectors[field as keyof RuleSelectors](`when.${field}`, value)
  if (approvers !== undefined) {
    checkList('approvers', approvers)
    if (effect !== 'require-approval') throw invalid('approvers', 'mean something only with require-approval')
  }
  checkText('name', name, MAX_NAME_BYTES)
  return {
    name: name as string,
    effect: effect as RuleEffect,
    when: fields as RuleSelectors,
    ...(approvers === undefined ? {} : { approvers: approvers as readonly string[] }),
  }
}

function checkText(field: string, value: unknown, maxBytes: number): void {
  if (typeof value !== 'string' || value.trim() === '') throw invalid(field, 'is no text, or an empty one')
  if (!isWellFormed(value)) throw invalid(field, 'contains a lone surrogate')
  if (utf8Length(value) > maxBytes) throw invalid(field, `has more than ${maxBytes} bytes`)
}

/** The fields of an object that are not undefined. Throws for an unknown field. */
function checkFields(field: string, value: unknown, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(field, 'is no object')
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const unknown = entries.find(([key]) => !known.includes(key))
  if (unknown !== undefined) {
    throw invalid(field, `has "${unknown[0]}", which is not known; there are ${known.join(', ')}`)
  }
  return Object.fromEntries(entries)
}

function checkList(field: string, value: unknown, check: (item: string) => unknown = () => {}): void {
  if (!Array.isArray(value) || value.length === 0) throw invalid(field, 'is no list with something in it')
  if (value.length > MAX_LISTED) throw invalid(field, `has ${value.length} items, and the limit is ${MAX_LISTED}`)
  for (const item of value as readonly string[]) {
    checkText(field, item, MAX_ITEM_BYTES)
    check(item)
  }
}

function checkOneOf(field: string, value: unknown, known: readonly string[]): void {
  if (!known.includes(value as string)) throw invalid(field, `is none of ${known.join(', ')}`)
}

function checkConfidence(field: string, value: unknown): void {
  const { min, max } = checkFields(field, value, ['min', 'max'])
  for (const end of [min, max]) {
    if (end !== undefined && !(typeof end === 'number' && end >= 0 && end <= 1)) {
      throw invalid(field, 'has an end that is not between 0 and 1')
    }
  }
  if (min === undefined && max === undefined) throw invalid(field, 'has neither min nor max')
  if ((min as number | undefined) !== undefined && max !== undefined && (min as number) > (max as number)) {
    throw invalid(field, 'has a min above its max')
  }
}

function checkCount(field: string, value: unknown): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= 0)) throw invalid(field, 'is no number of places')
}

function invalid(field: string, reason: string): Error {
  return accessError('rule-invalid', { field, reason })
}
