/** Every change of a plain object is seen, whatever it is made through; reading is never a change. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { agent } from '../../src/memory/index.ts'
import { allStores, refusalOf, stores } from '../repo/support/open-stores.ts'
import { commitsOf, memoryOn, newMemory, newRepository } from './support/open-memories.ts'

/** What a test changes in ways that the compiler would not let it. */
type Loose = ReturnType<typeof JSON.parse>

class Point {
  #moves = 0
  x: number
  constructor(x: number, moves = 0) {
    this.x = x
    this.#moves = moves
  }
  move(): void {
    this.x++
    this.#moves++
  }
  get moves(): number {
    return this.#moves
  }
}
const pointCodec = {
  type: Point,
  tag: 'point',
  encode: ({ x, moves }: Point) => ({ x, moves }),
  decode: ({ x, moves }: { x: number; moves: number }) => new Point(x, moves),
}

const changes: readonly [string, () => unknown, (value: Loose) => void][] = [
  ['an element', () => [1], list => list.push(2)],
  ['an element in the middle', () => [{ a: 1 }, { a: 2 }, { a: 3 }], list => list.splice(1, 1)],
  [
    'a field deep inside',
    () => ({ a: [{ b: { c: 1 } }] }),
    value => {
      value.a[0].b.c = 2
    },
  ],
  [
    'a field that goes',
    () => ({ a: 1, b: 2 }),
    value => {
      delete value.a
    },
  ],
  ['the order of a list', () => [1, 2, 3], list => list.reverse()],
  ['a rotated list', () => Array.from({ length: 50 }, (_, i) => ({ i })), list => list.push(list.shift())],
  ['a date', () => ({ at: new Date(0) }), value => value.at.setFullYear(1999)],
  ['a date that becomes invalid', () => ({ at: new Date(0) }), value => value.at.setTime(Number.NaN)],
  [
    'a typed array',
    () => ({ f: new Float64Array([1, 2]) }),
    value => {
      value.f[0] = 9
    },
  ],
  [
    'bytes',
    () => new Uint8Array([1, 2, 3]),
    bytes => {
      bytes[1] = 0
    },
  ],
  [
    'a value of a map',
    () => new Map([['k', { n: 1 }]]),
    map => {
      map.get('k').n = 2
    },
  ],
  [
    'a key of a map',
    () => new Map([[{ n: 1 }, 'v']]),
    map => {
      ;[...map.keys()][0].n = 2
    },
  ],
  [
    'the order of a map',
    () =>
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    map => {
      map.delete('a')
      map.set('a', 1)
    },
  ],
  ['a set', () => new Set([1]), set => set.add(2)],
  [
    'an object in a set',
    () => new Set([{ n: 1 }]),
    set => {
      ;[...set][0].n = 2
    },
  ],
  ['an instance, by its method', () => new Point(1), point => point.move()],
  ['an instance in a list in a map', () => new Map([['p', [new Point(1)]]]), map => map.get('p')[0].move()],
  [
    'the last index of a pattern',
    () => /a/g,
    pattern => {
      pattern.lastIndex = 3
    },
  ],
  [
    'a URL',
    () => new URL('https://example.com/a'),
    url => {
      url.pathname = '/b'
    },
  ],
  [
    'a message of an error',
    () => ({ e: new TypeError('a') }),
    value => {
      value.e.message = 'b'
    },
  ],
  [
    'a number into minus zero',
    () => ({ n: 0 }),
    value => {
      value.n = -0
    },
  ],
  [
    'a number into NaN',
    () => [1],
    list => {
      list[0] = Number.NaN
    },
  ],
  [
    'null into undefined',
    () => ({ n: null }),
    value => {
      value.n = undefined
    },
  ],
  [
    'a field with a strange name',
    () => JSON.parse('{"__proto__":{"a":1},"$date":2}'),
    value => {
      value.$date = 3
    },
  ],
  [
    'a bigint',
    () => ({ n: 1n }),
    value => {
      value.n++
    },
  ],
]

const keeper = agent('keeper', { state: {} as Record<string, Loose> })

