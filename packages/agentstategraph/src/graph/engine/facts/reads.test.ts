import { describe, expect, it } from 'vitest'
import { newTracker, withoutProxies } from './reads.ts'

const deepFrozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
const state = deepFrozen({
  user: { name: 'Ann', age: 1 },
  list: [{ n: 1 }, { n: 2 }],
  when: new Date(0),
  gone: undefined as unknown,
})

describe('reads', () => {
  it.each([
    ['a deep value', (s: typeof state) => s.user.name, ['/user/name']],
    ['only that something is there', (s: typeof state) => s.user !== undefined, ['/user']],
    ['one element', (s: typeof state) => s.list[1]?.n, ['/list/1/n']],
    ['the length', (s: typeof state) => s.list.length, ['/list/length']],
    ['what is not there', (s: typeof state) => s.gone, ['/gone']],
    ['whether it has a key', (s: typeof state) => 'age' in s.user, ['/user/age']],
    ['whether it has an own key', (s: typeof state) => Object.hasOwn(s.user, 'mail'), ['/user/mail']],
    [
      'a key that objects inherit',
      (s: typeof state) => 'constructor' in s.user && s.user.constructor,
      ['/user/constructor'],
    ],
    ['all keys', (s: typeof state) => Object.keys(s.user), ['/user']],
    ['all values', (s: typeof state) => JSON.stringify(s.user), ['/user']],
    ['everything', (s: typeof state) => ({ ...s }), ['/']],
    ['what has no parts', (s: typeof state) => s.when.getTime(), ['/when']],
  ])('note %s', (_, read, paths) => {
    const { state: seen, reads } = newTracker()(state)
    read(seen)
    expect(reads()).toEqual(paths)
  })

  it('give what the state has', () => {
    const { state: seen } = newTracker()(state)
    expect(seen.list.map(({ n }) => n)).toEqual([1, 2])
    expect([...seen.list].length).toBe(2)
    expect(Array.isArray(seen.list)).toBe(true)
    expect(JSON.stringify(seen)).toBe(JSON.stringify(state))
    expect({ ...seen.user }).toEqual({ name: 'Ann', age: 1 })
    expect(seen.user).toBe(seen.user)
  })

  it('note a container whose many parts were read', () => {
    const { state: seen, reads } = newTracker()({ list: Array.from({ length: 100 }, (_, i) => i) })
    seen.list.reduce((sum, n) => sum + n, 0)
    expect(reads()).toEqual(['/list'])
  })

  it('refuse writes as the frozen state does', () => {
    const { state: seen } = newTracker()(state)
    expect(() => Object.assign(seen.user, { name: 'Bob' })).toThrow(TypeError)
    expect(() => Reflect.deleteProperty(seen.user, 'name')).toThrow(TypeError)
    expect(() => seen.list.push({ n: 3 })).toThrow(TypeError)
  })

  it('leave no stand-in in what is given out, and count it as read', () => {
    const { state: seen, reads } = newTracker()(state)
    const given = withoutProxies({ a: [seen.user], b: 1 })
    expect(given.a[0]).toBe(state.user)
    expect(reads()).toEqual(['/user'])
    const plain = { x: [1] }
    expect(withoutProxies(plain)).toBe(plain)
  })
})
