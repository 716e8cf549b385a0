/** Who makes a landing or an entry, and what is remembered of the access state between two of them. */

import type { Journal, StoredCommit } from '../../store/index.ts'
import type { Identity } from './identity.ts'

/** What is remembered of `system/access` between landings. */
export interface AccessCache {
  /** Where the ref was last seen; null when it does not exist, undefined before the first look. */
  seq: number | null | undefined
  state: AccessState | undefined
  /** Refusals of this minute, by principal and rule. */
  readonly refused: Map<string, CountedRefusal>
  /** Commits of the last minute under grants that limit them, by the ref that counts them. */
  readonly rates: Map<string, CountedCommits>
}

/** Refusals of one principal by one rule in one minute, counted and not yet written. */
export interface CountedRefusal {
  readonly principal: string
  readonly rule: string
  readonly minute: number
  count: number
}

/** The times of the commits under a grant in the last minute, oldest first, up to the last one counted. */
export interface CountedCommits {
  readonly last: number | null
  readonly times: readonly number[]
}

export function newAccessCache(): AccessCache {
  return { seq: undefined, state: undefined, refused: new Map(), rates: new Map() }
}

export interface AccessState {
  readonly head: StoredCommit
  readonly journal: Journal
  /** Decoded values by path, with their content. Later states share the map. */
  readonly values: Map<string, { readonly content: string; readonly value: unknown }>
}

/** What authorization needs of a writer. Every handle is one. */
export interface Accessor {
  readonly journal: Journal
  readonly shared: { readonly access: AccessCache; readonly isReadOnly?: boolean }
  /** Whose handle it is; absent for the operator's. */
  readonly identity?: Identity | undefined
  /** Whether every write becomes a proposal. */
  readonly proposes?: boolean | undefined
}
