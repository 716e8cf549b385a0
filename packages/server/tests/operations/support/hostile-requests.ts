/** Requests of hostile sizes within the limits, and a store that is large in every way. */
import { createHash } from 'node:crypto'
import type { Repository } from 'agentstategraph'
import { access, type Capability } from 'agentstategraph/access'
import fc from 'fast-check'
import { operations } from '../../../src/operations/table.ts'

/** How many keys the largest map has that one request can bring. */
export const LARGEST_MAP = 250_000

/** How large the store and the requests are: as the requests were that once stopped a server, or a part of that. */
export interface Sizes {
  readonly keys: number
  readonly commits: number
  readonly part: number
}

export function sizesOf(part: number): Sizes {
  return { keys: 40_000 * part, commits: 20_000 * part, part }
}

/** Makes a repository large: a map, a list, a branch that conflicts everywhere, a long text, many commits and intents. */
export async function fill(repo: Repository, { keys, commits, part }: Sizes): Promise<void> {
  await repo.set('/large', keysOf(keys, 0), 'Large')
  await repo.set(
    '/list',
    Array.from({ length: keys }, (_, n) => ({ n })),
    'Long',
  )
  await repo.set('/text', 'a'.repeat(1_000_000 * part), 'Text')
  const other = await repo.branch('other')
  await other.set('/large', keysOf(keys, 1), 'Differs there')
  for (let n = 0; n < commits; n++) {
    await repo.set('/n', n, { description: `Count ${n}`, intent: { id: `intent-${n}` } })
  }
  await repo.set('/large', keysOf(keys, 2), 'Differs here')
}

const capabilities: readonly Capability[] = [
  ...(['read', 'propose', 'commit', 'merge', 'branch', 'delete-branch', 'tag', 'migrate', 'grant'] as const),
  ...(['approve', 'policy', 'taint', 'seal', 'export', 'erase', 'admin'] as const),
]

/** The key of a principal that may do everything, but not read one place in each large container. */
export async function addLimited(repo: Repository): Promise<string> {
  const control = access(repo)
  for (const path of ['/large/k5', '/list/5']) {
    await control.taint({ path, effect: 'warn', quarantine: true, reason: 'Suspect' })
  }
  const { key } = await control.addPrincipal('agent/limited', 'agent')
  await control.grant('agent/limited', { capabilities })
  return key
}

export function keysOf(count: number, value: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))
}

const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    n,
    n === 39 ? {} : { allOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }] },
  ]),
)
const why = { description: 'Try' }

/** A public key for the log `log`, as a pinned key is written, and its id. */
function verifierKey(n: number): { readonly text: string; readonly id: Buffer } {
  const key = Buffer.concat([Buffer.from([1]), Buffer.alloc(32, n)])
  const id = createHash('sha256').update('log\n').update(key).digest().subarray(0, 4)
  return { text: `log+${id.toString('hex')}+${key.toString('base64')}`, id }
}

/** A signature that is none, different from all others. */
function signatureLine(id: Buffer, n: number): string {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt32BE(n)
  return `— log ${Buffer.concat([id, bytes]).toString('base64')}\n`
}

type KnownRequest = readonly [what: string, name: string, input: Record<string, unknown>, code?: string | undefined]

/** Requests that once stopped a server, with what they are answered. */
export function knownRequests({ part }: Sizes): readonly KnownRequest[] {
  const manyEdits = Array.from({ length: 10_000 * part }, (_, n) => ({ op: 'set', path: `/new/k${n}`, value: n }))
  const keys = Array.from({ length: 64 }, (_, n) => verifierKey(n))
  const signatures = Array.from({ length: 25_000 * part }, (_, n) => signatureLine(keys[n % 64]!.id, n))
  const paths = Array.from({ length: 20_000 * part }, (_, n) => `/large/k${n}`)
  const bundle = `${JSON.stringify({ type: 'header', paths })}\n{"type":"header"}\n`
  const alternatives = Array.from({ length: 10 }, (_, n) => ({ const: -n }))
  return [
    [
      'a head with many lines and many keys',
      'check_head',
      {
        head: `log\n1\n${'A'.repeat(43)}=\n\n${signatures.join('')}`,
        keys: keys.map(({ text }) => text),
      },
    ],
    ['a bundle of many paths', 'verify_bundle', { bundle }],
    ['a bundle of many lines', 'verify_bundle', { bundle: '{"type":"header"}\n'.repeat(20_000 * part) }],
    ['many edits below a new key', 'commit', { edits: manyEdits, ...why }],
    [
      'a bigint of many digits',
      'set',
      { path: '/big', value: { $bigint: '9'.repeat(4_000_000) }, ...why },
      'value-refused',
    ],
    ['a merge with many conflicts', 'preview_merge', { source: 'other' }],
    ['a merge with many conflicts, brought over one by one', 'cherry_pick', { commit: 'other' }, 'merge-conflict'],
    ['a difference in many places', 'diff', { from: 'main', to: 'other' }],
    [
      'an expression that backtracks',
      'attach_schema',
      { ...why, pattern: '/text', schema: { pattern: '^(a+)+$' } },
      'schema-invalid',
    ],
    [
      'an expression that backtracks in a power of the length',
      'attach_schema',
      { ...why, pattern: '/text', schema: { pattern: '^(.*){1,3}(.*)b$' } },
      'schema-violation',
    ],
    [
      'many expressions, each of them large',
      'attach_schema',
      { ...why, pattern: '/n', schema: { allOf: Array(800).fill({ pattern: '(?:ab){4999}' }) } },
      'schema-invalid',
    ],
    [
      'alternatives for each of many elements',
      'attach_schema',
      { ...why, pattern: '/list', schema: { items: { anyOf: alternatives } } },
      'schema-violation',
    ],
    [
      'references that double',
      'attach_schema',
      { ...why, pattern: '/large', schema: { $ref: '#/$defs/0', $defs: doubled } },
      'schema-invalid',
    ],
    ['a map of many keys', 'set', { path: '/more', value: keysOf(LARGEST_MAP * part, 1), ...why }],
    ['a map as large as the thread of a server takes', 'set', { path: '/most', value: keysOf(3000, 1), ...why }],
    ['a large value that came', 'diff', { from: 'main~2', to: 'main' }],
    ['each write of a large value', 'history', { path: '/large' }],
    ['a check of everything', 'verify', {}],
    ['a query that finds nothing', 'query', { ref: 'main', text: 'nowhere' }],
    ['the tree of intents', 'intent_tree', {}],
    ['everything at once', 'get', { path: '/' }],
    ['an import that is none', 'import', { export: '{}\n'.repeat(20_000 * part) }, 'import-refused'],
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

/** A request for any operation, with fields of such sizes, by the operator or by who may not read everything. */
export const hostileRequest = fc
  .record({
    isLimited: fc.boolean(),
    operation: fc.constantFrom(...operations),
    example: fc.nat(9),
    replaced: fc.array(fc.record({ field: fc.nat(30), value: fc.constantFrom(...hostile) }), { maxLength: 3 }),
  })
  .map(({ isLimited, operation, example, replaced }) => {
    const input: Record<string, unknown> = { ...operation.examples[example % operation.examples.length]!.input }
    const fields = Object.keys(operation.input.shape).filter(name => name !== 'namespace' && name !== 'session')
    for (const { field, value } of replaced) {
      const name = fields[field % fields.length]
      if (name !== undefined) input[name] = value
    }
    return { isLimited, operation, input }
  })
