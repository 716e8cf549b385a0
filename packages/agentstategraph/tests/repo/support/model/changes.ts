/** Changes of a state: few paths and few values, so that they meet each other, with keys and values that need care. */
import fc from 'fast-check'
import { encode, parsePath } from '../../../../src/core/index.ts'
import type { Edit } from '../../../../src/tree/index.ts'

export type Change = { readonly says: string; readonly path: readonly string[] } & (
  | { readonly op: 'set'; readonly value: unknown }
  | { readonly op: 'delete' }
)

const awkwardPaths: readonly (readonly string[])[] = [
  ['__proto__'],
  ['m', ''],
  ['m', 'a/b'],
  ['$date'],
  ['m', '10'],
  ['m', '9'],
  [],
]

const path: fc.Arbitrary<readonly string[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom('/n', '/m', '/m/x', '/m/y', '/m/deep/z', '/l', '/l/-', '/l/0', '/l/1', '/l/0/x', '/l/-', '/l/2')
      .map(parsePath),
  },
  { weight: 1, arbitrary: fc.constantFrom(...awkwardPaths) },
)

const values: readonly unknown[] = [
  ...[0, 1, 2, 3, 'text', '', null, true, [], {}, { x: 1 }, { x: 1, y: 2 }, { x: 2, deep: { z: 1 } }],
  ...[[1], [1, 2], [2, 1], [1, 1, 2], [{ x: 1 }, { x: 2 }], [{ x: 1, y: 'long enough to be a node' }], [3, 1, 2, 1, 0]],
  ...[new Date(0), undefined, 12n, 'a text of more than a hundred and twenty-eight bytes, '.repeat(3), { $x: 1 }],
]

const value: fc.Arbitrary<unknown> = fc.constantFrom(...values)

export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(path, value).map(([at, one]) => setting(at, one)) },
  { weight: 1, arbitrary: path.map(deleting) },
)

export const changes: fc.Arbitrary<readonly Change[]> = fc.array(change, { minLength: 1, maxLength: 5 })

export function editsFrom(several: readonly Change[]): Edit[] {
  return several.map(one => {
    const { op, path: at } = one
    return op === 'set' ? { op, path: at, value: encode(one.value) } : { op, path: at }
  })
}

function setting(at: readonly string[], one: unknown): Change {
  return { op: 'set', path: at, value: one, says: `set ${JSON.stringify(at)} ${JSON.stringify(encode(one))}` }
}

function deleting(at: readonly string[]): Change {
  return { op: 'delete', path: at, says: `delete ${JSON.stringify(at)}` }
}
