/** Epochs, evidence and the store as a whole, as far as the Explorer shows them. */
export interface Epoch {
  readonly id: string
  readonly description: string
  readonly from_seq: number
  readonly commits: number
  readonly agents: readonly string[]
  readonly status: 'open' | 'sealed' | 'archived'
  readonly to_seq?: number
  readonly summary?: string
  readonly sealed_at?: string
  readonly root?: string
  readonly signature?: string
}

export interface Verdict {
  readonly ok: boolean
  readonly checks: readonly {
    readonly name: 'integrity' | 'signed' | 'extends' | 'witnessed' | 'authorised'
    readonly status: 'passed' | 'failed' | 'not-checked'
    readonly detail?: string
  }[]
  readonly failed?: string
  readonly inventory?: {
    readonly origin: string
    readonly epoch: string
    readonly from: number
    readonly to: number
    readonly profile: 'full' | 'log' | 'redacted'
    readonly kinds: Readonly<Record<string, number>>
    readonly agents: Readonly<Record<string, number>>
    readonly withheld: number
    readonly dropped: number
    readonly encrypted: number
    readonly erased: number
  }
}

export interface Stats {
  readonly ref: string
  readonly head?: string
  readonly commits: number
  readonly branches: number
  readonly stored_bytes: number
  readonly by_agent: Readonly<Record<string, number>>
  readonly by_category: Readonly<Record<string, number>>
  readonly retention?: {
    readonly keep?: { readonly newer_ms?: number; readonly count?: number; readonly categories?: readonly string[] }
    readonly trimmed_states: number
    readonly trimmed_bytes: number
  }
  readonly hint?: string
}

export interface Activity {
  readonly periods: readonly {
    readonly start: string
    readonly commits: number
    readonly by_agent: Readonly<Record<string, number>>
    readonly by_category: Readonly<Record<string, number>>
  }[]
}

export interface Collected {
  readonly freed_bytes: number
  readonly kept: number
  readonly removed: number
  readonly trimmed: number
}

export interface StoreReport {
  readonly ok: boolean
  readonly checked: number
  readonly damage: readonly { readonly where: string; readonly what: string }[]
  readonly point?: string
}
