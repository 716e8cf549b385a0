/**
 * Why a change is made: what callers say, checked and completed, and split into what the commit's text holds and what goes
 * into its detail.
 */

import {
  coreError,
  decode,
  encode,
  isPlainObject,
  isWholeList,
  parsePath,
  type Stored,
  utf8Length,
} from '../../core/index.ts'
import type { Journal, CommitInfo as StoredInfo } from '../../store/index.ts'
import { decrypted, type Encryption, encryptedAt, type TreeContext } from '../../tree/index.ts'
import type { Author } from './author.ts'
import type { SchemaWarning } from './violation.ts'

/** What kind of change a commit is. Any other text is a category of your own. */
export type Category =
  | 'Checkpoint'
  | 'Explore'
  | 'Refine'
  | 'Fix'
  | 'Rollback'
  | 'Merge'
  | 'Migrate'
  | 'Plan'
  | (string & {})

/** Why a change is made. A plain string is its description. */
export type Why<Options = unknown> = string | (CommitInfo & Options)

/** Why a change is made, in full. Only `description` is required. */
export interface CommitInfo {
  description: string
  category?: Category | undefined
  agent?: string | undefined
  reasoning?: string | undefined
  confidence?: number | undefined
  tags?: readonly string[] | undefined
  alternatives?: readonly (Alternative | ConsideredSpeculation)[] | undefined
  expects?: readonly Expectation[] | undefined
  tools?: readonly ToolCall[] | undefined
  /** What else goes with the change, by name: a ticket, a link, a measurement. */
  attached?: Readonly<Record<string, unknown>> | undefined
  intent?: { id?: string | undefined; parent?: string | undefined } | undefined
  trace?: string | undefined
  /** A retry with the same key gives the first commit again. The key is the principal's own, and stands for one request. */
  idempotencyKey?: string | undefined
  /** With a key: what the request says beyond this call, such as the input of a transaction's function. A retry must say the same. */
  request?: unknown
}

/** What was considered and not done. With a speculation, what it would have changed stays readable. */
export interface Alternative {
  label: string
  whyNot?: string | undefined
  speculation?: SpeculationRef | undefined
}
/** A speculation, or its id. */
export type SpeculationRef = string | { readonly id: string }
/** A speculation named as an alternative as it is. */
export interface ConsideredSpeculation {
  readonly id: string
  readonly label?: string | undefined
  readonly base?: string
}
/** What a change is expected to lead to: a value, a range or a text at a path. */
export type Expectation = { path: string } & ({ equals: unknown } | { min?: number; max?: number } | { text: string })
/** A tool that an agent called on the way to a change. */
export interface ToolCall {
  name: string
  args?: unknown
  result?: unknown
  started?: string | undefined
  ended?: string | undefined
}

/** An alternative as the detail keeps it: with the commits that tell what it would have changed. */
export interface StoredAlternative {
  readonly label: string
  readonly whyNot?: string
  /** Hex ids: of the state it led to, of the speculation's last commit, and of the commit it began at. */
  readonly root?: string
  readonly commit?: string
  readonly base?: string
}

/** Who let a proposal land, and why. */
export interface Approval {
  readonly by: string
  readonly reason: string
  /** The id of the proposal. */
  readonly proposal: string
}

/** A question that a step of a graph waited for, and its answer. */
export interface AnsweredQuestion {
  /** The node that asked. */
  readonly node: string
  readonly question?: unknown
  readonly value?: unknown
  readonly by?: string
  readonly reason?: string
}

/** The root of a commit's detail, as a value. */
export interface Detail {
  readonly reasoning?: string | undefined
  readonly alternatives?: readonly StoredAlternative[] | undefined
  readonly expects?: readonly Expectation[] | undefined
  readonly tools?: readonly ToolCall[] | undefined
  readonly attached?: Readonly<Record<string, unknown>> | undefined
  readonly warnings?: readonly SchemaWarning[] | undefined
  readonly approval?: Approval | undefined
  readonly answers?: readonly AnsweredQuestion[] | undefined
}

export interface Reason {
  readonly info: StoredInfo
  readonly detail?: Stored | undefined
  /** The entries of the commits that its alternatives name. */
  readonly needs?: readonly number[] | undefined
}

/** Texts up to this stand in the commit's own text. */
const SHORT_BYTES = 1024
const MAX_REASONING_BYTES = 1024 * 1024
const MAX_TAGS = 64

/** What a caller said, as an object. */
export function givenInfo<Options>(why: Why<Options>): CommitInfo & Partial<Options> {
  if (typeof why === 'string') return { description: why } as CommitInfo & Partial<Options>
  if (typeof why === 'object' && why !== null) return why
  throw invalid('reason for this change', 'it is missing: say why in a string, or in an object with a description')
}

