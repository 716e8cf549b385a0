import { expect, it } from 'vitest'
import { hasSameContent } from './same-content.ts'

it('a list with holes or properties has the content of no other, so that writing it is not taken for writing nothing', () => {
  const holed: unknown[] = new Array(2)
  expect(hasSameContent([1, [2]], [1, [2]])).toBe(true)
  expect(hasSameContent([undefined, undefined], holed)).toBe(false)
  expect(hasSameContent(holed, [undefined, undefined])).toBe(false)
  expect(hasSameContent([1], Object.assign([1], { total: 1 }))).toBe(false)
  expect(hasSameContent([0], [-0])).toBe(false)
})
