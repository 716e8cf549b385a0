import { describe, expect, it } from 'vitest'
import { forTask, frozen, frozenAppend, writableCopy } from './frozen.ts'
import { findFrozenWrite } from './frozen-write.ts'

describe('frozen', () => {
  it('freezes plain values where they are, down to the last part', () => {
    const value = { list: [{ a: 1 }], deep: { b: { c: 1 } } }
    expect(frozen(value)).toBe(value)
    expect(() => value.list.push({ a: 2 })).toThrow(TypeError)
    expect(() => (value.deep.b.c = 2)).toThrow(TypeError)
  })

  it('also inside what its author froze on the surface', () => {
    const inner = { n: 1 }
    frozen(Object.freeze({ inner }))
    expect(() => inner.n++).toThrow(TypeError)
  })

  it('keeps holes and properties of a list, so that they are refused when they are stored', () => {
    const odd = Object.assign([new Date(5)], { total: 1 })
    expect(Object.keys(frozen({ odd }).odd)).toEqual(['0', 'total'])
    const holed = [new Date(5)]
    holed[2] = new Date(6)
    expect(Object.keys(frozen({ holed }).holed)).toEqual(['0', '2'])
  })

  it('copies what cannot be frozen, so that who holds the original changes nothing', () => {
    const map = new Map([['a', { n: 1 }]])
    const date = new Date(5)
    const bytes = new Uint8Array([1, 2])
    const url = new URL('https://example.org/a')
    const pattern = /x/g
    const state = frozen({
      map,
      date,
      set: new Set([1]),
      bytes,
      url,
      pattern,
      buffer: bytes.buffer,
      view: new DataView(bytes.buffer),
    })
    map.set('b', { n: 2 })
    date.setTime(9)
    bytes[0] = 9
    url.pathname = '/b'
    pattern.lastIndex = 3
    expect(state.map.size).toBe(1)
    expect(state.date.getTime()).toBe(5)
    expect([...state.bytes]).toEqual([1, 2])
    expect(state.url.pathname).toBe('/a')
    expect(state.pattern.lastIndex).toBe(0)
    expect(state.view.getUint8(0)).toBe(1)
  })

  it('gives a task its own copies of such parts, and the very state when there are none', () => {
    const plain = frozen({ list: [1], deep: { a: 1 } })
    expect(forTask(plain)).toBe(plain)
    const state = frozen({ at: { date: new Date(5) }, map: new Map([['k', new Set([1])]]), rest: { a: 1 } })
    const first = forTask(state)
    first.at.date.setTime(9)
    first.map.get('k')!.add(2)
    first.map.clear()
    const second = forTask(state)
    expect(second.at.date.getTime()).toBe(5)
    expect(second.map).toEqual(new Map([['k', new Set([1])]]))
    expect(second.rest).toBe(state.rest)
    expect(() => ((second as { rest: unknown }).rest = 1)).toThrow(TypeError)
  })

  it('a buffer that shares its bytes with others is copied too', () => {
    const buffer = Buffer.from('abc')
    const state = frozen({ buffer })
    buffer[0] = 0
    expect(state.buffer[0]).toBe(97)
  })

  it('leaves instances of other classes and cycles alone', () => {
    class Counter {
      n = 0
    }
    const counter = new Counter()
    expect(frozen({ counter }).counter).toBe(counter)
    counter.n++
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    expect(frozen(cycle)).toBe(cycle)
  })

  it('appends at the cost of what is new, and keeps what it holds', () => {
    const list = frozen([{ a: 1 }])
    const longer = frozenAppend(list, [{ b: new Date(1) }])
    expect(longer).toEqual([{ a: 1 }, { b: new Date(1) }])
    expect(longer[0]).toBe(list[0])
    expect(Object.isFrozen(longer)).toBe(true)
    expect(forTask(longer)).not.toBe(longer)
  })

  it('a writable copy shares nothing that can change', () => {
    const state = frozen({ list: [{ a: 1 }], map: new Map([['k', [1]]]) })
    const copy = writableCopy(state)
    copy.list[0]!.a = 2
    copy.list.push({ a: 3 })
    copy.map.get('k')!.push(2)
    expect(state).toEqual({ list: [{ a: 1 }], map: new Map([['k', [1]]]) })
  })

  it('__proto__ is a key like any other', () => {
    const copy = writableCopy(frozen(JSON.parse('{"__proto__":{"x":1}}') as object))
    expect(Object.keys(copy)).toEqual(['__proto__'])
  })
})

describe('findFrozenWrite', () => {
  const state = frozen({ list: ['a', 'b'], deep: { draft: 'x' }, other: { n: 1 }, more: [{ n: 2 }] })
  const writing = (write: (s: { list: string[]; deep: { draft?: string }; other: { n: number } }) => void): unknown => {
    try {
      write(state as never)
      return undefined
    } catch (error) {
      return findFrozenWrite(error, state)
    }
  }

  it('names the place that was written to', () => {
    expect(writing(s => s.list.push('c'))).toMatchObject({ path: '/list/2' })
    expect(writing(s => (s.deep.draft = 'y'))).toMatchObject({ path: '/deep/draft' })
    expect(writing(s => delete s.deep.draft)).toMatchObject({ path: '/deep/draft' })
    expect(writing(s => (s.list[0] = 'c'))).toMatchObject({ path: expect.stringContaining('/list/0') as string })
  })

  it('names all places that it may have been', () => {
    expect(writing(s => s.other.n++)).toMatchObject({ path: '/other/n or /more/0/n' })
  })

  it('says nothing of other errors', () => {
    expect(findFrozenWrite(new TypeError('x is not a function'), state)).toBeUndefined()
    expect(findFrozenWrite(new Error("Cannot assign to read only property 'a' of object"), state)).toBeUndefined()
  })
})
