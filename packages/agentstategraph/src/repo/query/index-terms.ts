/**
 * What an index keeps of commits, and what a filter asks it for.
 *
 * The two halves belong together: whatever a filter lets through has, in each list of its proposal, one of the terms. The
 * reverse need not hold, because the filter looks at each commit again.
 */

import { appendAll, formatPath, type GlobPart } from '../../core/index.ts'
import type { CommitRecord, EntryRecord, IndexCount } from '../../store/index.ts'
import { changedPath } from '../records/changed-path.ts'
import { findBody } from '../records/entry-bodies.ts'
import { isLandingRef } from '../records/ref-names.ts'
import type { Matcher } from './filter.ts'
import { isLanded } from './landed.ts'
import { indexedWords, wordsOf } from './words.ts'

/** What to search an index for. */
export interface Proposal {
  readonly all: readonly (readonly string[])[]
  readonly none: readonly string[]
}

/** The term of every entry that moves a ref. */
export function moveTerm(ref: string): string {
  return `ref ${ref}`
}

/** The term of every entry that moves a branch otherwise than by a commit whose one parent is where the branch was. */
export function bendTerm(ref: string): string {
  return `bend ${ref}`
}

export const landedTerm = 'landed'
export const deviatedTerm = 'deviated'
/** The term of entries that resolve an intent. */
export const resolvedTerm = 'resolved'
export const foreignTerm = 'foreign'

/** The term of a landed commit of an agent. */
export function agentTerm(agent: string): string {
  return `agent ${agent}`
}

/** The term of a landed commit of a category. */
export function categoryTerm(category: string): string {
  return `category ${category}`
}

/** The term of a commit that has an intent. */
export function intentTerm(intent: string): string {
  return `intent ${intent}`
}

/** The term of a commit whose intent is below another. */
export function belowTerm(intent: string): string {
  return `below ${intent}`
}

/** The term of a commit that was the first to name an intent as the one above its own. */
export function underTerm(intent: string): string {
  return `under ${intent}`
}

/** The term of a commit whose intent is below more intents than are listed. */
export const deepTerm = 'deep'

/** The terms that every index has, by which commits are counted or left out: one entry too many gives a wrong answer. */
export const exactTerms: readonly string[] = [landedTerm, deviatedTerm, resolvedTerm]

/** Whether an entry that has a term in vain gives a wrong answer. */
export function isExactTerm(term: string): boolean {
  return exactTerms.includes(term) || term.startsWith(agentTerm('')) || term.startsWith(categoryTerm(''))
}

/** What the body of an event says of where it belongs. */
export interface EventPlace {
  readonly branch: string
  readonly agent?: string | undefined
  readonly kind?: string | undefined
}

/** The terms of an event: of its branch, and of each more that is told. */
export function eventTerms({ branch, agent, kind }: EventPlace): string[] {
  const terms = [`event ${branch}`]
  if (agent !== undefined) terms.push(`event ${branch} by ${agent}`)
  if (kind !== undefined) terms.push(`event ${branch} is ${kind}`)
  return terms
}

/** The way of making terms that is described here. An index that was made in another way is made anew. */
export const termScheme = '6'

/** The groups in which an index counts names. */
export const groups = {
  /** The scheme that the terms of the index were made by. */
  schemes: 'schemes',
  /** Landed commits by agent. */
  agents: 'agents',
  /** Landed commits by category. */
  categories: 'categories',
  /** The bytes of the texts of entries and commits, under an empty name. */
  textBytes: 'text bytes',
  /**
   * What is known of an intent, each once: `first` with the entry of its first commit, which may be a draft, and with the intent that
   * this commit names above its own; `parent` with another such intent; `resolved` with an entry that resolved it; `deviated`; and
   * `awaited`, when another was put below it before its first commit.
   */
  intent: (intent: string): string => `intent ${intent}`,
}

/** The names of `groups.intent`. */
export const intentNames = {
  awaited: 'awaited',
  deviated: 'deviated',
  first: (seq: number, parent?: string): string => (parent === undefined ? `first ${seq}` : `first ${seq} ${parent}`),
  resolved: (seq: number): string => `resolved ${seq}`,
  parent: (intent: string): string => `parent ${intent}`,
}

/** What some names of `groups.intent` say of a word. */
export function saidOfIntent(names: Iterable<string>, word: 'first' | 'parent' | 'resolved'): string[] {
  const found: string[] = []
  for (const name of names) {
    const [kind, said, above] = partsOf(name)
    if (kind === word) found.push(said)
    else if (word === 'parent' && above !== undefined) found.push(above)
  }
  return found
}

function partsOf(name: string): readonly [kind: string, said: string, above?: string] {
  const from = name.indexOf(' ')
  const kind = name.slice(0, from)
  const to = kind === 'first' ? name.indexOf(' ', from + 1) : -1
  return to < 0 ? [kind, name.slice(from + 1)] : [kind, name.slice(from + 1, to), name.slice(to + 1)]
}

/** What the first batch of an index tells of how its terms are made. */
export const schemeCount: IndexCount = { group: groups.schemes, name: termScheme, count: 1 }

