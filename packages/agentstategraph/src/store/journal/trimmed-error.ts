/** What a reader is told who asks for a state that retention dropped: which commit had it, and by which rules it went. */

import { hexOfId, isStateError } from '../../core/index.ts'
import { ask, type Work } from '../contract/work.ts'
import { type StoreErrors, storeError } from '../errors.ts'
import { type EntryRecord, parseEntry } from './entry.ts'

/** The ref of the newest entry that set the rules of retention or trimmed states. */
export const retentionRef = 'system/retention'

/** The error with the commit and the rules, if it says that a state was trimmed; any other error as it is. */
export function* withTrimRule(error: unknown): Work<unknown> {
  if (!isStateError(error, 'state-trimmed')) return error
  const data = error.data as StoreErrors['state-trimmed']
  if (data.keep !== undefined) return error
  const commit = (yield* recordAt(data.seq))?.commit
  if (commit === undefined) return error
  const at = yield* ask(log => log.ref(retentionRef))
  const body = at === null ? undefined : (yield* recordAt(at))?.body
  const { keep } = (body ?? {}) as { readonly keep?: KeptRules }
  const words = at === null ? null : inWords(keep)
  return storeError('state-trimmed', { ...data, commit: hexOfId(commit), keep: words }, { cause: error })
}

/** Throws an error for a limited reader, who may not know the commit whose state was trimmed. */
export function throwForReader(error: unknown): never {
  if (!isStateError(error, 'state-trimmed')) throw error
  const { commit: _, ...data } = error.data as StoreErrors['state-trimmed']
  throw storeError('state-trimmed', data)
}

function* recordAt(seq: number): Work<EntryRecord | undefined> {
  const [row] = yield* ask(log => log.entries(seq, seq, ['text']))
  return row && parseEntry(row.text)
}

interface KeptRules {
  readonly newerMs?: number
  readonly count?: number
  readonly categories?: readonly string[]
}

const DAY_MS = 24 * 60 * 60 * 1000

function inWords({ newerMs, count = 1, categories = [] }: KeptRules = {}): string {
  const parts = [
    count === 1 ? 'the newest state of each branch' : `the ${count} newest states of each branch`,
    ...(newerMs === undefined ? [] : [`states of the last ${ageInWords(newerMs)}`]),
    `the categories ${[...new Set(['Checkpoint', ...categories])].join(', ')}`,
  ]
  return `${parts.join(', ')}, tags and epochs`
}

function ageInWords(ms: number): string {
  return ms % DAY_MS === 0 ? `${ms / DAY_MS} days` : `${ms} ms`
}
