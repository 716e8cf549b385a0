/** The readable part of a state is the tree of its readable values, whatever the containers are cut into. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Stored, userKey } from '../../src/core/index.ts'
import { keptParts } from '../../src/repo/visibility/kept-parts.ts'
import type { BranchScope, Readability } from '../../src/repo/visibility/made-read-scope.ts'
import { readableRoot } from '../../src/repo/visibility/readable-state.ts'
import { limitsByName, treesWith } from '../tree/support/trees.ts'
import { editedState, mapOf } from '../tree/support/values.ts'

type Pattern = readonly string[]

function begins(short: Pattern, long: Pattern): boolean {
  return short.length <= long.length && short.every((part, at) => part === '*' || long[at] === '*' || part === long[at])
}

/** A scope by its definition: `granted` is readable, without what is `hidden`. */
function scopeOf(granted: readonly Pattern[], hidden: readonly Pattern[]): BranchScope {
  const readability = (path: readonly string[]): Readability => {
    if (hidden.some(pattern => begins(pattern, path))) return 'none'
    if (granted.some(pattern => begins(pattern, path))) {
      return hidden.some(pattern => begins(path, pattern)) ? 'rest' : 'all'
    }
    return granted.some(pattern => begins(path, pattern)) ? 'part' : 'none'
  }
  return {
    names: ['main'],
    isWhole: false,
    isBlank: false,
    kept: keptParts(),
    readability,
    hiddenBy: () => undefined,
  }
}

/** The readable part of a value, value by value; undefined when there is none. */
function shown(scope: BranchScope, value: Stored, path: readonly string[]): Stored | undefined {
  const readability = scope.readability(path)
  if (readability === 'none') return undefined
  if (readability === 'all') return value
  const isRest = readability === 'rest'
  const isScalar = typeof value !== 'object' || value === null
  if (isScalar || Object.keys(value).some(key => /^\$[^$]/.test(key))) return isRest ? value : undefined
  if (Array.isArray(value)) {
    const parts = (value as readonly Stored[]).map((part, at) => shown(scope, part, [...path, `${at}`]))
    return isRest || parts.some(part => part !== undefined) ? parts.map(part => part ?? null) : undefined
  }
  const entries = Object.entries(value).flatMap(([key, part]) => {
    const one = shown(scope, part as Stored, [...path, userKey(key)])
    return one === undefined ? [] : [[userKey(key), one] as const]
  })
  return isRest || entries.length > 0 || path.length === 0 ? mapOf(entries) : undefined
}

/** Every path of a state. */
function pathsOf(value: Stored, at: readonly string[] = []): Pattern[] {
  if (typeof value !== 'object' || value === null) return [at]
  const below = Object.entries(value).flatMap(([key, part]) => pathsOf(part as Stored, [...at, userKey(key)]))
  return at.length === 0 ? below : [at, ...below]
}

const pick = fc.record({ path: fc.nat(), wild: fc.option(fc.nat(3), { nil: undefined }) })
const picks = fc.array(pick, { minLength: 1, maxLength: 4 })

function patternsFrom(paths: readonly Pattern[], chosen: readonly { path: number; wild?: number | undefined }[]) {
  if (paths.length === 0) return []
  return chosen.map(({ path, wild }) => paths[path % paths.length]!.map((part, at) => (at === wild ? '*' : part)))
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  it('it is what the values that may be read make, also when it is asked for again', () => {
    fc.assert(
      fc.property(
        editedState(3, 20),
        fc.option(picks, { nil: undefined }),
        picks,
        ({ start, batches }, given, without) => {
          const trees = treesWith(limits)
          const states = [start, ...batches.map(({ after }) => after)]
          const paths = pathsOf(start)
          const granted = given === undefined ? [[]] : patternsFrom(paths, given)
          const scope = scopeOf(granted, patternsFrom(paths, without))
          for (const state of [...states, ...states]) {
            const root = trees.root(state)
            const part = trees.run(readableRoot(trees.context, root, scope))
            const expected = trees.root(shown(scope, state, []) ?? {})
            expect(trees.value(part)).toEqual(trees.value(expected))
            expect(part.id).toBe(expected.id)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('nothing is made anew where everything is readable', () => {
    const trees = treesWith(limits)
    const root = trees.root(mapOf(Array.from({ length: 200 }, (_, n) => [`k${n}`, { n }])))
    expect(trees.run(readableRoot(trees.context, root, scopeOf([[]], [])))).toBe(root)
    expect(trees.run(readableRoot(trees.context, root, scopeOf([[]], [['elsewhere']])))).toBe(root)
  })
})
