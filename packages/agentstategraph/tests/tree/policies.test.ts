/** Merge policies as tables of cases, and conflicts where no policy decides. */
import { describe, expect, it } from 'vitest'
import type { Stored } from '../../src/core/index.ts'
import type { Policies, Policy, StoredConflict } from '../../src/tree/index.ts'
import { type MergeAsked, tinyLimits, treesWith } from './support/trees.ts'

const trees = treesWith(tinyLimits)
const absent = Symbol('absent')
type Side = Stored | typeof absent

function merged(base: Stored, ours: Stored, theirs: Stored, asked?: MergeAsked) {
  const { root, conflicts } = trees.merge(trees.root(base), trees.root(ours), trees.root(theirs), asked)
  return { value: asJson(trees.value(root)), conflicts: asJson(conflicts) as readonly StoredConflict[] }
}

/** The same, on null-prototype maps, as a test writes it. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function at(side: Side): Stored {
  return side === absent ? {} : { at: side }
}

/** What a policy makes of one place, or 'conflict'. */
function decided(policy: Policy, [base, ours, theirs]: readonly Side[], later: 'ours' | 'theirs' = 'theirs'): unknown {
  const { value, conflicts } = merged(at(base!), at(ours!), at(theirs!), { policies: { '/at': policy }, later })
  if (conflicts.length > 0) return `conflict at ${conflicts.map(({ path }) => path).join(' ')}`
  return (value as { at?: unknown }).at ?? 'nothing'
}

