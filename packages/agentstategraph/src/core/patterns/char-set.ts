/** Sets of characters, as a regular expression with the flag `u` writes them: sorted ranges of code points, both ends included. */

import { type Analysis, takeSteps } from './analysis.ts'

export type CharSet = readonly (readonly [from: number, to: number])[]

const LAST = 0x10ffff

/** What `.` means: all but the ends of lines. */
export const notLineEnd: CharSet = complement(setOf([0x0a, 0x0d, 0x2028, 0x2029]))

const classes: ReadonlyMap<string, CharSet> = new Map([
  ['d', [[0x30, 0x39]]],
  [
    'w',
    sorted([
      [0x30, 0x39],
      [0x41, 0x5a],
      [0x5f, 0x5f],
      [0x61, 0x7a],
    ]),
  ],
  [
    's',
    sorted([
      [0x09, 0x0d],
      [0x2000, 0x200a],
      ...setOf([0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]),
    ]),
  ],
])

export function setOf(codes: readonly number[]): CharSet {
  return sorted(codes.map(code => [code, code]))
}

/** The set of `\d`, `\w`, `\s` and their complements; undefined for other letters. */
export function findClass(letter: string): CharSet | undefined {
  const found = classes.get(letter.toLowerCase())
  return found === undefined || letter === letter.toLowerCase() ? found : complement(found)
}

export function sorted(ranges: CharSet): CharSet {
  const joined: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

export function complement(set: CharSet): CharSet {
  const gaps: [number, number][] = []
  let next = 0
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  if (next <= LAST) gaps.push([next, LAST])
  return gaps
}

/** Whether two sets have a character in common. */
export function overlap(a: CharSet, b: CharSet): boolean {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i]![1] < b[j]![0]) i++
    else if (b[j]![1] < a[i]![0]) j++
    else return true
  }
  return false
}

/** Every property that was asked for. There are some hundred of them, and each takes a millisecond. */
const properties = new Map<string, CharSet>()
let samples: string | undefined

/**
 * The set of `\p{…}`, as the runtime knows it. Beyond the first two planes, which hold nearly all that have properties, every
 * 16th character stands for those after it.
 */
export function propertySet(source: string, analysis: Analysis): CharSet {
  const known = properties.get(source)
  if (known !== undefined) return known
  takeSteps(analysis, STEPS_OF_PROPERTY)
  samples ??= sampleText()
  const ranges: [number, number][] = []
  for (const [run] of samples.matchAll(new RegExp(`${source}+`, 'gu'))) {
    const to = run.codePointAt(run.length - 1)!
    const last = isLowSurrogate(to) ? run.codePointAt(run.length - 2)! : to
    ranges.push([run.codePointAt(0)!, last >= EXACT_UNTIL ? last + SAMPLED - 1 : last])
  }
  const set = sorted(ranges)
  properties.set(source, set)
  return set
}

const STEPS_OF_PROPERTY = 2000
const EXACT_UNTIL = 0x20000
const SAMPLED = 16

function sampleText(): string {
  const parts: string[] = []
  for (let code = 0; code <= LAST; code += code < EXACT_UNTIL ? 1 : SAMPLED) {
    if (code < 0xd800 || code > 0xdfff) parts.push(String.fromCodePoint(code))
  }
  return parts.join('')
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
