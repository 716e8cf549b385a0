/** Requests of hostile sizes within the limits, and a store that is large in every way. */
import type { Repository } from 'agentstategraph'
import fc from 'fast-check'
import { operations } from '../../../src/operations/table.ts'

/** Makes a repository large: a map, a list, a branch that conflicts everywhere, many commits and intents. */
export async function fill(repo: Repository, size: number): Promise<void> {
  await repo.set('/large', keysOf(size, 0), 'Large')
  await repo.set(
    '/list',
    Array.from({ length: size }, (_, n) => ({ n })),
    'Long',
  )
  const other = await repo.branch('other')
  await other.set('/large', keysOf(size, 1), 'Differs there')
  for (let n = 0; n < size / 20; n++) {
    await repo.set('/n', n, { description: `Count ${n}`, intent: { id: `intent-${n}` } })
  }
  await repo.set('/large', keysOf(size, 2), 'Differs here')
}

function keysOf(count: number, value: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))
}

const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    n,
    n === 39 ? {} : { allOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }] },
  ]),
)
const why = { description: 'Try' }

type KnownRequest = readonly [what: string, name: string, input: Record<string, unknown>, code?: string]

/** Requests that once stopped a server, with what they are answered. */
export function knownRequests(size: number): readonly KnownRequest[] {
  const manyEdits = Array.from({ length: size / 4 }, (_, n) => ({ op: 'set', path: `/new/k${n}`, value: n }))
  return [
    [
      'a head with many lines and many keys',
      'check_head',
      { head: `log\n1\n${'A'.repeat(43)}=\n\n${'— log AAAAAAAA\n'.repeat(size)}`, keys: [] },
    ],
    ['a bundle of many lines', 'verify_bundle', { bundle: '{"type":"header"}\n'.repeat(size) }],
    ['many edits below a new key', 'commit', { edits: manyEdits, ...why }],
    [
      'a bigint of many digits',
      'set',
      { path: '/big', value: { $bigint: '9'.repeat(1_000_000) }, ...why },
      'value-refused',
    ],
    ['a merge with many conflicts', 'preview_merge', { source: 'other' }],
    [
      'an expression that backtracks',
      'attach_schema',
      { ...why, pattern: '/large', schema: { pattern: '^(a+)+$' } },
      'schema-invalid',
    ],
    [
      'references that double',
      'attach_schema',
      { ...why, pattern: '/large', schema: { $ref: '#/$defs/0', $defs: doubled } },
      'schema-invalid',
    ],
    ['a map of many keys', 'set', { path: '/more', value: keysOf(size, 1), ...why }],
    ['a check of everything', 'verify', {}],
    ['a query that finds nothing', 'query', { ref: 'main', text: 'nowhere' }],
    ['the tree of intents', 'intent_tree', {}],
    ['an import that is none', 'import', { export: '{}\n'.repeat(size) }, 'import-refused'],
  ]
}

/** What a field may be given: sizes within the limits, in every shape. */
const hostile: readonly unknown[] = [
  '/large',
  '/**',
  `/${'**/a/'.repeat(8)}b`,
  '/x'.repeat(64),
  'other',
  'x'.repeat(5000),
  'word '.repeat(2000),
  '^(a+)+$',
  1000,
  Number.MAX_SAFE_INTEGER,
  true,
  keysOf(1000, 1),
  Array.from({ length: 1000 }, (_, n) => `/large/k${n}`),
  Array.from({ length: 1000 }, (_, n) => ({ op: 'set', path: `/large/k${n}`, value: n })),
  { $bigint: '9'.repeat(10_000) },
]

/** A request for any operation, with fields of such sizes. */
export const hostileRequest = fc
  .record({
    operation: fc.constantFrom(...operations),
    example: fc.nat(9),
    replaced: fc.array(fc.record({ field: fc.nat(30), value: fc.constantFrom(...hostile) }), { maxLength: 3 }),
  })
  .map(({ operation, example, replaced }) => {
    const input: Record<string, unknown> = { ...operation.examples[example % operation.examples.length]!.input }
    const fields = Object.keys(operation.input.shape).filter(name => name !== 'namespace' && name !== 'session')
    for (const { field, value } of replaced) {
      const name = fields[field % fields.length]
      if (name !== undefined) input[name] = value
    }
    return { operation, input }
  })
