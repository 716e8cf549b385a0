/**
 * What the `body` of an entry holds, by the kind of the entry: the one table, and how a body is read.
 *
 * docs/format.md says the same in words. Bodies are type aliases, so that each can be stored as it is. A reader of a kind
 * that is not here keeps the body as it found it.
 */

import type { Stored } from '../../core/index.ts'
import type { Genesis } from '../../store/index.ts'
import type { Capability } from './capability.ts'
import type { Deviation, Resolution } from './observation.ts'

export interface EntryBodies {
  readonly genesis: Genesis
  readonly commit: CommitBody
  readonly ref: RefBody
  readonly task: TaskBody
  readonly event: EventBody
  readonly observe: ObserveBody
  readonly resolve: ResolveBody
  readonly epoch: EpochBody
  readonly key: KeyBody
  readonly note: NoteBody
  readonly erase: EraseBody
  readonly refusal: RefusalBody
  readonly proposal: ProposalDecisionBody
  readonly prune: PruneBody | RetentionBody
}

/** An entry, as far as its body is concerned. */
export interface KindAndBody {
  readonly kind: string
  readonly body?: Stored | undefined
}

/** The body of an entry of one of these kinds; undefined when it is of another kind, or has no body. */
export function findBody<K extends keyof EntryBodies>(
  { kind, body }: KindAndBody,
  ...kinds: readonly K[]
): EntryBodies[K] | undefined {
  const isAsked = (kinds as readonly string[]).includes(kind)
  return isAsked ? ((body ?? undefined) as EntryBodies[K] | undefined) : undefined
}

/** The body of an entry that must be of one of these kinds. */
export function bodyOf<K extends keyof EntryBodies>(record: KindAndBody, ...kinds: readonly K[]): EntryBodies[K] {
  const body = findBody(record, ...kinds)
  if (body === undefined) throw new Error(`An entry of kind ${record.kind} has no body of kind ${kinds.join(' or ')}`)
  return body
}

/** An entry that was imported from another journal, which told it first. */
export type Via = {
  readonly origin: string
  readonly seq: number
  /** Whether it had not landed there. */
  readonly draft?: boolean
}

/** A commit has those that apply. */
export type CommitBody = {
  /** A commit of a speculation. */
  readonly speculation?: SpeculationBody
  /** A commit that lands a speculation. */
  readonly draft?: { readonly label: string }
  /** The entry that it undoes. */
  readonly undoes?: number
  /** The run of a memory's task that it ends. */
  readonly run?: string
  /** A commit that was only proposed. */
  readonly proposal?: ProposalBody
  /** A commit that lands a proposal. */
  readonly approval?: { readonly proposal: string; readonly by: string }
  readonly via?: Via
}

/** A ref that moves by itself has at most one of these. */
export type RefBody = {
  /** How a speculation begins, or how it ended. */
  readonly speculation?: SpeculationBody | { readonly status: SpeculationEnd }
  readonly undoes?: number
  /** Numbers reserved for tasks of a plan, up to `tasks`. */
  readonly plan?: string
  readonly tasks?: number
}

export type SpeculationEnd = 'committed' | 'discarded' | 'expired'

export type SpeculationBody = {
  readonly label?: string
  /** The entry of the commit it began at. */
  readonly base: number
  readonly branch: string
  readonly expires?: string
}

/** A proposed commit: its proposer, its ref, why it needs an approval, who may approve it, and how it lands. */
export type ProposalBody = {
  readonly by: string
  readonly session?: string
  readonly grant?: string
  readonly ref: string
  /** The entry that the ref has to point to; 0 when the ref is to be made. */
  readonly head: number
  readonly rule?: string
  readonly approvers?: readonly string[]
  readonly capability?: Capability
  readonly changesMeta?: boolean
  /** Refs that are deleted with the landing, if they are still where they were. */
  readonly drops?: readonly (readonly [name: string, at: number])[]
  /** The body of the landing's own entry. */
  readonly body?: Stored
}

/** A proposal that was rejected. */
export type ProposalDecisionBody = {
  readonly decision: { readonly proposal: string; readonly by: string; readonly reason: string }
}

