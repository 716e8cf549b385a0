/** An epoch as its users see it. */

import { toBase64 } from '../core/index.ts'
import {
  branchPrefix,
  type EpochBody,
  type EpochRecord,
  type EpochSeal,
  epochPrefix,
  type Handle,
  landedCounts,
  readScopeOf,
  recordEntries,
  rootAt,
  tagPrefix,
} from '../repo/index.ts'
import { ask, type Work } from '../store/index.ts'

/**
 * A named range of the journal. Everything that lands between its beginning and its seal belongs to it.
 *
 * Commits, agents and categories are those of the whole range. Root intents narrow what `query({ epoch })` lists,
 * but not what is sealed.
 */
export type Epoch = {
  readonly id: string
  readonly description: string
  readonly rootIntents: readonly string[]
  /** Its first entry: the one that opened it, or an earlier one that was named then. */
  readonly fromSeq: number
  /** How many commits landed in it. */
  readonly commits: number
  readonly agents: readonly string[]
  /** Landed commits by category. */
  readonly categories: Readonly<Record<string, number>>
} & (
  | { readonly status: 'open' }
  | {
      readonly status: 'sealed' | 'archived'
      /** The seal, the last entry of the epoch. */
      readonly toSeq: number
      readonly summary: string
      readonly sealedAt: string
      /** Entries by kind. */
      readonly counts: Readonly<Record<string, number>>
      /** Where branches, tags and threads were when it was sealed: by full name, the id of the commit as texts have it. */
      readonly refs: Readonly<Record<string, string>>
      /** The root of the Merkle log at the seal, in base64. */
      readonly root: string
      /** The signed head up to the seal, with the lines of witnesses; absent when there was no key. */
      readonly signature?: string
    }
)

/** An epoch that is closed for good. */
export type SealedEpoch = Epoch & { readonly status: 'sealed' | 'archived' }

export function* epochFrom(handle: Handle, record: EpochRecord): Work<Epoch> {
  const { id, description, rootIntents, fromSeq, seal, status } = record
  const common = { id, description, rootIntents, fromSeq }
  if (seal !== undefined && status !== 'open') return { ...common, status, ...(yield* sealedPart(handle, seal)) }
  const { seq: newest } = yield* ask(log => log.head())
  const { commits, agents, categories } = yield* landedCounts(handle, fromSeq, newest)
  const isShown = (yield* readScopeOf(handle))?.isWhole !== false
  return {
    ...common,
    status: 'open',
    commits,
    agents: isShown ? [...agents.keys()] : [],
    categories: isShown ? Object.fromEntries(categories) : {},
  }
}

function* sealedPart(handle: Handle, { summary, time, facts, proof }: EpochSeal): Work<Omit<SealedEpoch, CommonField>> {
  const { journal } = handle
  const scope = yield* readScopeOf(handle)
  const isShown = scope?.isWhole !== false
  const isKnown = (ref: string): boolean => scope?.on([grantedName(ref)]).isWhole !== false
  const { to, commits, agents, categories, counts, refs } = facts
  const root = proof?.root ?? toBase64(yield* rootAt(journal, to))
  return {
    toSeq: to,
    summary,
    sealedAt: new Date(time).toISOString(),
    commits,
    agents: isShown ? Object.keys(agents) : [],
    categories: isShown ? categories : {},
    counts: isShown ? counts : {},
    refs: Object.fromEntries(
      Object.entries(refs).flatMap(([name, { commit }]) => (isKnown(name) ? [[name, commit]] : [])),
    ),
    root,
    ...(proof?.signed === undefined ? {} : { signature: proof.signed }),
  }
}

/** Adds an entry about an epoch, and moves the ref of the epoch from `at` to it. With `after`, only behind that entry. */
export function recordEpoch(
  handle: Handle,
  at: number | null,
  body: EpochBody,
  after?: number,
): ReturnType<typeof recordEntries> {
  const record = { kind: 'epoch', agent: handle.who.agent, body }
  const moves = [{ name: epochPrefix + body.epoch, expect: at, to: { entry: 0 } }]
  return recordEntries(handle, [{ capability: 'seal' }], [record], { moves, after })
}

/** The name that grants use for a branch, tag or thread. */
function grantedName(ref: string): string {
  for (const prefix of [branchPrefix, tagPrefix]) if (ref.startsWith(prefix)) return ref.slice(prefix.length)
  return ref
}

type CommonField = 'id' | 'description' | 'rootIntents' | 'fromSeq' | 'status'