/** Checks and completes a why. `category` is the one used when the caller names none. */
export function reasonOf(
  { journal, who }: { readonly journal: Journal; readonly who: Author },
  why: Why,
  category: Category,
  alternatives: readonly StoredAlternative[] = [],
): Reason {
  const given = givenInfo(why)
  if (given.tags !== undefined && !Array.isArray(given.tags)) throw invalid('tags', 'they are not a list')
  const reasoning = checkedText('reasoning', given.reasoning, MAX_REASONING_BYTES)
  const isLong = reasoning !== undefined && utf8Length(reasoning) > SHORT_BYTES
  const tags = who.tags.length === 0 && given.tags === undefined ? [] : tagsOf([...who.tags, ...(given.tags ?? [])])
  const info: StoredInfo = {
    agent: checkedText('agent', given.agent ?? who.agent, 256)!,
    intent: {
      id: checkedText('intent id', given.intent?.id, 256) ?? journal.ids(),
      parent: checkedText('parent intent', given.intent?.parent ?? who.intent, 256),
      category: checkedText('category', given.category ?? category, 64)!,
      description: checkedText('description', given.description ?? '', SHORT_BYTES)!,
      tags: tags.length === 0 ? undefined : tags,
    },
    reasoning: isLong ? undefined : reasoning,
    confidence: millionths(given.confidence),
    trace: checkedText('trace', given.trace ?? who.trace, 256),
  }
  const detail = detailOf(journal.context, isLong ? reasoning : undefined, alternatives, given)
  return { info, detail }
}

function detailOf(
  { encryption, classes }: TreeContext,
  reasoning: string | undefined,
  alternatives: readonly StoredAlternative[],
  { expects, tools, attached }: CommitInfo,
): Stored | undefined {
  const detail: Record<string, unknown> = {}
  if (reasoning !== undefined) detail['reasoning'] = reasoning
  if (alternatives.length > 0) detail['alternatives'] = alternatives
  if (expects !== undefined && expects.length > 0) detail['expects'] = expects
  if (tools !== undefined && tools.length > 0) detail['tools'] = tools
  if (attached !== undefined && !isPlainObject(attached)) throw invalid('attached', 'it is not an object with names')
  if (attached !== undefined && Object.keys(attached).length > 0) detail['attached'] = attached
  if (Object.keys(detail).length === 0) return undefined
  const stored = encode(withoutUndefined(detail), { classes }) as { readonly expects?: readonly StoredExpectation[] }
  return encryption === undefined || stored.expects === undefined
    ? (stored as Stored)
    : { ...stored, expects: stored.expects.map(one => encryptedExpectation(encryption, one)) }
}

type StoredExpectation = { readonly [field: string]: Stored }

/** What is expected of a protected path tells as much about its subject as what is there. */
export function encryptedExpectation(encryption: Encryption, expectation: StoredExpectation): StoredExpectation {
  const at = parsePath(expectation['path'] as string)
  const fields = Object.entries(expectation)
  return Object.fromEntries(
    fields.map(([field, value]) => [field, field === 'path' ? value : encryptedAt(encryption, at, value)]),
  )
}

/** A commit's detail. Values that a program gave are decoded on access, because a reader may lack their classes. */
export function readDetail({ encryption, classes }: TreeContext, stored: Stored | undefined): Detail {
  const fields = (stored ?? {}) as { readonly [field: string]: Stored }
  const read = (field: keyof Detail): unknown =>
    fields[field] === undefined ? undefined : decode(decrypted(encryption, fields[field]), classes)
  return {
    reasoning: read('reasoning') as Detail['reasoning'],
    alternatives: read('alternatives') as Detail['alternatives'],
    warnings: read('warnings') as Detail['warnings'],
    approval: read('approval') as Detail['approval'],
    get expects() {
      return read('expects') as Detail['expects']
    },
    get tools() {
      return read('tools') as Detail['tools']
    },
    get answers() {
      return read('answers') as Detail['answers']
    },
    get attached() {
      return read('attached') as Detail['attached']
    },
  }
}

/** Optional fields that were left out stay left out, whatever they were set to. */
export function withoutUndefined(value: unknown): unknown {
  // A list with holes or properties stays as it is, to be refused: a copy would lose them.
  if (Array.isArray(value)) return isWholeList(value) ? value.map(withoutUndefined) : value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutUndefined(field)]))
}

function tagsOf(tags: readonly string[]): readonly string[] {
  const unique = [...new Set(tags.map(tag => checkedText('tag', tag, 128)!))]
  if (unique.length > MAX_TAGS) throw invalid('tags', `there are ${unique.length}, and the limit is ${MAX_TAGS}`)
  return unique
}

export function millionths(confidence: number | undefined): number | undefined {
  if (confidence === undefined) return undefined
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    throw invalid('confidence', `${confidence} is not between 0 and 1`)
  }
  return Math.round(confidence * 1_000_000)
}

/** Gives a text back, or says why it cannot be kept. */
export function checkedText(field: string, value: string | undefined, maxBytes: number): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.trim() === '') throw invalid(field, 'it is empty')
  if (/\p{Surrogate}/u.test(value)) throw invalid(field, 'it contains a lone surrogate')
  const size = value.length * 3 <= maxBytes ? 0 : utf8Length(value)
  if (size > maxBytes) throw invalid(field, `it has ${size} bytes, and the limit is ${maxBytes}`)
  return value
}

function invalid(field: string, reason: string): Error {
  return coreError('option-invalid', { field, reason })
}
