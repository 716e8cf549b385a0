/** What the access state keeps of delegated work: intents on their way, and the sessions that work on them. */

import type { Ended } from './access-record.ts'
import type { Resolution } from './observation.ts'

/** Where a delegated intent is. */
export const intentStatuses = ['proposed', 'authorized', 'in-progress', 'completed', 'failed', 'blocked'] as const
export type IntentStatus = (typeof intentStatuses)[number]

/** Kept at `/intents/<id>`. */
export interface IntentRecord {
  readonly id: string
  readonly description?: string
  readonly parent?: string
  readonly status: IntentStatus
  /** Who proposed it. */
  readonly by: string
  /** The links of the proposal, when there are others than `by`. */
  readonly actors?: readonly string[]
  readonly time: string
  readonly authorized?: Ended
  /** The session that works on it, or did last, and its agent. */
  readonly session?: string
  readonly agent?: string
  /** Why it has this status, as stated by the principal that set it. */
  readonly reason?: string
}

/** Kept at `/sessions/<id>`; open ones also at `/working/<agent>/<id>`, and below their parents at `/delegated/<parent>/<id>`. */
export interface SessionRecord {
  readonly id: string
  readonly agent: string
  readonly branch: string
  /** Who opened it. */
  readonly by: string
  readonly parent?: string
  readonly intent?: string
  readonly reportTo?: string
  readonly grant: string
  readonly status: 'open' | 'ended'
  readonly time: string
  readonly ended?: string
  readonly resolution?: Resolution
}

/** Kept at `/reports/<to>/<session>`: what a session reported when it ended. */
export interface ReportRecord {
  readonly session: string
  readonly agent: string
  readonly resolution: Resolution
  readonly time: string
}
