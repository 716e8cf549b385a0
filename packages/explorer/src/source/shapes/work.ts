/** Graphs, threads, memories and plans, as far as the Explorer shows them. */
export type ThreadStatus = 'idle' | 'running' | 'paused' | 'failed' | 'done'

export interface Picture {
  readonly nodes: readonly { readonly name: string; readonly join: boolean; readonly subgraph?: Picture }[]
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly conditional: boolean
    readonly label?: string
  }[]
}

export interface TaskError {
  readonly name: string
  readonly message: string
}

export interface Interrupt {
  readonly id: string
  readonly node: string
  readonly payload: unknown
  /** The JSON Schema of the answer. */
  readonly schema?: unknown
}

export interface ThreadState {
  readonly thread: string
  readonly commit: string
  readonly timestamp: string
  readonly state: unknown
  readonly status: ThreadStatus
  readonly failures?: readonly { readonly node: string; readonly attempt: number; readonly error: TaskError }[]
  readonly next?: readonly string[]
  readonly interrupts?: readonly Interrupt[]
  readonly node?: string
  readonly error?: TaskError
  readonly output?: unknown
}

/** Something that happens in a run. */
export interface ThreadEvent {
  readonly kind: 'status' | 'updates' | 'tasks' | 'messages' | 'custom'
  readonly node?: string
  readonly phase?: 'start' | 'retry' | 'end' | 'fail' | 'pause'
  readonly attempt?: number
  readonly error?: TaskError
  readonly chunk?: unknown
}

export interface MemoryEvent {
  readonly seq: number
  readonly timestamp: string
  readonly agent: string
  readonly task: string
  readonly kind: 'start' | 'action' | 'output' | 'clarify' | 'error' | 'custom' | 'success' | 'fail'
  readonly commit_before?: string
  readonly commit_after?: string
  readonly input?: unknown
  readonly thinking?: string
  readonly code?: string
  readonly parts?: readonly unknown[]
  readonly message?: string
  readonly error?: TaskError
  readonly name?: string
  readonly data?: unknown
  readonly result?: unknown
}

export interface Plan {
  readonly name: string
  readonly description?: string
  readonly status: 'active' | 'completed' | 'archived'
}

export interface Task {
  readonly id: string
  readonly title: string
  readonly priority: 'low' | 'medium' | 'high' | 'critical'
  readonly parent?: string
  readonly blocked_by: readonly string[]
  readonly assignee?: string
  readonly status: 'pending' | 'in-progress' | 'done' | 'abandoned'
  readonly owner?: string
  readonly lease_ends?: string
  readonly proof?: {
    readonly kind: 'commit' | 'file' | 'test' | 'text'
    readonly value: string
    readonly note?: string
  }
  readonly reason?: string
}

export interface ProofReport {
  readonly id: string
  readonly status: 'verified' | 'decayed' | 'unverifiable'
  readonly detail?: string
}
