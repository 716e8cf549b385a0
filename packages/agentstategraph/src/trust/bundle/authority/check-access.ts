/**
 * Follows the access state through the entries of a bundle, and judges every commit by the one in force.
 *
 * The number of an entry decides: a commit is judged by the newest decision before it. The `access` record brings the state from
 * before the epoch; that it is the newest one follows from the moves of `system/access` and from the seal.
 */

import { type Frontier, hashText, leafHash, rootOfFrontier, verifyInclusion } from '../../../core/index.ts'
import { accessRef } from '../../../repo/index.ts'
import type { CommitRecord, EntryRecord } from '../../../store/index.ts'
import { BundleFault } from '../fault.ts'
import { type AccessLine, bytesOfHash } from '../format.ts'
import { findCommitRecord, findEntryRecord } from '../texts.ts'
import { AccessNodes } from './access-nodes.ts'
import { CarriedAccess } from './carried-access.ts'
import { type Judgement, judgeCommit } from './judge-commit.ts'
import { decisionFault } from './judge-decision.ts'

/** What the commits of a bundle were found to stand on. */
export interface Authorities {
  /** Commits by kind of judgement. Decisions about access are counted only when they are denied. */
  readonly counts: Readonly<Record<Judgement['kind'], number>>
  /** Commits by the chain of names that they were made under; those of the operator are under `operator`. */
  readonly chains: ReadonlyMap<string, number>
  readonly firstDenied: string | undefined
  readonly firstUnknown: string | undefined
}

/** A decision whose nodes are still coming. */
interface Pending {
  readonly access: CarriedAccess
  /** Undefined for the decision from before the epoch, which is taken as it is. */
  readonly made: { readonly time: string; readonly commit: CommitRecord } | undefined
}

/** Whether an entry is a decision about access. */
export function isDecision({ moves, commit }: EntryRecord): boolean {
  return commit !== undefined && moves.some(([name, , to]) => name === accessRef && to === 0)
}

export class AccessChecker {
  readonly nodes: AccessNodes = new AccessNodes()
  readonly #counts = { granted: 0, operator: 0, open: 0, unknown: 0, denied: 0 }
  readonly #chains = new Map<string, number>()
  #state: CarriedAccess | undefined
  #pending: Pending | undefined
  #firstDenied: string | undefined
  #firstUnknown: string | undefined

  /** Where `system/access` is. */
  get position(): { readonly seq: number; readonly commit: string } | null {
    const { seq, commit } = this.#pending?.access ?? this.#state ?? {}
    return seq === undefined || commit === undefined ? null : { seq, commit }
  }

  /** Takes the decision from before the epoch, and returns it. */
  begin(line: AccessLine, frontier: Frontier): { readonly entry: EntryRecord; readonly commit: CommitRecord } {
    const { seq } = line
    const fault = (detail: string): BundleFault => new BundleFault('access', `entry ${seq}: ${detail}`)
    if (seq < 1 || seq > frontier.size) throw fault('it is not from before the epoch')
    const entry = findEntryRecord(line.entry)
    if (entry === undefined || !isDecision(entry)) throw fault('it is not a decision about access')
    if (hashText(line.commit) !== entry.commit) throw fault('the commit is not the one that the entry names')
    const commit = findCommitRecord(line.commit)
    if (commit === undefined || commit.agent !== entry.agent) throw fault('the text is not that of its commit')
    const proof = line.proof.map(bytesOfHash)
    if (!verifyInclusion(leafHash(line.entry), seq - 1, frontier.size, proof, rootOfFrontier(frontier)))
      throw fault('it is not in the tree before the epoch')
    this.#pending = { access: this.#accessOf(seq, entry, commit), made: undefined }
    return { entry, commit }
  }

  /** Judges a decision once its nodes have come. From then on it is in force. */
  settle(): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    const { access, made } = pending
    const fault = made && decisionFault(this.#state, access, made)
    if (fault !== undefined) this.#note(access.seq, { kind: 'denied', reason: fault })
    this.#state = access
  }

  /** Takes an entry with a commit. */
  take(seq: number, entry: EntryRecord, commit: CommitRecord): void {
    const time = new Date(entry.time).toISOString()
    if (isDecision(entry)) this.#pending = { access: this.#accessOf(seq, entry, commit), made: { time, commit } }
    else this.#note(seq, judgeCommit(this.#state, { entry, time, commit }))
  }

  finish(): Authorities {
    this.settle()
    return {
      counts: this.#counts,
      chains: this.#chains,
      firstDenied: this.#firstDenied,
      firstUnknown: this.#firstUnknown,
    }
  }

  #accessOf(seq: number, { commit }: EntryRecord, { tree }: CommitRecord): CarriedAccess {
    return new CarriedAccess(this.nodes, { seq, commit: commit!, root: tree })
  }

  #note(seq: number, judgement: Judgement): void {
    const { kind } = judgement
    this.#counts[kind]++
    if (kind === 'denied') this.#firstDenied ??= `entry ${seq}: ${judgement.reason}`
    if (kind === 'unknown') this.#firstUnknown ??= `entry ${seq}: ${judgement.reason}`
    const chains = kind === 'granted' ? judgement.chains : kind === 'operator' ? ['operator'] : []
    for (const chain of chains) this.#chains.set(chain, (this.#chains.get(chain) ?? 0) + 1)
  }
}
