/**
 * The API of access control: `access(repo)`.
 *
 * Each decision is one commit on `system/access`, made and authorized as the identity of the handle. The handle that `open`
 * returns is the operator's. The concerns are in files of their own; this one only joins them.
 */

import type { Repository } from '../repository/index.ts'
import { type Grants, grantsOf } from './grants/grants.ts'
import { type Freezing, freezingOf } from './principals/freeze.ts'
import { type Keys, keysOf } from './principals/keys.ts'
import { type Principals, principalsOf } from './principals/principals.ts'
import { type Explaining, explainingOf } from './review/explain.ts'
import { type Proposals, proposalsOf } from './review/proposals.ts'
import { type Refusals, refusalsOf } from './review/refusals.ts'
import { type Rules, rulesFor } from './review/rules.ts'
import { type Taints, taintsOf } from './review/taints.ts'
import { type Intents, intentsOf } from './sessions/intents.ts'
import { type Sessions, sessionsOf } from './sessions/sessions.ts'

/** Who may do what in a repository: principals, keys, grants, sessions, rules, proposals, taints. */
export interface Access
  extends Principals,
    Keys,
    Grants,
    Freezing,
    Explaining,
    Refusals,
    Rules,
    Proposals,
    Sessions,
    Taints {
  /** Delegated intents, from the proposal to the outcome. */
  readonly intents: Intents
}

/**
 * The access decisions of a repository.
 *
 * @example
 * ```ts
 * import { open } from 'agentstategraph'
 * import { access } from 'agentstategraph/access'
 *
 * const repo = await open()
 * const { key } = await access(repo).addPrincipal('human/ada', 'human')
 * ```
 */
export function access(repo: Pick<Repository, 'handle'>): Access {
  return {
    ...principalsOf(repo),
    ...keysOf(repo),
    ...grantsOf(repo),
    ...freezingOf(repo),
    ...explainingOf(repo),
    ...refusalsOf(repo),
    ...rulesFor(repo),
    ...proposalsOf(repo),
    ...sessionsOf(repo),
    ...taintsOf(repo),
    intents: intentsOf(repo),
  }
}
