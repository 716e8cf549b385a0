/** Who makes a landing or an entry, and what is remembered of the access state between two of them. */

import type { Journal, StoredCommit } from '../../store/index.ts'
import type { Identity } from './identity.ts'
import type { Once } from './once.ts'

/** What is remembered of `system/access` between landings. */
export interface AccessCache {
  /** Where the ref was last seen; null when it does not exist, undefined before the first look. */
  seq: number | null | undefined
  state: AccessState | undefined
  /** Refusals of this minute, by principal and rule. */
  readonly refused: Map<string, CountedRefusal>
  /** What was added in the last minute under grants that limit it, by the ref that counts it. */
  readonly rates: Map<string, CountedUse>
}

/** Refusals of one principal by one rule in one minute, counted and not yet written. */
export interface CountedRefusal {
  readonly principal: string
  readonly rule: string
  readonly minute: number
  count: number
}

/** What the appends under a grant added in the last minute, oldest first, up to the last one counted. */
export interface CountedUse {
  readonly last: number | null
  readonly added: readonly AddedAt[]
}

/** What one append added. */
export interface AddedAt {
  readonly time: number
  readonly entries: number
  readonly commits: number
  /** New branches, tags and threads. */
  readonly branches: number
  readonly speculations: number
  /** 0 where no limit counts them. */
  readonly bytes: number
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
  /** The request that its append carries, when it is for a single one. */
  readonly once?: Once | undefined
}
