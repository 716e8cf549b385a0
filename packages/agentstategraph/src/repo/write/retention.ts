/**
 * The rules of retention: which old states are kept, and how many were trimmed so far.
 *
 * They are recorded in the journal, so every process that collects garbage follows the same rules. The newest entry of the ref
 * `system/retention` holds them and the totals; an entry that trims states has them too.
 */

import { canonicalText, coreError, type Options, optionsOf } from '../../core/index.ts'
import { type Move, readEntry, retentionRef, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { findBody, type RetentionBody } from '../records/entry-bodies.ts'
import { findRef } from '../records/ref-names.ts'
import { recordEntries } from './record-entries.ts'

/** Which states of old commits are kept. One that any rule keeps is kept. */
export interface Keep {
  /** Keeps states that are newer. */
  readonly newerMs?: number | undefined
  /** Keeps the states of so many of the newest commits of each branch and thread. 1 unless given. */
  readonly count?: number | undefined
  /** Keeps the states of commits of these categories; those of `Checkpoint` are always kept. */
  readonly categories?: readonly string[] | undefined
}

export const keepOptions: Options<Keep> = optionsOf<Keep>('keep', { newerMs: true, count: true, categories: true })

/** The rules in force, and what was trimmed by these and earlier rules. */
export interface Retained {
  /** The entry that says so; null when there was no retention yet. */
  readonly at: number | null
  readonly keep: RetentionBody['keep']
  readonly states: number
  readonly bytes: number
}

export function* readRetention(): Work<Retained> {
  const at = yield* findRef(retentionRef)
  const body = at === null ? undefined : findBody((yield* readEntry(at)).record, 'prune')
  if (body === undefined || !('states' in body)) return { at, keep: undefined, states: 0, bytes: 0 }
  const { keep, states, bytes } = body
  return { at, keep, states, bytes }
}

/** Sets the rules, or without rules ends retention. What was trimmed before stays trimmed. */
export function* setRetention(handle: Handle, keep: Keep | undefined): Work<void> {
  const rules = keep === undefined ? {} : { keep: keptRules(keep) }
  for (;;) {
    const { at, states, bytes } = yield* readRetention()
    const body: RetentionBody = { ...rules, states, bytes }
    const record = { kind: 'prune', agent: handle.who.agent, body }
    const outcome = yield* recordEntries(handle, [{ capability: 'admin' }], [record], { moves: [retentionMove(at)] })
    if (outcome.kind === 'done') return
  }
}

export function isSameKeep(a: RetentionBody['keep'], b: RetentionBody['keep']): boolean {
  return canonicalText({ keep: a ?? null }) === canonicalText({ keep: b ?? null })
}

export function retentionMove(at: number | null): Move {
  return { name: retentionRef, expect: at, to: { entry: 0 } }
}

/** The rules as they are stored, or an error that says what is wrong with them. */
function keptRules({ newerMs, count, categories }: Keep): NonNullable<RetentionBody['keep']> {
  const refuse = (field: string, reason: string): never => {
    throw coreError('option-invalid', { field, reason })
  }
  if (newerMs === undefined && count === undefined) refuse('keep', 'it has neither newerMs nor count')
  if (newerMs !== undefined && !(Number.isSafeInteger(newerMs) && newerMs >= 0))
    refuse('newerMs', `${newerMs} is not a whole number of milliseconds`)
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 1)) refuse('count', `${count} is not at least 1`)
  if (categories !== undefined && !(Array.isArray(categories) && categories.every(one => typeof one === 'string')))
    refuse('categories', 'it is not a list of names')
  return {
    ...(newerMs === undefined ? {} : { newerMs }),
    ...(count === undefined ? {} : { count }),
    ...(categories === undefined ? {} : { categories: [...categories] }),
  }
}