/** The terms that an entry has by itself, some more than once. Those about its intent's place among others come from elsewhere. */
export function termsOf(entry: EntryRecord, record: CommitRecord | undefined, reasoning: string | undefined): string[] {
  const terms: string[] = []
  for (const move of entry.moves) {
    terms.push(moveTerm(move[0]))
    if (isLandingRef(move[0]) && !isStraight(move, entry, record)) terms.push(bendTerm(move[0]))
  }
  if (entry.kind === 'resolve') terms.push(resolvedTerm)
  const event = findBody(entry, 'event')
  // A continuation of a long value has no branch.
  if (event?.branch !== undefined) appendAll(terms, eventTerms(event))
  if (record === undefined || !isLanded(entry)) return terms
  const { agent, intent, session, authority = [], confidence } = record
  terms.push(landedTerm, agentTerm(agent), categoryTerm(intent.category), intentTerm(intent.id))
  for (const tag of intent.tags ?? []) terms.push(`tag ${tag}`)
  for (const grant of authority) terms.push(`authority ${grant}`)
  if (session !== undefined) terms.push(`session ${session}`)
  if (confidence !== undefined) terms.push(tenth(Math.floor(confidence / TENTH)), hundredth(hundredthOf(confidence)))
  if (record.time !== entry.time) terms.push(foreignTerm)
  for (const path of entry.changed ?? []) appendAll(terms, pathTerms(path))
  for (const word of wordsOf(`${intent.description} ${reasoning ?? ''}`)) terms.push(`word ${word}`)
  return terms
}

/** Commits that come from elsewhere move refs by other rules. */
function isStraight(
  [, from, to]: EntryRecord['moves'][number],
  entry: EntryRecord,
  record: CommitRecord | undefined,
): boolean {
  if (record === undefined || findBody(entry, 'commit')?.via !== undefined) return false
  return from !== null && to === 0 && record.parents.length === 1
}

export function proposalOf(matcher: Matcher): Proposal {
  const { agents, categories, anyTags, session, authority, intents, isDeviated, path } = matcher
  const all: (readonly string[])[] = []
  const anyOf = (kind: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) all.push(values.map(value => `${kind} ${value}`))
  }
  anyOf('agent', agents)
  anyOf('category', categories)
  anyOf('tag', anyTags)
  for (const tag of matcher.allTags) all.push([`tag ${tag}`])
  if (session !== undefined) all.push([`session ${session}`])
  if (authority !== undefined) all.push([`authority ${authority}`])
  for (const roots of intents) all.push([...roots.flatMap(root => [intentTerm(root), belowTerm(root)]), deepTerm])
  if (isDeviated === true) all.push([deviatedTerm])
  for (const word of matcher.text === undefined ? [] : indexedWords(matcher.text)) all.push([`word ${word}`])
  const paths = path === undefined ? undefined : globTerms(path.glob.parts)
  if (paths !== undefined) all.push(paths)
  const { minConfidence: min, maxConfidence: max } = matcher
  if (min !== undefined || max !== undefined) all.push(confidenceTerms(min ?? 0, max ?? MILLION))
  all.push([landedTerm])
  // The fewer terms a list has, the sooner it is known that a part of the journal has none.
  return { all: all.sort((a, b) => a.length - b.length), none: isDeviated === false ? [deviatedTerm] : [] }
}

/** The term of a landed commit that changed a path itself, or a whole there. */
export function atTerm(path: string): string {
  return `at ${path}`
}

/** The term of a landed commit that changed something below a path. */
export function inTerm(path: string): string {
  return `in ${path}`
}

/** `at` for the path that changed, `in` for each above it. */
function pathTerms(changed: string): string[] {
  const { segments } = changedPath(changed)
  const terms = [atTerm(formatPath(segments))]
  for (let length = 1; length < segments.length; length++) terms.push(inTerm(formatPath(segments.slice(0, length))))
  return terms
}

/** What changed below the part of a pattern without stars, at it or, as a whole, above it. Undefined for anything. */
function globTerms(parts: readonly GlobPart[]): readonly string[] | undefined {
  const fixed: string[] = []
  for (const part of parts) {
    if (part.kind !== 'key') break
    fixed.push(part.key)
  }
  if (fixed.length === 0) return parts.length === 0 ? [atTerm(formatPath([]))] : undefined
  // What changed below a place that is meant alone is not meant.
  const terms = fixed.length === parts.length ? [] : [inTerm(formatPath(fixed))]
  for (let length = 0; length <= fixed.length; length++) terms.push(atTerm(formatPath(fixed.slice(0, length))))
  return terms
}

const MILLION = 1_000_000
const TENTH = 100_000
const HUNDREDTH = 10_000

function hundredthOf(confidence: number): number {
  return Math.floor(confidence / HUNDREDTH)
}

function tenth(n: number): string {
  return `tenth ${n}`
}

function hundredth(n: number): string {
  return `hundredth ${n}`
}

/** Few terms that cover a range: whole tenths, and hundredths at both ends. */
function confidenceTerms(min: number, max: number): string[] {
  const terms: string[] = []
  const last = hundredthOf(max)
  for (let n = hundredthOf(min); n <= last; ) {
    const isWhole = n % 10 === 0 && n + 9 <= last
    terms.push(isWhole ? tenth(n / 10) : hundredth(n))
    n += isWhole ? 10 : 1
  }
  return terms
}
