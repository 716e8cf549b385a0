/** Commits as users see them. */

import { hexOfId } from '../core/index.ts'
import type { Journal, StoredCommit, Work } from '../store/index.ts'
import { valueOfChild } from '../tree/index.ts'
import { type Category, type Detail, type Expectation, readDetail, type ToolCall } from './info.ts'

export interface Commit {
  readonly id: string
  readonly seq: number
  readonly parents: readonly string[]
  /** The id of the state. */
  readonly root: string
  readonly timestamp: string
  readonly agent: string
  readonly principal?: string
  readonly authority: readonly string[]
  readonly session?: string
  readonly intent: {
    readonly id: string
    readonly parent?: string
    readonly category: Category
    readonly description: string
    readonly tags: readonly string[]
  }
  readonly reasoning?: string
  readonly confidence?: number
  readonly alternatives: readonly { readonly label: string; readonly whyNot?: string; readonly root?: string }[]
  readonly expects: readonly Expectation[]
  readonly tools: readonly ToolCall[]
  readonly trace?: string
}

/** What a write gives back: the commit that holds it, which is the old head when nothing changed. */
export interface Written extends Commit {
  readonly changed: boolean
}

/** The commit with what its detail holds. */
export function* commitFrom(journal: Journal, stored: StoredCommit): Work<Commit> {
  const detail = yield* detailOf(journal, stored)
  const { record } = stored
  const { intent } = record
  const reasoning = record.reasoning ?? detail.reasoning
  return {
    id: hexOfId(stored.id),
    seq: stored.seq,
    parents: record.parents.map(hexOfId),
    root: hexOfId(record.tree),
    timestamp: new Date(record.time).toISOString(),
    agent: record.agent,
    ...optional('principal', record.principal),
    authority: record.authority ?? [],
    ...optional('session', record.session),
    intent: {
      id: intent.id,
      ...optional('parent', intent.parent),
      category: intent.category,
      description: intent.description,
      tags: intent.tags ?? [],
    },
    ...optional('reasoning', reasoning),
    ...optional('confidence', record.confidence === undefined ? undefined : record.confidence / 1_000_000),
    alternatives: (detail.alternatives ?? []).map(({ label, whyNot, root }) => ({
      label,
      ...optional('whyNot', whyNot),
      ...optional('root', root),
    })),
    expects: detail.expects ?? [],
    tools: detail.tools ?? [],
    ...optional('trace', record.trace),
  }
}

export function* detailOf(journal: Journal, { detail }: StoredCommit): Work<Detail> {
  return readDetail(detail === undefined ? undefined : yield* valueOfChild(journal.context, detail))
}

export function* writtenFrom(journal: Journal, stored: StoredCommit, changed: boolean): Work<Written> {
  return { ...(yield* commitFrom(journal, stored)), changed }
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V })
}