/** Facts about a thread since a step. The value is a list of facts. */
export type TaskBody = {
  /** The entry of that step. */
  readonly base: number
  /** The entry of the facts before these. */
  readonly previous?: number
  /** `begin` when a run took the thread up, `rest` when no run continues it. */
  readonly mark?: 'begin' | 'rest'
}

/** An event of a memory's task. The value is what the event carries. */
export type EventBody = {
  readonly branch: string
  readonly agent: string
  readonly task: string
  readonly kind: string
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The commits before and after, in hex. */
  readonly before?: string
  readonly after?: string
  readonly via?: Via
}

/** Whether what a commit expected came true. Observed values are canonical texts. */
export type ObserveBody = {
  readonly commit: string
  readonly held: boolean
  readonly note?: string
  readonly observed?: readonly { readonly path: string; readonly value: string }[]
  /** In millionths, as in commits. */
  readonly confidence?: number
  readonly via?: Via
}

export type ResolveBody = Pick<Resolution, 'outcome' | 'summary'> & {
  readonly intent: string
  readonly deviations?: readonly Deviation[]
  readonly via?: Via
}

export type EpochBody =
  | {
      readonly epoch: string
      readonly status: 'open'
      readonly description: string
      readonly rootIntents: readonly string[]
      /** Its first entry, when it begins before the entry that opened it. */
      readonly from?: number
    }
  | SealBody
  /** The root of the log at the seal, in base64, and the signed head when there was a signer. */
  | { readonly epoch: string; readonly size: number; readonly root: string; readonly signed?: string }
  | { readonly epoch: string; readonly status: 'archived' }

/** The body of a seal. `facts` is the entry that holds the lists in its value, when they are too long for the seal. */
export type SealBody = {
  readonly epoch: string
  readonly status: 'sealed'
  readonly summary: string
  readonly from: number
  /** Entries by kind, the seal's own included. */
  readonly counts: { readonly [kind: string]: number }
  /** Where `system/access` was: the entry of the newest decision, and its commit; null when there was none. */
  readonly access: { readonly seq: number; readonly commit: string } | null
  /** All entries of kind `key` up to the seal. */
  readonly keys: readonly number[]
} & (SealLists | { readonly facts: number })

export type SealLists = {
  /** How many commits landed on branches and threads. */
  readonly commits: number
  /** Landed commits by agent and by category. */
  readonly agents: { readonly [agent: string]: number }
  readonly categories: { readonly [category: string]: number }
  /** Where branches, tags and threads were: the entry of the commit, and its id as texts have it. */
  readonly refs: { readonly [name: string]: { readonly seq: number; readonly commit: string } }
}

/** Keys of the log, as `name+hash+base64`. */
export type KeyBody = { readonly add: readonly string[]; readonly retire: readonly string[] }

/** After a `key` entry, the head that covers the change, signed by both keys; or a loss of history that was accepted. */
export type NoteBody = {
  readonly signed?: string
  readonly accepted?: string
  readonly reason?: string
  readonly expected?: ExpectedHead
  readonly via?: Via
}

/** What a mark said of a journal: a head, or the leaf of its newest entry. */
export type ExpectedHead =
  | { readonly origin: string; readonly root: string; readonly size: number }
  | { readonly leaf: string; readonly size: number }

/** A subject's key that was destroyed, by its id. */
export type EraseBody = { readonly subject: string; readonly key: string; readonly reason: string }

export type RefusalBody = { readonly refusals: readonly RefusalCount[] }

/** Refusals of one principal by one rule in one minute. */
export type RefusalCount = {
  readonly principal: string
  /** The rule or taint that refused, or else the code of the refusal. */
  readonly rule: string
  /** When the minute began. */
  readonly minute: string
  readonly count: number
}

/** What garbage collection dropped. */
export type PruneBody = { readonly commits: number; readonly bytes: number; readonly until: number }

/** The rules of retention, if there are any, and how many states and bytes were trimmed up to this entry. */
export type RetentionBody = {
  readonly keep?: {
    readonly newerMs?: number
    readonly count?: number
    readonly categories?: readonly string[]
  }
  readonly states: number
  readonly bytes: number
}
