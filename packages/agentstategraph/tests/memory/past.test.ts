/** Going back: checkouts that cannot be written, rollbacks that are commits, and what view shows of it. */
import { describe, expect, it } from 'vitest'
import { agent, Live, view } from '../../src/memory/index.ts'
import type { Revision } from '../../src/repository/index.ts'
import { allStores, refusalOf, stores } from '../repo/support/open-stores.ts'
import { commitsOf, memoryOn, newMemory, newRepository } from './support/open-memories.ts'

/** What a test changes in ways that the compiler would not let it. */
type Loose = ReturnType<typeof JSON.parse>

const keeper = agent('keeper', { state: { list: [1], made: new Date(0), more: {} as Record<string, Loose> } })

describe.each(allStores)('on $name', store => {
  it('a checkout shows the memory as it was, and refuses every write with its path', async () => {
    const repo = await newRepository(store)
    const memory = await memoryOn(repo)
    const state = await memory.of(keeper)
    Object.assign(state.more, {
      map: new Map([['k', { deep: 1 }]]),
      set: new Set([1]),
      date: new Date(5),
      bytes: new Uint8Array([1, 2]),
      floats: new Float64Array([1]),
      url: new URL('https://example.com/?a=1'),
    })
    state.list.push(2)
    const { id } = (await memory.checkpoint('Then'))!
    state.list.push(3)
    state.more = {}
    await memory.checkpoint('Now')
    const past = await memory.checkout(id.slice(0, 12))
    expect(past.commit).toBe(id)
    const then = past.of(keeper) as Loose
    expect(past.of(keeper)).toBe(then)
    expect(then.list).toEqual([1, 2])
    expect(then.made).toEqual(new Date(0))
    expect([
      then.more.map.get('k').deep,
      [...then.more.set],
      then.more.date.getTime(),
      then.more.bytes[1],
      then.more.floats.length,
    ]).toEqual([1, [1], 5, 2, 1])
    const writes: readonly [string, () => unknown][] = [
      [
        '/keeper/list',
        () => {
          then.list = []
        },
      ],
      [
        '/keeper/list',
        () => {
          delete then.list
        },
      ],
      ['/keeper/list/2', () => then.list.push(9)],
      [
        '/keeper/list/0',
        () => {
          then.list[0] = 9
        },
      ],
      ['/keeper/list/1', () => then.list.pop()],
      ['/keeper/more/map', () => then.more.map.set('x', 1)],
      ['/keeper/more/map', () => then.more.map.clear()],
      [
        '/keeper/more/map/deep',
        () => {
          then.more.map.get('k').deep = 2
        },
      ],
      ['/keeper/more/set', () => then.more.set.add(2)],
      ['/keeper/more/date', () => then.more.date.setFullYear(1)],
      [
        '/keeper/more/bytes/0',
        () => {
          then.more.bytes[0] = 9
        },
      ],
      ['/keeper/more/bytes', () => then.more.bytes.fill(0)],
      [
        '/keeper/more/bytes/0',
        () => {
          then.more.bytes.subarray(0)[0] = 9
        },
      ],
      [
        '/keeper/more/url/hash',
        () => {
          then.more.url.hash = 'x'
        },
      ],
      ['/keeper/more/url', () => then.more.url.searchParams.set('a', '2')],
      [
        '/keeper/new',
        () => {
          then.new = 1
        },
      ],
    ]
    for (const [path, write] of writes) {
      expect(write, path).toThrow(expect.objectContaining({ code: 'checkout-read-only', data: { path, commit: id } }))
    }
    expect(then.list).toEqual([1, 2])
    state.list = then.list
    state.list.push(4)
    await memory.checkpoint('From the past')
    expect(await repo.get('/keeper/list')).toEqual([1, 2, 4])
    expect(then.list).toEqual([1, 2])
  })

  it('a rollback is a new commit, the objects are replaced, and pending changes go', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    state.list.push(2)
    const { id } = (await memory.checkpoint('Good'))!
    state.list = []
    state.more = { gone: true }
    await memory.checkpoint('Bad')
    state.more['pending'] = 1
    const back = await memory.rollback(id, 'It was better before')
    expect(back.intent).toMatchObject({ category: 'Rollback', description: 'It was better before' })
    const after = await memory.of(keeper)
    expect(after).not.toBe(state)
    expect({ ...after }).toEqual({ list: [1, 2], made: new Date(0), more: {} })
    expect(await commitsOf(memory)).toBe(3)
    expect(() => {
      state.list = [9]
    }).toThrow(expect.objectContaining({ code: 'state-over' }))
    expect(await memory.checkpoint()).toBeUndefined()
  })

  it('an unknown commit is an error, and pending work is still there', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    await memory.checkpoint()
    state.list.push(5)
    const refused: [Revision, string][] = [
      ['f'.repeat(64), 'ref-not-found'],
      ['nowhere', 'ref-not-found'],
      [new Date(Number.NaN), 'option-invalid'],
    ]
    for (const [bad, code] of refused) {
      expect((await refusalOf(memory.checkout(bad))).code).toBe(code)
      expect((await refusalOf(memory.rollback(bad, 'Go'))).code).toBe(code)
    }
    await memory.checkpoint('Still there')
    expect(await memory.repo.get('/keeper/list')).toEqual([1, 5])
  })

  it('a closed memory says so', async () => {
    const memory = await newMemory(store)
    await memory.repo.close()
    for (const work of [memory.of(keeper), memory.checkpoint(), memory.checkout('main'), memory.fork('x')]) {
      expect((await refusalOf(work)).code).toBe('closed')
    }
    expect((await refusalOf(keeper.task('t', () => 1)(undefined, { state: memory }))).code).toBe('closed')
  })
})

