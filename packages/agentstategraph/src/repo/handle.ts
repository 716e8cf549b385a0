/**
 * What every function of a repository is given: the journal, the author and the branch.
 *
 * A handle is cheap: `as` and `on` make another over the same shared part. Functions here are work (generators) and never
 * wait by themselves; the repository layer runs them.
 */

import { defaultLimits, type Limits, type Path, parsePath } from '../core/index.ts'
import type { Backend, Journal } from '../store/index.ts'
import type { Policies } from '../tree/index.ts'
import { repoError, type Warning } from './errors.ts'
import type { Check, SeenHead } from './landing.ts'
import type { LandingQueues } from './landing-queue.ts'
import type { AccessCache } from './records/accessor.ts'
import type { Author } from './records/author.ts'
import type { Identity } from './records/identity.ts'
import type { IndexFollower } from './records/index-follower.ts'
import type { Once } from './records/once.ts'
import type { HistoryFault, MarkFollower, Signing } from './records/signing.ts'
import type { Versioning } from './records/versioning.ts'

/** What all handles of one open repository share. */
export interface Shared {
  readonly backend: Backend
  readonly journal: Journal
  readonly checks: readonly Check[]
  /** The access state as last seen. */
  readonly access: AccessCache
  /** The head of each ref as it was last seen, for writes that the compare-and-swap will check. */
  readonly heads: Map<string, SeenHead>
  /** Who waits to land on a ref, where appends are answered later. */
  readonly queues: LandingQueues
  readonly policies: Policies
  isReadOnly: boolean
  /** Whether it was opened for reading only. */
  readonly isOpenedToRead: boolean
  /** Told what was noticed and is no reason to fail. */
  readonly onWarning: (warning: Warning) => void
  /** Why the history cannot be gone on with; then it is read-only. */
  fault: HistoryFault | undefined
  /** With a key: what signs heads. */
  readonly signing: Signing | undefined
  /** Without a key: what lets the tail mark follow. */
  readonly tail: MarkFollower | undefined
  /** What lets the index follow; undefined where nothing is written. */
  index: IndexFollower | undefined
  /** How large what is written may be. */
  readonly limits: Limits
  /** The migrations it was opened with. */
  readonly migrations?: Versioning | undefined
  isClosed: boolean
  /** Called when the repository closes, to end watches and waits. */
  readonly onClose: Set<() => void>
}

export interface Handle {
  readonly shared: Shared
  readonly journal: Journal
  /** The branch that reads and writes go to. */
  readonly branch: string
  readonly who: Author
  /** Whose handle it is, made from a key or a session; absent for the operator's. */
  readonly identity?: Identity | undefined
  /** Whether every write becomes a proposal. */
  readonly proposes?: boolean | undefined
  /** The request that its append carries, when it is for a single one. */
  readonly once?: Once | undefined
}

/** The segments of a path that a caller gave to read. Smaller limits never make what is stored unreadable. */
export function readPath({ shared }: Handle, path: Path): readonly string[] {
  const { depth, segmentBytes } = shared.limits
  return parsePath(path, {
    ...defaultLimits,
    depth: Math.max(depth, defaultLimits.depth),
    segmentBytes: Math.max(segmentBytes, defaultLimits.segmentBytes),
  })
}

/** Throws when an operation that writes is not for this repository. */
export function assertWritable({ isReadOnly, fault }: Shared, operation: string): void {
  if (fault !== undefined) throw faultError(fault)
  if (isReadOnly) throw repoError('read-only', { operation })
}

export function faultError(fault: HistoryFault): Warning {
  return fault.code === 'history-short' ? repoError(fault.code, fault.data) : repoError(fault.code, fault.data)
}
