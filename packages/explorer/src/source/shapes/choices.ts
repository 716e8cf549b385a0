/** Speculations, merges and undo, as far as the Explorer shows them. */
import type { Change, Commit } from './state.ts'

export interface Speculation {
  readonly id: string
  readonly label?: string
  readonly base?: string
  readonly branch: string
  readonly expires?: string
}

export interface Comparison {
  readonly base?: string
  readonly columns: readonly {
    readonly speculation: Speculation
    readonly changes: readonly Change[]
    readonly description?: string
    readonly reasoning?: string
    readonly confidence?: number
  }[]
  readonly rows: readonly {
    readonly path: string
    readonly base?: unknown
    readonly values: readonly unknown[]
    readonly agree: boolean
  }[]
}

/** A side is absent when the path does not exist there. */
export interface Conflict {
  readonly path: string
  readonly base?: unknown
  readonly ours?: unknown
  readonly theirs?: unknown
}

export interface MergePreview {
  readonly kind: 'merged' | 'fast-forward' | 'up-to-date' | 'conflict'
  readonly changes: readonly Change[]
  readonly conflicts: readonly Conflict[]
}

export interface Undone {
  readonly entry: number
  readonly seq?: number
  readonly commit?: Commit
}