describe.each(stores)('view on $name', store => {
  it('shows what changed, newest first, with before and after, removals and what is pending', async () => {
    const memory = await newMemory(store, { clock: () => new Date(0) })
    expect(await view(memory)).toBe('(nothing is kept yet)')
    const state = await memory.of(keeper)
    state.list.push(2)
    state.more['a'] = 'x'
    const first = (await memory.checkpoint('First'))!
    state.list[0] = 9
    delete state.more['a']
    const second = (await memory.checkpoint('Second'))!
    state.made = new Date(1000)
    expect((await view(memory)).split('\n')).toEqual([
      'pending',
      '  + /keeper/made = 1970-01-01T00:00:01.000Z',
      `${second.id.slice(0, 12)} 1970-01-01T00:00:00.000Z Second`,
      '  ~ /keeper/list/0: 1 → 9',
      '  - /keeper/more/a, was "x"',
      `${first.id.slice(0, 12)} 1970-01-01T00:00:00.000Z First`,
      '  + /keeper = {list: [1, 2], more: {a: "x"}}',
    ])
    expect(await view(await memory.checkout(first.id), { focus: 'full' })).toBe(
      'keeper\n  list = [1, 2]\n  more = {a: "x"}',
    )
    expect(await view(await memory.checkout(second.id))).toContain('~ /keeper/list/0: 1 → 9')
  })

  it('keeps to its budget, says how much is left out, and lets no value steer a terminal or break a line', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    for (let i = 0; i < 50; i++) state.more[`k${i}`] = 'y'.repeat(100)
    state.more['evil'] = '\u001B[31mred\n\u202E\u0085'
    await memory.checkpoint('Much')
    for (const maxChars of [0, 5, 16, 60, 200, 2000]) {
      const text = await view(memory, { maxChars, focus: 'full' })
      expect(text.length).toBeLessThanOrEqual(maxChars)
    }
    const all = await view(memory, { maxChars: 100_000, focus: 'full' })
    expect(all).toContain('\\u001b[31mred\\n\\u{202e}\\u{85}')
    expect(/[\p{Cc}\p{Cf}]/u.test(all.replaceAll('\n', ''))).toBe(false)
  })

  it('marks what stays in the process, and says what cannot be kept', async () => {
    const memory = await newMemory(store)
    const reader = agent('reader', { state: { cursor: null as unknown, n: 0 }, transient: ['cursor'] })
    const state = await memory.of(reader)
    state.cursor = function cursor() {}
    state.n = 1
    await memory.checkpoint('One')
    expect(await view(memory, { focus: 'full' })).toContain(
      'reader.cursor = function cursor (transient: in this process only)',
    )
    state.n = (() => 1) as never
    expect(await view(memory)).toContain('pending, and cannot be kept: ')
  })
})

it('view of Live shows any object', async () => {
  const live = new Live()
  const state = live.of(keeper) as Loose
  state.more = { self: null, f: () => 1, m: new Map([[1, new Set(['a'])]]), big: 1n, e: new TypeError('x') }
  state.more.self = state.more
  expect(await view(live)).toContain(
    'more = {self: (itself), f: function f, m: Map {1 → Set {"a"}}, big: 1n, e: TypeError: x}',
  )
})
