/**
 * How two changes of one place become one: policies, found by path, and those among them that work on values alone.
 *
 * A policy that does not fit the values it meets decides nothing, and the place stays a conflict.
 */

import {
  type ClassTable,
  canonicalText,
  compareGlobs,
  decode,
  encode,
  formatPath,
  type Glob,
  isTagged,
  matchesGlob,
  parseGlob,
  type Stored,
} from '../../core/index.ts'
import { treeError } from '../errors.ts'
import { mergeText } from './merge-text.ts'

export type PolicyName = 'manual' | 'ours' | 'theirs' | 'latest' | 'max' | 'min' | 'sum' | 'union' | 'append' | 'text'
/**
 * A function gets the values as their users know them, and gives the one that holds; an absent side is `undefined`.
 * `undefined` as its answer takes the place away. Only where both sides are there and one of them holds `undefined` itself,
 * it is that value.
 */
export type PolicyFunction = (base: unknown, ours: unknown, theirs: unknown) => unknown
export type Policy = PolicyName | { readonly unionBy: string } | PolicyFunction
/** Policies by path pattern. Of several that match, the most specific holds. */
export type Policies = Readonly<Record<string, Policy>>

export type Side = 'ours' | 'theirs'
/** The values at one path; an absent side is `undefined`. */
export interface Sides {
  readonly base: Stored | undefined
  readonly ours: Stored | undefined
  readonly theirs: Stored | undefined
}
/** A side, or a value; a value that is `undefined` takes the place away. */
export type Decision = { readonly side: Side } | { readonly value: Stored | undefined } | undefined

export type PolicyTable = readonly { readonly glob: Glob; readonly policy: Policy }[]

const names: readonly string[] = ['manual', 'ours', 'theirs', 'latest', 'max', 'min', 'sum', 'union', 'append', 'text']

/**
 * Reads the patterns of several sources, the one that stands above the others first. At a path, the first source that has a
 * matching pattern decides, by its most specific one.
 */
export function policyTable(...sources: readonly Policies[]): PolicyTable {
  return sources.flatMap(policies =>
    Object.entries(policies)
      .map(([pattern, policy]) => {
        const glob = parseGlob(pattern)
        return { glob, policy: checked(pattern, policy, glob) }
      })
      .sort((a, b) => compareGlobs(a.glob, b.glob)),
  )
}

export function policyAt(table: PolicyTable, path: readonly string[]): Policy {
  return table.find(({ glob }) => matchesGlob(glob, path))?.policy ?? 'manual'
}

/**
 * Whether two maps at a path are for a policy to decide as a whole. Otherwise they are merged inside: a policy for
 * numbers, lists or texts means the parts, and so does a pattern that ends in `**`.
 */
export function decidesMaps(table: PolicyTable, path: readonly string[]): boolean {
  const found = table.find(({ glob }) => matchesGlob(glob, path))
  if (found === undefined || found.glob.parts.at(-1)?.kind === 'any') return false
  return isForMaps(found.policy)
}

function isForMaps(policy: Policy): boolean {
  return typeof policy === 'function' || ['ours', 'theirs', 'latest'].includes(policy as string)
}

function checked(path: string, policy: Policy, glob: Glob): Policy {
  if (typeof policy === 'function') return policy
  if (glob.parts.length === 0 && policy !== 'manual' && !isForMaps(policy)) {
    const reason = 'the root of a state is a map, so only manual, ours, theirs, latest or a function can decide it'
    throw treeError('policy-invalid', { path, reason })
  }
  if (typeof policy === 'string') {
    if (names.includes(policy)) return policy
    throw treeError('policy-invalid', { path, reason: `there is no policy "${policy}"` })
  }
  if (typeof policy?.unionBy === 'string' && policy.unionBy !== '') return policy
  throw treeError('policy-invalid', { path, reason: 'unionBy needs the name of a field' })
}

