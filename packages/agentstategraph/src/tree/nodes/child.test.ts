import { describe, expect, it } from 'vitest'
import { walkSync } from '../../../tests/tree/support/trees.ts'
import type { Stored } from '../../core/index.ts'
import { findEntry, rootOf } from './child.ts'
import { formatLimits, type TreeContext } from './context.ts'
import { valueOfChild } from './whole-value.ts'

const context: TreeContext = { nodes: { find: () => undefined }, limits: formatLimits }
const inMemory = {
  load: () => {
    throw new Error('All nodes are in memory.')
  },
  loadAll: () => {},
}
const large = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key ${n}`, n]))
const list = Array.from({ length: 1000 }, (_, n) => ({ n }))
const root = rootOf(context, { large, list, $$tag: { __proto: 0 }, '': { '0': 'zero' }, leaf: { $date: null } }, 1)

function findValue(...path: string[]): Stored | undefined {
  const entry = walkSync(findEntry(context, root, path), inMemory)
  return entry === undefined ? undefined : walkSync(valueOfChild(context, entry.child), inMemory)
}

describe('findEntry', () => {
  it('finds every key of a large map and every element of a large list', () => {
    for (let n = 0; n < 1000; n++) {
      expect(findValue('large', `key ${n}`)).toBe(n)
      expect(findValue('list', `${n}`, 'n')).toBe(n)
    }
  })

  it('takes keys as users write them', () => {
    expect(findValue('$tag', '__proto')).toBe(0)
    expect(findValue('', '0')).toBe('zero')
  })

  it.each([
    [['large', 'key 1000']],
    [['large', '']],
    [['large', 'zzz']],
    [['list', '1000']],
    [['list', '-']],
    [['list', '-1']],
    [['list', '01']],
    [['leaf', '$date']],
    [['$$tag']],
    [['__proto__']],
    [['constructor']],
    [['', '0', '0']],
  ])('finds nothing at %j', path => {
    expect(findValue(...path)).toBeUndefined()
  })
})
