/**
 * Which commits a filter lets through.
 *
 * All that is given must hold. The same answer comes from an index, which only proposes, and from a walk: what decides is
 * here.
 */

import { checkedMoment, coreError, couldMatchBelow, type Glob, matchesGlob, type Path } from '../../core/index.ts'
import type { StoredCommit } from '../../store/index.ts'
import type { EpochScope } from '../log/epoch-entry.ts'
import { changedPath } from '../records/changed-path.ts'
import type { Category } from '../records/info.ts'
import { type PathFilter, pathFilterOf } from './path-filter.ts'
import { hasWords, type WantedWords, wantedWords } from './words.ts'

/** All that is given must hold. A list means any of them; `tags` means all of them. */
export interface CommitFilter {
  agent?: string | readonly string[] | undefined
  category?: Category | readonly Category[] | undefined
  tags?: readonly string[] | { any: readonly string[] } | undefined
  /** Words in description or reasoning, all of them. A text without a letter or digit finds nothing. */
  text?: string | undefined
  confidence?: { min?: number | undefined; max?: number | undefined } | undefined
  since?: Date | string | undefined
  until?: Date | string | undefined
  /** Commits that changed this place or something below it; or places that match, when it is a pattern. */
  path?: Path | undefined
  /** The place of `path` alone. A pattern is always exact. */
  exact?: boolean | undefined
  session?: string | undefined
  /** This intent and those below it. */
  intent?: string | undefined
  authority?: string | undefined
  /** Between the beginning and the seal of an epoch and, if it has root intents, at or below one of them. */
  epoch?: string | undefined
  deviated?: boolean | undefined
  firstParent?: boolean | undefined
  order?: 'newest' | 'oldest' | undefined
  limit?: number | undefined
}

/** A filter, checked and ready to be asked. */
export interface Matcher {
  readonly agents: readonly string[] | undefined
  readonly categories: readonly string[] | undefined
  readonly allTags: readonly string[]
  readonly anyTags: readonly string[] | undefined
  readonly text: WantedWords | undefined
  readonly minConfidence: number | undefined
  readonly maxConfidence: number | undefined
  readonly since: number | undefined
  readonly until: number | undefined
  readonly path: PathFilter | undefined
  readonly session: string | undefined
  /** For each list, the commit's intent must be one of it, or below one. */
  readonly intents: readonly (readonly string[])[]
  readonly authority: string | undefined
  readonly isDeviated: boolean | undefined
  /** The part of the journal asked for, both ends included. */
  readonly range: { readonly from: number; readonly to: number } | undefined
}

/** What the journal says about intents, where a filter asks for it. */
export interface IntentFacts {
  /** For each list of intents asked for, those at or below one of it. Undefined where that need not be asked. */
  readonly below: readonly ReadonlySet<string>[] | undefined
  /** The intents that were resolved with deviations. */
  readonly deviated: ReadonlySet<string> | undefined
}

/** Makes a filter ready. `epoch` is what the one that it names covers. */
export function matcherOf(filter: CommitFilter, epoch?: EpochScope): Matcher {
  const { tags, confidence } = filter
  const intents = filter.intent === undefined ? [] : [[filter.intent]]
  return {
    agents: listOf(filter.agent),
    categories: listOf(filter.category),
    allTags: tags === undefined || 'any' in tags ? [] : tags,
    anyTags: tags !== undefined && 'any' in tags ? tags.any : undefined,
    text: filter.text === undefined ? undefined : wantedWords(checkedString('text', filter.text)),
    minConfidence: millionths('confidence.min', confidence?.min),
    maxConfidence: millionths('confidence.max', confidence?.max),
    since: momentOf('since', filter.since),
    until: momentOf('until', filter.until),
    path: pathFilterOf(filter.path, filter.exact),
    session: filter.session,
    intents: epoch === undefined || epoch.rootIntents.length === 0 ? intents : [...intents, epoch.rootIntents],
    authority: filter.authority,
    isDeviated: filter.deviated,
    range: epoch === undefined ? undefined : { from: epoch.from, to: epoch.to },
  }
}

/** Whether a commit passes. `longReasoning` is that of its detail, when its text has none. */
export function matches(
  matcher: Matcher,
  { seq, record, entry }: Pick<StoredCommit, 'seq' | 'record' | 'entry'>,
  facts: IntentFacts,
  longReasoning: string | undefined,
): boolean {
  const { intent } = record
  const tags = intent.tags ?? []
  return (
    isWithin(seq, matcher.range?.from, matcher.range?.to) &&
    (matcher.agents?.includes(record.agent) ?? true) &&
    (matcher.categories?.includes(intent.category) ?? true) &&
    matcher.allTags.every(tag => tags.includes(tag)) &&
    (matcher.anyTags?.some(tag => tags.includes(tag)) ?? true) &&
    isWithin(record.confidence, matcher.minConfidence, matcher.maxConfidence) &&
    isWithin(record.time, matcher.since, matcher.until) &&
    (matcher.session === undefined || record.session === matcher.session) &&
    (matcher.authority === undefined || (record.authority ?? []).includes(matcher.authority)) &&
    (facts.below?.every(below => below.has(intent.id)) ?? true) &&
    (matcher.isDeviated === undefined || (facts.deviated?.has(intent.id) ?? false) === matcher.isDeviated) &&
    (matcher.path === undefined || touches(entry.changed ?? [], matcher.path.glob)) &&
    (matcher.text === undefined ||
      hasWords(matcher.text, `${intent.description} ${record.reasoning ?? longReasoning ?? ''}`))
  )
}

/** Whether no commit at all can pass: there is nothing to look for. */
export function isImpossible({ text }: Matcher): boolean {
  return text !== undefined && text.words.length === 0 && text.runs.length === 0
}

/** A commit touches a glob when it changed a path that matches, or one at which everything below was replaced. */
function touches(changed: readonly string[], glob: Glob): boolean {
  return changed.some(path => {
    const { segments } = changedPath(path)
    return matchesGlob(glob, segments) || couldMatchBelow(glob, segments)
  })
}

function isWithin(value: number | undefined, min: number | undefined, max: number | undefined): boolean {
  if (min === undefined && max === undefined) return true
  return value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max)
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value
}

function checkedString(field: string, value: string): string {
  if (typeof value === 'string') return value
  throw coreError('option-invalid', { field, reason: `${String(value)} is not a text` })
}

function millionths(field: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!(value >= 0 && value <= 1))
    throw coreError('option-invalid', { field, reason: `${value} is not between 0 and 1` })
  return Math.round(value * 1_000_000)
}

function momentOf(field: string, value: Date | string | undefined): number | undefined {
  if (value === undefined) return undefined
  return checkedMoment(field, value)
}