/** What a policy makes of two changed sides, or undefined when it leaves them in conflict. */
export function decide(
  policy: Policy,
  sides: Sides,
  later: Side,
  path: readonly string[],
  classes?: ClassTable,
): Decision {
  if (typeof policy === 'function') return { value: called(policy, sides, path, classes) }
  switch (policy) {
    case 'ours':
    case 'theirs':
      return { side: policy }
    case 'latest':
      return { side: later }
    case 'max':
    case 'min':
      return extreme(policy, sides)
    case 'sum':
      return sum(sides)
    case 'append':
      return appended(sides, later)
    case 'text':
      return text(sides)
    default:
      return undefined
  }
}

function called(
  policy: PolicyFunction,
  sides: Sides,
  path: readonly string[],
  classes: ClassTable | undefined,
): Stored | undefined {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(side =>
    side === undefined ? undefined : decode(side, classes),
  )
  let result: unknown
  try {
    result = policy(base, ours, theirs)
  } catch (cause) {
    const data = { path: formatPath(path), policy: policy.name || 'function', reason: String(cause) }
    throw treeError('policy-failed', data, { cause })
  }
  if (result === undefined && !isUndefinedKept(sides)) return undefined
  return encode(result, { at: path, classes })
}

/** Whether `undefined` is a value at a path: both sides are there, and one of them holds it. */
function isUndefinedKept({ ours, theirs }: Sides): boolean {
  const isHeld = (side: Stored | undefined): boolean => isTagged(side ?? null) && '$undefined' in (side as object)
  return ours !== undefined && theirs !== undefined && (isHeld(ours) || isHeld(theirs))
}

function extreme(policy: 'max' | 'min', { ours, theirs }: Sides): Decision {
  if (ours === undefined || theirs === undefined) return { side: ours === undefined ? 'theirs' : 'ours' }
  const order = compareStored(ours, theirs)
  if (order === undefined) return undefined
  return { side: order > 0 === (policy === 'max') ? 'ours' : 'theirs' }
}

/** The order of two numbers, bigints, dates or strings; undefined for anything else, or for two of different kinds. */
function compareStored(a: Stored, b: Stored): number | undefined {
  const [x, y] = [findScalar(a), findScalar(b)]
  if (x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y)) return undefined
  const isOrdered = (isNumeric(x) && isNumeric(y)) || typeof x === typeof y
  if (!isOrdered) return undefined
  if (x < y) return -1
  if (x > y) return 1
  // Equal in order but not in text, such as 1 and 1n: the texts decide, the same way on both sides.
  return canonicalText(a) < canonicalText(b) ? -1 : 1
}

/** What can be put in order, read from its stored form. Nothing else is read: it may be large, or encrypted. */
function findScalar(value: Stored): number | bigint | string | Date | undefined {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (!isTagged(value) || !('$number' in value || '$bigint' in value || '$date' in value)) return undefined
  const scalar = decode(value) as number | bigint | Date
  return scalar instanceof Date && Number.isNaN(scalar.getTime()) ? undefined : scalar
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function sum({ base, ours, theirs }: Sides): Decision {
  if (ours === undefined || theirs === undefined) return undefined
  const [x, y] = [findScalar(ours), findScalar(theirs)]
  const from = base === undefined ? undefined : findScalar(base)
  if (base !== undefined && typeof from !== typeof x) return undefined
  if (typeof x === 'bigint' && typeof y === 'bigint') return { value: encode(x + y - ((from as bigint) ?? 0n)) }
  if (typeof x === 'number' && typeof y === 'number') return { value: encode(x + y - ((from as number) ?? 0)) }
  return undefined
}

/** Strings that both grew at the end. Lists are appended where their elements are known: merge-list.ts. */
function appended({ base = '', ours, theirs }: Sides, later: Side): Decision {
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return undefined
  if (!ours.startsWith(base) || !theirs.startsWith(base)) return undefined
  const [first, second] = later === 'theirs' ? [ours, theirs] : [theirs, ours]
  return { value: first + second.slice(base.length) }
}

function text({ base = '', ours, theirs }: Sides): Decision {
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return undefined
  const merged = mergeText(base, ours, theirs)
  return merged === undefined ? undefined : { value: merged }
}
