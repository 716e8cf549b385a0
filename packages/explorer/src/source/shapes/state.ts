/** What the operations on states and their history answer, as far as the Explorer shows it. docs/operations.md describes every field. */

export interface Commit {
  readonly id: string
  readonly seq: number
  readonly parents: readonly string[]
  readonly timestamp: string
  readonly agent: string
  readonly principal?: string
  readonly authority: readonly string[]
  readonly session?: string
  readonly intent: {
    readonly id: string
    readonly parent?: string
    readonly category: string
    readonly description: string
    readonly tags: readonly string[]
  }
  readonly reasoning?: string
  readonly confidence?: number
  readonly alternatives: readonly { readonly label: string; readonly why_not?: string }[]
  readonly expects: readonly unknown[]
  readonly tools: readonly unknown[]
  readonly trace?: string
  readonly warnings?: readonly { readonly path: string; readonly message: string }[]
  readonly approval?: { readonly by: string; readonly reason: string; readonly proposal: string }
  readonly answers?: readonly Answer[]
}

/** A commit with what it changed, against its first parent. */
export interface Described extends Commit {
  readonly changes?: readonly Change[]
  /** Retention dropped the states that the changes are read from. */
  readonly trimmed?: true
  readonly delegation?: readonly { readonly grant: string; readonly from: string; readonly to: string }[]
}

/** A question that a step of a graph waited for, and its answer. */
export interface Answer {
  readonly node: string
  readonly question?: unknown
  readonly value?: unknown
  readonly by?: string
  readonly reason?: string
}

export interface Change {
  readonly op: 'add' | 'remove' | 'change' | 'move'
  readonly path: string
  readonly from?: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface Observation {
  readonly held: boolean
  readonly agent: string
  readonly timestamp: string
  readonly confidence?: number
  readonly note?: string
  readonly observed?: readonly { readonly path: string; readonly value: unknown }[]
}

export interface Blame extends Commit {
  readonly path: string
  readonly value?: unknown
  readonly deleted?: true
  readonly trimmed?: true
  readonly draft?: { readonly label: string; readonly node?: string; readonly attempt?: number }
  readonly delegation?: readonly { readonly grant: string; readonly from: string; readonly to: string }[]
  readonly chain?: {
    readonly considered: readonly {
      readonly label: string
      readonly why_not?: string
      readonly changes: readonly Change[]
    }[]
    readonly observed: readonly Observation[]
    readonly intents: readonly { readonly id: string; readonly description: string }[]
    readonly next: readonly Commit[]
  }
}

export interface Ref {
  readonly name: string
  readonly id?: string
}

export interface Entry {
  readonly path: string
  readonly kind: 'map' | 'list' | 'value'
  readonly size: number
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor?: string
}

/** Where a state is read: a branch, tag or commit, and the moment of a branch. */
export interface Place {
  readonly ref: string
  readonly as_of?: string | undefined
}
