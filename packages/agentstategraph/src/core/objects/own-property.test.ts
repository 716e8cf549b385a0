import { expect, it } from 'vitest'
import { setOwn } from './own-property.ts'

it('sets __proto__ as data and leaves the prototype alone', () => {
  const target: { [key: string]: unknown } = {}
  setOwn(target, '__proto__', { polluted: true })
  setOwn(target, 'constructor', 1)
  expect(Object.keys(target)).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype)
  expect(target['polluted']).toBeUndefined()
  setOwn(target, '__proto__', 2)
  expect(Object.getOwnPropertyDescriptor(target, '__proto__')?.value).toBe(2)
})