describe.each(stores)('on $name', store => {
  it.each(changes)('%s: a change in place is kept, and reading is none', async (_name, make, change) => {
    const value = make()
    const repo = await newRepository(store, { classes: [pointCodec] })
    const memory = await memoryOn(repo)
    const state = await memory.of(keeper)
    state['value'] = value
    await memory.checkpoint('Begin')
    const held = state['value']
    expect(held).toBe(value)
    expect(await memory.checkpoint()).toBeUndefined()

    const second = await memoryOn(repo)
    const read = (await second.of(keeper))['value']
    expect(read).toEqual(value)
    expect(await second.checkpoint()).toBeUndefined()
    change(read)
    expect((await second.of(keeper))['value']).toBe(read)
    expect(await second.checkpoint('Change it')).toMatchObject({ changed: true })
    expect(await second.checkpoint()).toBeUndefined()
    expect((await (await memoryOn(repo)).of(keeper))['value']).toEqual(read)

    // The object that was held since before both checkpoints has become what landed, and is still tracked.
    expect((await memory.of(keeper))['value']).toEqual(read)
  })

  it.each(changes)('%s: an alias kept from before a checkpoint is still tracked', async (_name, make, change) => {
    const memory = await newMemory(store, { classes: [pointCodec] })
    const state = await memory.of(keeper)
    state['value'] = make()
    const alias = state['value']
    await memory.checkpoint('Begin')
    change(alias)
    expect(await memory.checkpoint('Change it')).toMatchObject({ changed: true })
    expect(await memory.repo.get('/keeper/value')).toEqual(alias)
  })
})

