import { expect, it } from 'vitest'
import type { Stored } from '../../core/index.ts'
import { type Edit, editPlain, type Owned, plainAfter } from './edits.ts'

const set = (value: Stored, ...path: string[]): Edit => ({ op: 'set', path, value })

function deepFrozen<T extends Stored>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part as Stored)
  return Object.freeze(value)
}

it.each<[string, Stored | undefined, readonly Edit[]]>([
  ['a map that was not there', undefined, [set(1, 'a'), set(2, 'b', 'c')]],
  ['a map', { a: { b: 1 } }, [set(2, 'a', 'b'), { op: 'delete', path: ['a', 'b'] }, set(3, 'c')]],
  ['a list', [{ a: 1 }, 2], [set(2, '0', 'a'), set(3, '-'), { op: 'insert', path: ['0'], value: 4 }]],
])('edits of %s share one copy, and leave what they were given alone', (_, given, edits) => {
  const owned: Owned = new WeakSet()
  const start = given === undefined ? undefined : deepFrozen(given)
  const copy = editPlain(start, deepFrozen(edits[0]! as unknown as Stored) as unknown as Edit, 0, owned)
  expect(copy).not.toBe(start)
  let value = copy
  for (const one of edits.slice(1)) value = editPlain(value, one, 0, owned)
  expect(value).toBe(copy)
})

it('a batch does not change the values that it brings, also where a later edit leads into one', () => {
  const value = deepFrozen({ list: [1, { deep: 1 }], map: { key: 1 } })
  const edits = [
    set(value),
    set(2, 'list', '1', 'deep'),
    set(3, 'list', '-'),
    set(4, 'map', 'key'),
    set(value, 'map', 'own'),
  ]
  expect(plainAfter(edits, 0)).toEqual({ list: [1, { deep: 2 }, 3], map: { key: 4, own: value } })
  expect(plainAfter(edits, 0)).toEqual(plainAfter(edits, 0))
})
