/** What a way of writing passes to the loop that lands it, and what it gets back. */

import type { Recorded, StoredCommit, Work } from '../../store/index.ts'
import type { Landing, SeenHead } from '../landing.ts'
import type { LandingQueues } from '../landing-queue.ts'
import type { Lander } from './land.ts'

/** Who writes: every handle is one. */
export interface Writer extends Lander {
  /** With the head of each ref as it was last seen, and who waits to land on one. */
  readonly shared: Lander['shared'] & {
    readonly heads: Map<string, SeenHead>
    readonly queues: LandingQueues
  }
}

/** A landing without what the loop fills in. */
export type Candidate = Omit<Landing, 'ref' | 'head' | 'expect' | 'request'>

/** What is to be done on a head. `result` is for the caller and comes back with the outcome. */
export type Prepared<T> =
  | { readonly kind: 'landing'; readonly landing: Candidate; readonly result: T }
  /** Nothing has to be written. */
  | { readonly kind: 'unchanged'; readonly result: T }
  /** An entry without a commit is to be appended instead, for a branch that only moves. */
  | { readonly kind: 'entry'; readonly append: () => Work<Recorded>; readonly result: T }

export type LandedOn<T> =
  | { readonly kind: 'done'; readonly commit: StoredCommit; readonly result: T }
  | { readonly kind: 'unchanged'; readonly head: StoredCommit | undefined; readonly result: T }
  | { readonly kind: 'entry'; readonly seq: number; readonly result: T }
  /** The key was used before; `seq` is the entry of what was done then. */
  | { readonly kind: 'repeated'; readonly seq: number }
