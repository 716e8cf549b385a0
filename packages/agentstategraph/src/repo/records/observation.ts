/** What is said of a commit or an intent later. */

/** Whether what a commit expected came true. */
export interface Observation {
  held: boolean
  note?: string | undefined
  observed?: readonly { path: string; value: unknown }[] | undefined
  /** How sure the observer is, from 0 to 1. */
  confidence?: number | undefined
}

/** An observation as it is read: with who made it, and when. */
export interface Observed extends Observation {
  readonly agent: string
  readonly timestamp: string
}

/** How an intent ended. */
export interface Resolution {
  outcome: 'fulfilled' | 'partial' | 'failed' | 'deferred'
  summary: string
  deviations?: readonly Deviation[] | undefined
}

/** Where what was done is not what was intended. */
export interface Deviation {
  description: string
  reason?: string | undefined
  impact?: 'low' | 'medium' | 'high' | undefined
}