describe.each(allStores)('on $name', store => {
  it('the state is a plain object in every use', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    Object.assign(state, { b: [1], a: { x: 1 } })
    await memory.checkpoint('Begin')
    const again = await (await memoryOn(memory.repo)).of(keeper)
    expect(Object.keys(again).sort()).toEqual(['a', 'b'])
    expect('a' in again && !('c' in again)).toBe(true)
    expect(JSON.parse(JSON.stringify(again))).toEqual({ a: { x: 1 }, b: [1] })
    expect({ ...again }).toEqual({ a: { x: 1 }, b: [1] })
    const seen: string[] = []
    for (const key in again) seen.push(key)
    expect(seen.sort()).toEqual(['a', 'b'])
    expect(again['a']).toBe(again['a'])
    delete again['a']
    expect(Object.keys(again)).toEqual(['b'])
    expect(again['a']).toBeUndefined()
    expect(String(again)).toBe('[object Object]')
    expect(Object.hasOwn(again, 'b')).toBe(true)
    expect(inspect(again)).toBe('{ b: [ 1 ] }')
    Reflect.set(again, '__proto__', { polluted: true })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(() => Object.freeze(again)).toThrow(TypeError)
    expect(() => Object.defineProperty(again, 'g', { get: () => 1 })).toThrow(TypeError)
  })

  it('listing keys and asking for one reads no value', async () => {
    let decoded = 0
    const decode = (data: { x: number; moves: number }): Point => {
      decoded++
      return pointCodec.decode(data)
    }
    const memory = await newMemory(store, { classes: [{ ...pointCodec, decode }] })
    Object.assign(await memory.of(keeper), { a: new Point(1), b: new Point(2) })
    await memory.checkpoint('Begin')
    const again = await (await memoryOn(memory.repo)).of(keeper)
    expect(Object.keys(again)).toEqual(['a', 'b'])
    expect('a' in again && Object.hasOwn(again, 'b') && !('c' in again)).toBe(true)
    delete again['b']
    expect(decoded).toBe(0)
    expect(again['a'].x).toBe(1)
    expect(decoded).toBe(1)
  })

  it('a declared key that was deleted is gone from the store, and has its initial value when it is loaded anew', async () => {
    const counter = agent('counter', { state: { n: 5, tags: ['new'] } as { n?: number; tags: string[] } })
    const memory = await newMemory(store)
    const state = await memory.of(counter)
    state.n = 6
    state.tags.push('seen')
    await memory.checkpoint('Begin')
    delete state.n
    expect(await memory.checkpoint('Forget the number')).toMatchObject({ changed: true })
    expect(Object.keys(state)).toEqual(['tags'])
    expect(await memory.repo.get('/counter')).toEqual({ tags: ['new', 'seen'] })
    expect({ ...(await (await memoryOn(memory.repo)).of(counter)) }).toEqual({ n: 5, tags: ['new', 'seen'] })
    expect(await memory.checkpoint()).toBeUndefined()
  })

  it('null shadows a kept value, a removal is a change of its own, and what was removed stays away', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    Object.assign(state, { a: 1, b: 2 })
    await memory.checkpoint('Begin')
    state['a'] = null
    expect(state['a']).toBeNull()
    state['b'] = 3
    delete state['b']
    expect('b' in state).toBe(false)
    await memory.checkpoint('Null and gone')
    expect({ ...(await (await memoryOn(memory.repo)).of(keeper)) }).toEqual({ a: null })
    delete state['a']
    expect(await memory.checkpoint('Only a removal')).toMatchObject({ changed: true })
    expect(Object.keys(await (await memoryOn(memory.repo)).of(keeper))).toEqual([])
  })

  it('an equal value is no change, and neither is what was changed back', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    state['a'] = { x: [1, 2], y: new Set(['b', 'a']) }
    await memory.checkpoint('Begin')
    state['a'] = { y: new Set(['b', 'a']), x: [1, 2] }
    expect(await memory.checkpoint()).toBeUndefined()
    state['a'].x.push(3)
    state['a'].x.pop()
    expect(await memory.checkpoint()).toBeUndefined()
    expect(await commitsOf(memory)).toBe(1)
  })

  it('what is written while a checkpoint runs belongs to the next', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    state['a'] = [1]
    const first = memory.checkpoint('First')
    await Promise.resolve()
    state['a'].push(2)
    state['b'] = 1
    await first
    expect(await memory.repo.get('/keeper')).toEqual({ a: [1] })
    await memory.checkpoint('Second')
    expect(await memory.repo.get('/keeper')).toEqual({ a: [1, 2], b: 1 })
  })

  it('what is refused names agent, key, place, type and remedy, all at once; nothing is written, nothing is lost', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    state['good'] = 1
    await memory.checkpoint('Begin')
    state['good'] = 2
    state['results'] = [
      { ok: 1 },
      {
        cursor: new (class Cursor {
          x = 1
        })(),
      },
    ]
    state['later'] = { deep: [Promise.resolve()] }
    const refusal = await refusalOf(memory.checkpoint())
    expect(refusal.code).toBe('checkpoint-refused')
    expect((refusal.data as { refused: unknown[] }).refused).toMatchObject([
      { agent: 'keeper', key: 'results', path: '/keeper/results/1/cursor', type: 'an instance of Cursor' },
      { agent: 'keeper', key: 'later', path: '/keeper/later/deep/0', type: 'a promise' },
    ])
    expect(await memory.repo.get('/keeper')).toEqual({ good: 1 })
    state['results'].pop()
    delete state['later']
    await memory.checkpoint('Mended')
    expect(await memory.repo.get('/keeper')).toEqual({ good: 2, results: [{ ok: 1 }] })
  })

  it('work of a task that cannot be kept is held, can be mended, and is kept by the next checkpoint', async () => {
    const memory = await newMemory(store)
    const work = keeper.task('work', (_: undefined, { state }) => {
      state['done'] = 'a lot'
      state['cursor'] = () => 1
    })
    const error = (await work(undefined, { state: memory }).catch((thrown: unknown) => thrown)) as {
      data: { states: { keeper: { cursor?: unknown } } }
    }
    expect(error).toMatchObject({
      code: 'checkpoint-refused',
      data: { refused: [{ key: 'cursor', type: 'a function' }] },
    })
    delete error.data.states.keeper.cursor
    await memory.checkpoint('Mended')
    expect(await memory.repo.get('/keeper')).toEqual({ done: 'a lot' })
  })
})
