/** Principals, grants, sessions, proposals and taints, as far as the Explorer shows them. */
import type { Change } from './state.ts'

/** Who ended something, why and when. */
export interface Ended {
  readonly by: string
  readonly reason: string
  readonly time: string
}

/** Who reads, and what the key lets them do. */
export interface Caller {
  readonly principal: string
  readonly agent: string
  readonly mode: 'write' | 'read-only' | 'propose'
  readonly capabilities: readonly string[]
}

export interface Principal {
  readonly id: string
  readonly kind: 'human' | 'agent' | 'service'
  readonly by: string
  readonly time: string
}

export interface Grant {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly parent?: string
  readonly capabilities: readonly string[]
  readonly branches?: readonly string[]
  readonly paths?: readonly string[]
  readonly expires?: string
  readonly depth: number
  readonly revoked?: Ended
}

export interface Session {
  readonly id: string
  readonly agent: string
  readonly branch: string
  readonly parent?: string
  readonly status: 'open' | 'ended'
}

export interface Proposal {
  readonly id: string
  readonly by: string
  readonly timestamp: string
  readonly into: string
  readonly description: string
  readonly reasoning?: string
  readonly confidence?: number
  readonly commit: string
  readonly changes: readonly Change[]
  readonly rule?: string
  readonly approvers?: readonly string[]
  readonly status: 'open' | 'approved' | 'rejected' | 'lapsed'
  readonly decision?: { readonly by: string; readonly reason?: string; readonly commit?: string }
}

export interface Refusals {
  readonly principal: string
  readonly rule: string
  readonly minute: string
  readonly count: number
}

export interface Taint {
  readonly id: string
  readonly path: string
  readonly effect: 'block' | 'review' | 'isolate' | 'warn'
  readonly reason: string
  readonly severity?: 'low' | 'medium' | 'high'
  readonly quarantine?: boolean
  readonly branches?: readonly string[]
  readonly expires?: string
  readonly by: string
  readonly timestamp: string
  readonly released?: Ended
}

export interface Calibration {
  readonly count: number
  readonly brier: number
  readonly bands: readonly {
    readonly min: number
    readonly max: number
    readonly count: number
    readonly held: number
  }[]
}
