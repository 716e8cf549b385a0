/**
 * What the ref `system/access` keeps, as values: one tree, whose history says who allowed what, when and why.
 *
 *   /principals/<id>            who there is
 *   /keys/<key id>              what authenticates them: hashes only
 *   /grants/<id>                what was granted; a revoked one stays and says so
 *   /held/<principal>/<grant>   the grants of each principal, to find them by
 *   /sessions/<id>, /intents/<id>, /taints/<id>, /released/<taint>
 *   /rules/proposed/<id>, /rules/ratified/<name>, /rules/superseded/<id>
 *   /frozen/principals/<id>, /frozen/branches/<name>
 *
 * Times are ISO texts. It says what is kept, and not who may change it.
 */

import type { Capability } from './capability.ts'

export interface PrincipalRecord {
  readonly kind: 'human' | 'agent' | 'service'
  readonly by: string
  readonly time: string
}

export interface KeyRecord {
  readonly principal: string
  /** SHA-256 of the secret, base64url. */
  readonly hash: string
  readonly time: string
  readonly expires?: string
  /** The key that it was made with; absent when the operator made it. */
  readonly parent?: string
  /** The key whose place it took. It has that key's parent, so it does not end with what was made with it. */
  readonly replaces?: string
  readonly revoked?: Ended
}

/** Who ended something, when, and why. */
export interface Ended {
  readonly by: string
  readonly reason: string
  readonly time: string
}

export interface GrantRecord {
  readonly id: string
  readonly from: string
  readonly to: string
  /** The grant that this one narrows; absent when the operator gave it. */
  readonly parent?: string
  readonly branches?: readonly string[]
  readonly paths?: readonly string[]
  readonly capabilities: readonly Capability[]
  readonly expires?: string
  /** How many times it may be delegated. */
  readonly depth: number
  readonly limits?: {
    readonly commitsPerMinute?: number
    readonly entriesPerMinute?: number
    readonly branchesPerMinute?: number
    readonly speculationsPerMinute?: number
    readonly bytesPerMinute?: number
    readonly bytesPerCommit?: number
  }
  /** The session that it was made for. */
  readonly session?: string
  readonly time: string
  readonly revoked?: Ended
}

export interface FrozenRecord extends Ended {}

/** The operator: a process that opens the store itself. Every chain of grants begins there. */
export const operator = 'operator'
