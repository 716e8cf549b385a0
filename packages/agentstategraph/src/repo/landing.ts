/** The argument of `land`: a state that becomes a commit on a ref, with the information for the commit. */

import type { Stored } from '../core/index.ts'
import type { CommitInfo, EntryRequest, Move, StoredCommit } from '../store/index.ts'
import type { Link } from '../tree/index.ts'
import type { Capability } from './records/capability.ts'
import type { Identity } from './records/identity.ts'

/** A state that is to become a commit on a ref. */
export interface Landing {
  readonly ref: string
  /** The commit that the ref must still point to; undefined when the ref is to be created. */
  readonly head: StoredCommit | undefined
  /** Where the ref must be when that is not its head: the entry that made it, as long as nothing was written on it. */
  readonly expect?: number
  /** Parents beside the head: the other side of a merge. */
  readonly merged?: readonly StoredCommit[]
  readonly tree: Link
  readonly system: Link
  readonly detail?: Link | undefined
  readonly info: CommitInfo
  /** The commits that this one lands. */
  readonly drafts?: readonly string[] | undefined
  /** Commits that it names beside its parents, whose nodes must still be there. */
  readonly needs?: readonly number[] | undefined
  /** What the entry says beside the commit. */
  readonly body?: Stored | undefined
  /** Whether it may change what the system keeps under `/_meta`: only schemas, policies and migrations set this. */
  readonly changesMeta?: boolean | undefined
  /** The branch that it is for, where the ref is not one: that of a speculation. */
  readonly branch?: string | undefined
  /** What it takes to do this, where it is neither an ordinary commit nor a merge. */
  readonly capability?: Capability | undefined
  /** The approver of exactly this landing; without an identity, the operator. */
  readonly approved?: { readonly identity: Identity | undefined; readonly proposal: string } | undefined
  /** Whether it is a decision about access, which has been judged where it was made. */
  readonly changesAccess?: boolean | undefined
  /** Refs that move together with this one. */
  readonly moves?: readonly Move[]
  /** Refs that must not have moved meanwhile. */
  readonly guards?: readonly Move[]
  /** The request with a key that it answers. */
  readonly request?: EntryRequest | undefined
  /** A name that the entry can be found by. */
  readonly name?: string | undefined
}

/** A landing as `land` stores it: with the writers of the definition, and what changed since its first parent. */
export interface SettledLanding extends Landing {
  readonly changed: readonly (readonly string[])[]
  /** Whether its nodes are new or those of the head that its ref points to. */
  readonly isPlain: boolean
}

/** Looks at a landing and throws when it must not happen. Pure and synchronous. */
export type Check = (landing: SettledLanding) => void

/** The head of a ref as this process saw it last. */
export interface SeenHead {
  readonly commit: StoredCommit
  /** Whether other processes move the ref too: then a landing on it looks where it is before it is prepared. */
  readonly isContended: boolean
}
