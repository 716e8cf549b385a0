/**
 * The API of access rules: proposed by one principal, ratified by another, superseded by the next version.
 *
 * A rule is never changed or deleted; ratifying a rule of the same name supersedes it. Judging changes is not done here.
 */

import { copyGiven, optionsOf } from '../../core/index.ts'
import {
  type AccessState,
  accessError,
  assertMay,
  checkedRule,
  currentAccess,
  type Handle,
  isAllowed,
  maxRules,
  meansName,
  noteRefusal,
  operator,
  type PolicyRule,
  type RuleRecord,
  type RuleStatus,
  type RuleTable,
  readScopeOf,
  rulesOf,
} from '../../repo/index.ts'
import { newId } from '../../repo/records/once.ts'
import type { Repository } from '../../repository/index.ts'
import { compareTexts, type KeyOrder, type Listing } from '../../repository/listing.ts'
import type { Work } from '../../store/index.ts'
import {
  type AccessChange,
  type AccessEdit,
  changeAccess,
  decidedBy,
  findOneBehindBoth,
  proposedBy,
} from '../change-access.ts'
import { checkedReason } from '../grants/grants.ts'
import { assertPrincipal } from '../records.ts'
import { listingOf, run } from '../run.ts'

/** A rule with its version, its status, and who proposed and ratified it. */
export interface Policy extends Readonly<PolicyRule> {
  readonly id: string
  /** Counts the rules of one name, from 1. */
  readonly version: number
  readonly status: RuleStatus
  readonly by: string
  /** All principals behind the proposal, when there are others than `by`. */
  readonly actors?: readonly string[]
  readonly timestamp: string
  readonly ratified?: { readonly by: string; readonly reason: string; readonly time: string }
}

/** Access rules: proposed by one principal, ratified by another. */
export interface Rules {
  /** Proposes a rule; it is in force once another principal has ratified it. */
  proposePolicy(policy: PolicyRule): Promise<{ readonly id: string; readonly version: number }>
  /** Puts a rule of another principal in force, in place of the one with the same name. */
  ratifyPolicy(id: string, reason: string): Promise<void>
  /** All rules there are and were, by name, and of one name the newest version first. */
  policies(filter?: PolicyFilter): Listing<Policy>
}

/** Options of `policies`. */
export interface PolicyFilter {
  status?: RuleStatus | undefined
}

const policiesOptions = optionsOf<PolicyFilter>('policies', { status: true })

/** Ordered by fields that never change, because the status may change between two pages. */
const policyOrder: KeyOrder<Policy> = {
  key: ({ name, version, id }) => JSON.stringify([name, version, id]),
  compare(a, b) {
    const [[nameA, versionA, idA], [nameB, versionB, idB]] = [parsed(a), parsed(b)]
    return compareTexts(nameA, nameB) || versionB - versionA || compareTexts(idA, idB)
  },
}

function parsed(key: string): [name: string, version: number, id: string] {
  return JSON.parse(key) as [string, number, string]
}

export function rulesFor({ handle }: Pick<Repository, 'handle'>): Rules {
  return {
    proposePolicy: policy => run(handle, 'proposePolicy', proposed(handle, copyGiven(policy))),
    ratifyPolicy: (id, reason) => run(handle, 'ratifyPolicy', ratified(handle, id, reason)),
    policies: (filter = {}) =>
      listingOf(handle, () => listed(handle, filter.status), policyOrder, policiesOptions, filter),
  }
}

function* proposed(handle: Handle, policy: PolicyRule): Work<{ readonly id: string; readonly version: number }> {
  const rule = checkedRule(policy)
  const id = newId(handle)
  return yield* changeAccess(handle, function* (state): Work<AccessChange<{ id: string; version: number }>> {
    const grants = yield* assertMay(handle, state, { capability: 'policy' })
    for (const name of rule.approvers ?? []) if (name !== operator) yield* assertPrincipal(state, name)
    const waiting = yield* rulesOf(state, 'proposed')
    if (Object.keys(waiting).length >= maxRules) throw accessError('rules-too-many', { limit: maxRules })
    const version = 1 + (yield* lastVersion(state, rule.name))
    const record: RuleRecord = { id, version, rule, ...(yield* proposedBy(handle, state, grants)) }
    const edits = [{ set: ['rules', 'proposed', id], value: record }]
    return { description: `Propose rule ${rule.name}, version ${version}`, edits, result: { id, version } }
  })
}

