/**
 * Who may do what in a repository: `access(repo)`.
 *
 * It only joins: each concern has a file of its own. Whatever is decided is one commit on `system/access`, in the name of whoever
 * the handle belongs to, and is asked for by the handle's own rights; the handle of `open` is the operator's.
 */

import type { Repository } from '../face/index.ts'
import { type Explaining, explainingOf } from './explain.ts'
import { type Freezing, freezingOf } from './freeze.ts'
import { type Grants, grantsOf } from './grants.ts'
import { type Intents, intentsOf } from './intents.ts'
import { type Keys, keysOf } from './keys.ts'
import { type Principals, principalsOf } from './principals.ts'
import { type Proposals, proposalsOf } from './proposals.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { type Rules, rulesFor } from './rules.ts'
import { type Sessions, sessionsOf } from './sessions.ts'
import { type Taints, taintsOf } from './taints.ts'

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
