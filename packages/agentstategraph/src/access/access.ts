/**
 * Who may do what in a repository: `access(repo)`.
 *
 * It only joins: each concern has a file of its own. Whatever is decided is one commit on `system/access`, in the name of whoever
 * the handle belongs to, and is asked for by the handle's own rights; the handle of `open` is the operator's.
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
  /** Delegated intents, from the wish to what came of it. */
  readonly intents: Intents
}

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