function* ratified(handle: Handle, id: string, reason: string): Work<void> {
  const why = checkedReason(reason)
  yield* changeAccess(handle, function* (state): Work<AccessChange<void>> {
    const grants = yield* assertMay(handle, state, { capability: 'policy' })
    const waiting = yield* rulesOf(state, 'proposed')
    const inForce = yield* rulesOf(state, 'ratified')
    const record = find(waiting, id) ?? (yield* notWaiting(state, inForce, id))
    const { rule } = record
    const common = yield* findOneBehindBoth(handle, state, record, grants)
    if (common !== undefined) {
      throw yield* noteRefusal(handle, accessError('self-ratified', { rule: id, principal: common }))
    }
    const before = find(inForce, rule.name)
    if (before === undefined && Object.keys(inForce).length >= maxRules) {
      throw accessError('rules-too-many', { limit: maxRules })
    }
    const now: RuleRecord = { ...record, ratified: { ...decidedBy(handle), reason: why } }
    return {
      description: `Ratify rule ${rule.name}, version ${record.version}`,
      reasoning: why,
      edits: [
        { delete: ['rules', 'proposed', id] },
        { set: ['rules', 'ratified', rule.name], value: now },
        ...overtaken(waiting, before, record),
      ],
      result: undefined,
    }
  })
}

/** Supersedes the version in force and earlier proposals of the same name. */
function overtaken(waiting: RuleTable, before: RuleRecord | undefined, by: RuleRecord): readonly AccessEdit[] {
  const earlier = Object.values(waiting).filter(
    ({ rule, version }) => rule.name === by.rule.name && version < by.version,
  )
  return [
    ...earlier.map(({ id }) => ({ delete: ['rules', 'proposed', id] })),
    ...[...earlier, ...(before === undefined ? [] : [before])].map(one => ({
      set: ['rules', 'superseded', one.id],
      value: one,
    })),
  ]
}

/** Throws the reason why a rule cannot be ratified. */
function* notWaiting(state: AccessState | undefined, inForce: RuleTable, id: string): Work<never> {
  const held = Object.values(inForce).find(record => record.id === id)
  if (held !== undefined) throw accessError('rule-ratified', { rule: id, name: held.rule.name })
  const old = find(yield* rulesOf(state, 'superseded'), id)
  if (old !== undefined) throw accessError('rule-superseded', { rule: id, name: old.rule.name })
  throw accessError('rule-unknown', { rule: String(id) })
}

const statuses: readonly RuleStatus[] = ['ratified', 'proposed', 'superseded']

function* lastVersion(state: AccessState | undefined, name: string): Work<number> {
  let last = 0
  for (const status of statuses) {
    for (const { rule, version } of Object.values(yield* rulesOf(state, status))) {
      if (rule.name === name) last = Math.max(last, version)
    }
  }
  return last
}

function find(table: RuleTable, key: string): RuleRecord | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function* listed(handle: Handle, wanted: RuleStatus | undefined): Work<readonly Policy[]> {
  const state = yield* currentAccess(handle)
  const policies: Policy[] = []
  for (const status of wanted === undefined ? statuses : [wanted]) {
    for (const record of Object.values(yield* rulesOf(state, status))) {
      if (yield* mayReadRule(handle, state, record)) policies.push(policyFrom(record, status))
    }
  }
  return policies
}

/** Readable for its proposer, with `policy`, and for those who may read what its patterns name. */
function* mayReadRule(handle: Handle, state: AccessState | undefined, { rule, by }: RuleRecord): Work<boolean> {
  const { identity } = handle
  if (identity === undefined || identity.principal === by) return true
  if (yield* isAllowed(state!, identity, { capability: 'policy' })) return true
  const { paths = [], branches, agents } = rule.when
  if (agents?.some(pattern => meansName(pattern, identity.principal)) === false) return false
  return (yield* readScopeOf(handle))?.mayName(paths, branches) === true
}

function policyFrom({ rule, time, ...record }: RuleRecord, status: RuleStatus): Policy {
  return { ...rule, ...record, status, timestamp: time }
}