describe('policies decide', () => {
  const big = (digits: string): Stored => ({ $bigint: digits })
  const date = (day: string): Stored => ({ $date: `2026-01-${day}T00:00:00.000Z` })
  const person = (id: number, name: string): Stored => ({ id, name })

  it.each<[Policy, string, readonly Side[], unknown]>([
    ['manual', 'two changes', [1, 2, 3], 'conflict at /at'],
    ['ours', 'two changes', [1, 2, 3], 2],
    ['ours', 'a removal against a change', [1, absent, 3], 'nothing'],
    ['theirs', 'two changes', [1, 2, 3], 3],
    ['theirs', 'two lists', [[1], [1, 2], [1, 3]], [1, 3]],
    ['theirs', 'two maps as a whole', [{}, { a: 1 }, { b: 1 }], { b: 1 }],
    ['latest', 'two changes', [1, 2, 3], 3],
    ['latest', 'a removal that is later', [1, 2, absent], 'nothing'],
    ['max', 'numbers', [1, 20, 3], 20],
    ['max', 'strings', ['a', 'b', 'c'], 'c'],
    ['max', 'bigints', [big('1'), big('20'), big('3')], big('20')],
    ['max', 'a number and a bigint', [1, 2, big('3')], big('3')],
    ['max', 'dates', [date('01'), date('03'), date('02')], date('03')],
    ['max', 'a number and infinity', [1, { $number: '-Infinity' }, 2], 2],
    ['max', 'a removal against a change', [1, absent, 3], 3],
    ['max', 'a number and a string', [1, 2, 'x'], 'conflict at /at'],
    ['max', 'not a number', [1, 2, { $number: 'NaN' }], 'conflict at /at'],
    ['max', 'an invalid date', [1, date('01'), { $date: null }], 'conflict at /at'],
    [
      'max',
      'sealed values, unread',
      [1, { $sealed: ['k', '/{subject}', 'x'] }, { $sealed: ['k', '/{subject}', 'y'] }],
      'conflict at /at',
    ],
    ['min', 'numbers', [1, 20, 3], 3],
    ['min', 'new numbers', [absent, -1, 3], -1],
    ['min', 'a zero and its negative', [1, 0, { $number: '-0' }], 0],
    ['sum', 'numbers', [10, 12, 15], 17],
    ['sum', 'new numbers', [absent, 2, 3], 5],
    ['sum', 'bigints', [big('10'), big('12'), big('15')], big('17')],
    ['sum', 'new bigints', [absent, big('2'), big('3')], big('5')],
    ['sum', 'a removal against a change', [1, absent, 3], 'conflict at /at'],
    ['sum', 'a number and a bigint', [1, 2, big('3')], 'conflict at /at'],
    ['sum', 'numbers that were a text', ['x', 2, 3], 'conflict at /at'],
    ['union', 'elements put in by both', [[1], [1, 2], [1, 3]], [1, 2, 3]],
    ['union', 'elements put in twice', [[1], [1, 2], [1, 2, 3]], [1, 2, 3]],
    ['union', 'a removal and an insert', [[1, 2], [2], [1, 2, 3]], [2, 3]],
    ['union', 'new lists', [absent, [1, 2], [2, 3]], [1, 2, 3]],
    ['union', 'no lists', [0, 1, 2], 'conflict at /at'],
    [
      { unionBy: 'id' },
      'elements put in by both',
      [[person(1, 'a')], [person(1, 'a'), person(2, 'b')], [person(1, 'a'), person(3, 'c')]],
      [person(1, 'a'), person(2, 'b'), person(3, 'c')],
    ],
    [
      { unionBy: 'id' },
      'different fields of one element',
      [[{ id: 1, a: 1, b: 1 }], [{ id: 1, a: 2, b: 1 }], [{ id: 1, a: 1, b: 2 }]],
      [{ id: 1, a: 2, b: 2 }],
    ],
    [
      { unionBy: 'id' },
      'one field of one element',
      [[person(1, 'a')], [person(1, 'b')], [person(1, 'c')]],
      'conflict at /at/0/name',
    ],
    [
      { unionBy: 'id' },
      'an element put in by both',
      [[], [person(1, 'b')], [person(1, 'b'), person(2, 'c')]],
      [person(1, 'b'), person(2, 'c')],
    ],
    [
      { unionBy: 'id' },
      'elements without the field, by content',
      [['x'], ['x', 'y'], ['x', 'z', 'y']],
      ['x', 'y', 'z'],
    ],
    [
      { unionBy: 'id' },
      'a field that is there twice',
      [[], [person(1, 'a'), person(1, 'b')], [person(2, 'c')]],
      'conflict at /at',
    ],
    ['append', 'elements at the end', [[1], [1, 2], [1, 3]], [1, 2, 3]],
    ['append', 'new lists', [absent, [1], [2]], [1, 2]],
    ['append', 'equal elements at the end', [[1], [1, 2], [1, 2]], [1, 2]],
    [
      'append',
      'an element that both moved',
      [
        ['a', 'b', 'c'],
        ['b', 'c', 'a', 'x'],
        ['b', 'c', 'a', 'y'],
      ],
      ['b', 'c', 'a', 'x', 'y'],
    ],
    ['append', 'a removal against a change of an element', [[1, 2], [2], [3, 2]], 'conflict at /at'],
    ['append', 'strings that grew', ['log: ', 'log: a', 'log: b'], 'log: ab'],
    ['append', 'new strings', [absent, 'a', 'b'], 'ab'],
    ['append', 'a string that did not only grow', ['log', 'log a', 'new'], 'conflict at /at'],
    ['append', 'numbers', [1, 2, 3], 'conflict at /at'],
    ['text', 'changes of different lines', ['a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'], 'A\nb\nC\n'],
    ['text', 'changes of one line', ['a\n', 'b\n', 'c\n'], 'conflict at /at'],
    ['text', 'no texts', [1, 2, 3], 'conflict at /at'],
  ])('%j: %s', (policy, _what, sides, expected) => {
    expect(decided(policy, sides)).toEqual(expected)
  })

  it('a function: values as users know them', () => {
    const given: unknown[] = []
    const policy: Policy = (...sides) => {
      given.push(...sides)
      return new Date(0)
    }
    expect(decided(policy, [big('1'), date('02'), absent])).toEqual({ $date: '1970-01-01T00:00:00.000Z' })
    expect(given).toEqual([1n, new Date('2026-01-02'), undefined])
  })

  it('which side is later decides latest, and the order of union and append', () => {
    expect(decided('latest', [1, 2, 3], 'ours')).toBe(2)
    expect(decided('union', [[1], [1, 2], [1, 3]], 'ours')).toEqual([1, 3, 2])
    expect(decided('append', [[1], [1, 2], [1, 3]], 'ours')).toEqual([1, 3, 2])
    expect(decided('append', ['', 'a', 'b'], 'ours')).toBe('ba')
  })

  it('the most specific pattern holds', () => {
    const policies: Policies = { '/*': 'ours', '/n': 'sum', '/deep/**': 'theirs', '/deep/a': 'ours' }
    const three: [Stored, Stored, Stored] = [
      { n: 1, x: 1, deep: { a: 1, b: 1 } },
      { n: 2, x: 2, deep: { a: 2, b: 2 } },
      { n: 3, x: 3, deep: { a: 3, b: 3 } },
    ]
    const { value } = merged(three[0], three[1], three[2], { policies })
    expect(value).toEqual({ n: 4, x: 2, deep: { a: 2, b: 3 } })
  })

  it('a pattern for everything below means the parts of two maps, never one map instead of the other', () => {
    const three: [Stored, Stored, Stored] = [{ c: { a: 1, b: 1 } }, { c: { a: 2, b: 1 } }, { c: { a: 1, b: 2 } }]
    for (const policy of ['latest', 'ours', 'theirs', 'sum'] as const) {
      expect(merged(...three, { policies: { '/**': policy } })).toEqual({ value: { c: { a: 2, b: 2 } }, conflicts: [] })
    }
    const counted = merged({ c: { a: 1 } }, { c: { a: 3 } }, { c: { a: 4 } }, { policies: { '/c/**': 'sum' } })
    expect(counted).toEqual({ value: { c: { a: 6 } }, conflicts: [] })
  })

  it('a policy is asked only where both sides changed', () => {
    const never = () => {
      throw new Error('asked')
    }
    expect(merged({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { policies: { '/*': never } })).toEqual({
      value: { a: 2, b: 2 },
      conflicts: [],
    })
  })
})

describe('without a policy', () => {
  it('two new maps are merged inside', () => {
    expect(merged({}, { m: { a: 1, same: 0 } }, { m: { b: 2, same: 0 } })).toEqual({
      value: { m: { a: 1, b: 2, same: 0 } },
      conflicts: [],
    })
    expect(merged({}, { m: { a: 1 } }, { m: { a: 2 } }).conflicts).toEqual([{ path: '/m/a', ours: 1, theirs: 2 }])
  })

  it('a removal against a change is a conflict with the side that is absent left out', () => {
    expect(merged({ m: { a: 1 } }, {}, { m: { a: 2 } })).toEqual({
      value: {},
      conflicts: [{ path: '/m', base: { a: 1 }, theirs: { a: 2 } }],
    })
    expect(merged({ a: 1 }, { a: 2 }, {})).toEqual({ value: { a: 2 }, conflicts: [{ path: '/a', base: 1, ours: 2 }] })
  })

  it('two values of different kinds are a conflict as a whole', () => {
    expect(merged({ a: 1 }, { a: { x: 1 } }, { a: [1] }).conflicts).toEqual([
      { path: '/a', base: 1, ours: { x: 1 }, theirs: [1] },
    ])
  })

  it('lists are merged by place, and inserts at one gap are a conflict of the list with full sides', () => {
    expect(merged({ l: [1, 2, 3] }, { l: [0, 1, 2, 3] }, { l: [1, 2, 3, 4] }).value).toEqual({ l: [0, 1, 2, 3, 4] })
    expect(merged({ l: [1] }, { l: [1, 2] }, { l: [1, 3] })).toEqual({
      value: { l: [1, 2] },
      conflicts: [{ path: '/l', base: [1], ours: [1, 2], theirs: [1, 3] }],
    })
  })

  it('elements changed by both are merged inside, at their place in the merged list', () => {
    const three = [
      { l: ['first', { id: 1, a: 1, b: 1 }] },
      { l: ['new', 'first', { id: 1, a: 2, b: 1 }] },
      { l: ['first', { id: 1, a: 3, b: 2 }] },
    ] as const
    expect(merged(...three)).toEqual({
      value: { l: ['new', 'first', { id: 1, a: 2, b: 2 }] },
      conflicts: [{ path: '/l/2/a', base: 1, ours: 2, theirs: 3 }],
    })
  })

  it('conflicts of elements known by a field have paths of their own, whoever removed them', () => {
    const [base, changed] = [0, 1].map(v => ({
      l: [
        { id: 1, v },
        { id: 2, v },
      ],
    }))
    const policies: Policies = { '/l': { unionBy: 'id' } }
    const paths = (ours: Stored, theirs: Stored): string[] =>
      merged(base!, ours, theirs, { policies }).conflicts.map(({ path }) => path)
    expect(paths({ l: [] }, changed!)).toEqual(['/l/0', '/l/1'])
    expect(paths(changed!, { l: [] })).toEqual(['/l/0', '/l/1'])
    const resolutions = new Map([['/l/1', 'theirs'] as const, ['/l/0', 'ours'] as const])
    expect(merged(base!, { l: [] }, changed!, { policies, resolutions })).toEqual({
      value: { l: [{ id: 2, v: 1 }] },
      conflicts: [],
    })
  })

  it('resolutions decide: a side, the base, or a value', () => {
    const answers = { ours: 2, theirs: 3, base: 1 } as const
    for (const [answer, value] of Object.entries(answers)) {
      const resolutions = new Map([['/a', answer as keyof typeof answers]])
      expect(merged({ a: 1 }, { a: 2 }, { a: 3 }, { resolutions })).toEqual({ value: { a: value }, conflicts: [] })
    }
    const resolutions = new Map([['/a', { value: { by: ['hand'] } }]])
    expect(merged({ a: 1 }, { a: 2 }, { a: 3 }, { resolutions }).value).toEqual({ a: { by: ['hand'] } })
    expect(merged({ a: 1 }, { a: 2 }, {}, { resolutions: new Map([['/a', 'theirs']]) }).value).toEqual({})
  })
})

describe('a policy that is wrong', () => {
  it.each<[string, unknown]>([
    ['an unknown name', 'newest'],
    ['no field', { unionBy: '' }],
    ['another object', { union: 'id' }],
    ['nothing', null],
    ['a number', 3],
  ])('is refused: %s', (_what, policy) => {
    expect(() => decided(policy as Policy, [1, 1, 1])).toThrow(
      expect.objectContaining({ code: 'policy-invalid', data: expect.objectContaining({ path: '/at' }) }),
    )
  })

  it('fails with the path, its name and the cause when it throws', () => {
    const cause = new Error('no idea')
    const undecided = () => {
      throw cause
    }
    expect(() => decided(undecided, [1, 2, 3])).toThrow(
      expect.objectContaining({
        code: 'policy-failed',
        data: { path: '/at', policy: 'undecided', reason: 'Error: no idea' },
        cause,
      }),
    )
  })

  it('fails with the path when it gives what cannot be stored', () => {
    expect(() => decided(() => () => 0, [1, 2, 3])).toThrow(expect.objectContaining({ code: 'value-refused' }))
  })
})
