/** The laws of a three-way merge, whatever the policies. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, formatPath, type Stored } from '../../src/core/index.ts'
import type { Merged, Policies, Resolution, StoredConflict } from '../../src/tree/index.ts'
import { type Plain, plainOf, plainText } from './support/plain.ts'
import { threeLists, threeRecordLists, threeStates } from './support/three-states.ts'
import { limitsByName, type MergeAsked, type Trees, treesWith } from './support/trees.ts'
import { mapOf, scalar } from './support/values.ts'

const states = fc.oneof(threeStates, threeLists, threeRecordLists)

/** Policies that do not care which side is which. */
const evenHanded: fc.Arbitrary<Policies> = fc.constantFrom<Policies>(
  {},
  { '/**': 'latest' },
  { '/list': 'append', '/few': 'append' },
  { '/list': 'union', '/few': 'union' },
  { '/list': { unionBy: 'id' }, '/few': { unionBy: 'id' } },
  { '/list': { unionBy: 'id' }, '/list/*/n': 'sum', '/few/*': 'max' },
  { '/*': 'max', '/list/*': 'latest' },
  { '/**': 'min' },
  { '/*/*': 'text', '/*': 'append' },
  { '/*': (_base: unknown, ours: unknown, theirs: unknown) => ({ kept: [ours, theirs].map(String).sort() }) },
)

function mirrored({ path, base, ours, theirs }: StoredConflict): object {
  return { path, base, ours: theirs, theirs: ours }
}

