/**
 * Merge policies: how two changes of one path become one. Policies are found by path pattern.
 *
 * A policy that does not apply to the values decides nothing, and the path stays a conflict. Lists are merged by policy in
 * merge-list.ts.
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

/** A merge policy that the library knows by name. */
export type PolicyName = 'manual' | 'ours' | 'theirs' | 'latest' | 'max' | 'min' | 'sum' | 'union' | 'append' | 'text'
/**
 * A function gets the decoded values and returns the merged one; an absent side is `undefined`. The result `undefined`
 * removes the path, unless both sides are present and one of them is the value `undefined`: then it is that value.
 */
export type PolicyFunction = (base: unknown, ours: unknown, theirs: unknown) => unknown
/** What decides a merge at a path: a name, a union by a field, or a function. */
export type Policy = PolicyName | { readonly unionBy: string } | PolicyFunction
/** Policies by path pattern. Of several that match, the most specific one applies. */
export type Policies = Readonly<Record<string, Policy>>

export type Side = 'ours' | 'theirs'
/** The values at one path; an absent side is `undefined`. */
export interface Sides {
  readonly base: Stored | undefined
  readonly ours: Stored | undefined
  readonly theirs: Stored | undefined
}
/** A side, or a value; the value `undefined` removes the path. */
export type Decision = { readonly side: Side } | { readonly value: Stored | undefined } | undefined

export type PolicyTable = readonly { readonly glob: Glob; readonly policy: Policy }[]

const names: readonly string[] = ['manual', 'ours', 'theirs', 'latest', 'max', 'min', 'sum', 'union', 'append', 'text']

/**
 * Reads the patterns of several sources, in order of precedence. At a path, the first source with a matching pattern
 * decides, by its most specific one.
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
 * Whether the policy at a path decides maps as a whole. Otherwise they are merged key by key: a policy for numbers, lists
 * or texts is about the parts, and so is a pattern that ends in `**`.
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

/** The decision of a policy about two changed sides; undefined leaves them in conflict. */
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

/** Whether `undefined` is a value at a path: both sides are present, and one of them is it. */
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
  // Equal in order but not in text, such as 1 and 1n: the texts decide, so that swapping the sides changes nothing.
  return canonicalText(a) < canonicalText(b) ? -1 : 1
}

/** A value that has an order, read from its stored form. Other values are not decoded: they may be large, or encrypted. */
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

/** Appends strings to which both sides appended. */
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
