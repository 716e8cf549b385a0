/**
 * Rules as `system/access` stores them, and the rules in force.
 *
 *   /rules/proposed/<id>      waits to be ratified by another principal
 *   /rules/ratified/<name>    is in force: one version of each name
 *   /rules/superseded/<id>    was in force, or was superseded before it was ratified
 */

import { isStateError } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { accessError } from '../records/access-errors.ts'
import type { AccessState } from '../records/accessor.ts'
import { accessValue } from './access-state.ts'
import { checkedRule, type PolicyRule } from './rule.ts'

/** Where a rule stands. */
export type RuleStatus = 'proposed' | 'ratified' | 'superseded'

export interface RuleRecord {
  readonly id: string
  /** Counts the rules of one name, from 1. */
  readonly version: number
  readonly rule: PolicyRule
  readonly by: string
  /** The links of the proposal, when there are others than `by`. */
  readonly actors?: readonly string[]
  readonly time: string
  readonly ratified?: { readonly by: string; readonly reason: string; readonly time: string }
}

export type RuleTable = Readonly<Record<string, RuleRecord>>

/** The rules of a status: ratified rules by name, others by id. */
export function* rulesOf(state: AccessState | undefined, status: RuleStatus): Work<RuleTable> {
  const table = state && (yield* accessValue<RuleTable>(state, ['rules', status]))
  return table ?? {}
}

/** Checked rules by the table they come from. `accessValue` returns the same table until a rule changes. */
const known = new WeakMap<RuleTable, readonly PolicyRule[]>()

/** The rules in force. An unreadable rule throws, because it might deny anything. */
export function* rulesInForce(state: AccessState): Work<readonly PolicyRule[]> {
  const table = yield* rulesOf(state, 'ratified')
  const before = known.get(table)
  if (before !== undefined) return before
  const rules = Object.entries(table).map(([name, record]) => readRule(name, record))
  known.set(table, rules)
  return rules
}

function readRule(name: string, record: RuleRecord | undefined): PolicyRule {
  try {
    return checkedRule(record?.rule)
  } catch (error) {
    if (!isStateError(error)) throw error
    throw accessError('rule-unreadable', { rule: name, reason: error.message.replace(/\.$/, '') }, { cause: error })
  }
}