function byPath(conflicts: readonly object[]): string[] {
  return conflicts.map(conflict => JSON.stringify(conflict, (_key, value) => sorted(value))).sort()
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

describe.each(limitsByName)('with limits of %s', (_name, limits) => {
  const trees = treesWith(limits)

  it('with one side unchanged the result is the other, and with both equal it is that', () => {
    fc.assert(
      fc.property(states, evenHanded, ({ base, ours }, policies) => {
        const [b, o] = [trees.root(base), trees.root(ours)]
        for (const merged of [
          trees.merge(b, o, b, { policies }),
          trees.merge(b, b, o, { policies }),
          trees.merge(b, o, o, { policies }),
        ]) {
          expect(merged.conflicts).toEqual([])
          expect(merged.root.id).toBe(o.id)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('swapping the sides, and which is later, changes only names', () => {
    fc.assert(
      fc.property(states, evenHanded, ({ base, ours, theirs }, policies) => {
        const [b, o, t] = [base, ours, theirs].map(trees.root)
        const merged = trees.merge(b!, o!, t!, { policies, later: 'theirs' })
        const swapped = trees.merge(b!, t!, o!, { policies, later: 'ours' })
        expect(byPath(swapped.conflicts)).toEqual(byPath(merged.conflicts.map(mirrored)))
        const ourWay = resolved(trees, merged, [b!, o!, t!], { policies, later: 'theirs' }, () => 'ours')
        const theirWay = resolved(trees, swapped, [b!, t!, o!], { policies, later: 'ours' }, () => 'theirs')
        expect(theirWay.root.id).toBe(ourWay.root.id)
      }),
      { numRuns: 160 },
    )
  })

  it('with a resolution for each conflict there is none left', () => {
    const answer = fc.constantFrom<Resolution>('ours', 'theirs', 'base', { value: 'decided' })
    fc.assert(
      fc.property(
        states,
        evenHanded,
        fc.array(answer, { minLength: 1 }),
        ({ base, ours, theirs }, policies, answers) => {
          const three = [base, ours, theirs].map(trees.root) as [Root, Root, Root]
          const merged = trees.merge(...three, { policies })
          const after = resolved(trees, merged, three, { policies }, n => answers[n % answers.length]!)
          expect(after.conflicts).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
  })

  it('a conflict has a path of its own and the full values of all sides', () => {
    fc.assert(
      fc.property(states, evenHanded, ({ base, ours, theirs }, policies) => {
        const { conflicts } = trees.merge(trees.root(base), trees.root(ours), trees.root(theirs), { policies })
        expect(new Set(conflicts.map(({ path }) => path)).size).toBe(conflicts.length)
        for (const conflict of conflicts) {
          if (pathIsInList(conflict.path, [base, ours, theirs])) continue
          for (const [side, value] of Object.entries({ base, ours, theirs })) {
            const held = conflict[side as keyof StoredConflict] as Stored | undefined
            expect(held === undefined ? undefined : canonicalText(held)).toBe(textAt(plainOf(value), conflict.path))
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('what one side alone changed has the value of that side', () => {
    fc.assert(
      fc.property(states, three => {
        const { root, conflicts } = trees.merge(
          trees.root(three.base),
          trees.root(three.ours),
          trees.root(three.theirs),
        )
        const inConflict = new Set(conflicts.map(({ path }) => path))
        compareMaps(
          { base: plainOf(three.base), ours: plainOf(three.ours), theirs: plainOf(three.theirs) },
          plainOf(trees.value(root)),
          [],
          inConflict,
        )
      }),
      { numRuns: 120 },
    )
  })

  it('sides that edited different keys never conflict', () => {
    const cells = fc.array(fc.tuple(fc.nat(9), fc.nat(9), scalar, fc.boolean(), fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(cells, cells, (filled, edited) => {
        const base = Array.from({ length: 10 }, (): Map<string, Stored> => new Map())
        for (const [row, column, value] of filled) base[row]!.set(`${column}`, value)
        const [ours, theirs, both] = [0, 1, 2].map(() => base.map(row => new Map(row)))
        const owner = new Map<string, boolean>()
        for (const [row, column, value, isOurs, isRemoval] of edited) {
          const isMine = owner.get(`${row} ${column}`) ?? isOurs
          owner.set(`${row} ${column}`, isMine)
          for (const side of [isMine ? ours! : theirs!, both!]) {
            if (isRemoval) side[row]!.delete(`${column}`)
            else side[row]!.set(`${column}`, value)
          }
        }
        const rootOf = (rows: Map<string, Stored>[]) =>
          trees.root(mapOf(rows.map((row, n) => [`row ${n}`, mapOf(row)] as const)))
        const merged = trees.merge(rootOf(base), rootOf(ours!), rootOf(theirs!))
        expect(merged.conflicts).toEqual([])
        expect(merged.root.id).toBe(rootOf(both!).id)
      }),
      { numRuns: 100 },
    )
  })
})

type Root = ReturnType<Trees['root']>

function resolved(
  trees: Trees,
  { conflicts }: Merged,
  three: readonly [Root, Root, Root],
  asked: MergeAsked,
  answer: (n: number) => Resolution,
): Merged {
  const resolutions = new Map(conflicts.map(({ path }, n) => [path, answer(n)] as const))
  return trees.merge(...three, { ...asked, resolutions })
}

function childOf(at: Plain | undefined, segment: string): Plain | undefined {
  return at instanceof Map ? at.get(segment) : undefined
}

function segmentsOf(path: string): string[] {
  if (path === '[""]') return ['']
  return path === '/'
    ? []
    : path
        .slice(1)
        .split('/')
        .map(s => s.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function pathIsInList(path: string, values: readonly Stored[]): boolean {
  return values.some(value => {
    let at: Plain | undefined = plainOf(value)
    for (const segment of segmentsOf(path)) {
      if (Array.isArray(at)) return true
      at = childOf(at, segment)
    }
    return false
  })
}

function textAt(value: Plain, path: string): string | undefined {
  const found = segmentsOf(path).reduce<Plain | undefined>(childOf, value)
  return found === undefined ? undefined : plainText(found)
}

interface Sides<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/** Checks every key of every map that both sides have, down to where a side has no map. */
function compareMaps(
  { base, ours, theirs }: Sides<Plain | undefined>,
  merged: Plain | undefined,
  path: readonly string[],
  inConflict: ReadonlySet<string>,
): void {
  if (inConflict.has(formatPath(path))) return
  const [was, mine, yours, is] = [base, ours, theirs, merged].map(side => side && plainText(side))
  if (mine === yours || was === yours) expect([path, is]).toEqual([path, mine])
  else if (was === mine) expect([path, is]).toEqual([path, yours])
  else if (ours instanceof Map && theirs instanceof Map) {
    for (const key of new Set([...ours.keys(), ...theirs.keys(), ...(base instanceof Map ? base.keys() : [])])) {
      const three = { base: childOf(base, key), ours: childOf(ours, key), theirs: childOf(theirs, key) }
      compareMaps(three, childOf(merged, key), [...path, key], inConflict)
    }
  } else expect([path, Array.isArray(ours) && Array.isArray(theirs)]).toEqual([path, true])
}
