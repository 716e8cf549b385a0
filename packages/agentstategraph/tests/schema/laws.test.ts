/** A state that is asked only where it changed is judged as one that is asked as a whole. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  evaluateJsonSchema,
  findJsonSchemaDocument,
  formatPath,
  jsonSchema,
  type RuleIssue,
} from '../../src/core/index.ts'
import { finished } from '../../src/core/json-schema/evaluation.ts'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'

const keys = ['a', 'b', 'c', '$d'] as const
const key = fc.constantFrom(...keys)
const scalar = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom('', 'x', 'yy', true, null, undefined),
  fc.constant(new Date(0)),
)

const { tree: value } = fc.letrec<{ tree: unknown }>(tie => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    fc.array(tie('tree'), { maxLength: 4 }),
  ),
}))
const { node: schema } = fc.letrec<{ node: object | boolean }>(tie => {
  const parts: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
    [
      'type',
      fc.constantFrom(
        'object',
        'array',
        ['object', 'array', 'number', 'string', 'boolean', 'null'],
        ['integer', 'object'],
      ),
    ],
    ['properties', fc.dictionary(key, tie('node'), { maxKeys: 3 })],
    ['patternProperties', fc.dictionary(fc.constantFrom('^a', 'b|c'), tie('node'), { maxKeys: 2 })],
    ['additionalProperties', tie('node')],
    ['propertyNames', fc.constant({ pattern: '^[ab$]' })],
    ['required', fc.uniqueArray(key, { maxLength: 2 })],
    ['dependentRequired', fc.dictionary(key, fc.uniqueArray(key, { maxLength: 2 }), { maxKeys: 2 })],
    ['minProperties', fc.integer({ min: 0, max: 2 })],
    ['maxProperties', fc.integer({ min: 2, max: 4 })],
    ['items', tie('node')],
    ['prefixItems', fc.array(tie('node'), { minLength: 1, maxLength: 2 })],
    ['minItems', fc.integer({ min: 0, max: 2 })],
    ['maxItems', fc.integer({ min: 2, max: 4 })],
    ['uniqueItems', fc.boolean()],
    ['contains', tie('node')],
    ['allOf', fc.array(tie('node'), { minLength: 1, maxLength: 2 })],
    ['anyOf', fc.array(tie('node'), { minLength: 1, maxLength: 2 })],
    ['not', tie('node')],
    ['if', tie('node')],
    // Without `if` they say nothing, with it they are asked.
    ['then', tie('node')],
    ['else', tie('node')],
    ['dependentSchemas', fc.dictionary(key, tie('node'), { maxKeys: 1 })],
    ['unevaluatedProperties', tie('node')],
    ['unevaluatedItems', tie('node')],
    ['maximum', fc.integer({ min: 1, max: 4 })],
    ['minLength', fc.constant(1)],
    [
      'enum',
      fc.array(
        scalar.filter(one => !(one instanceof Date) && one !== undefined),
        { minLength: 2, maxLength: 4 },
      ),
    ],
    ['$ref', fc.constantFrom('#', '#/$defs/one')],
  ]
  // Few keywords at a time: with many, hardly any value fits.
  const some = fc
    .uniqueArray(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 })
    .chain(chosen => fc.record(Object.fromEntries(chosen)))
  return { node: fc.oneof({ depthSize: 'small' }, fc.boolean(), { weight: 4, arbitrary: some }) }
})
const document = fc
  .tuple(schema, schema)
  .map(([root, one]) => (typeof root === 'boolean' ? { $defs: { one } } : { ...root, $defs: { one } }))
  .filter(canBeMade)
/** Containers of more entries than one node holds. */
const wide = fc.oneof(
  fc.array(scalar, { minLength: 70, maxLength: 90 }),
  fc.array(fc.record({ a: scalar, b: scalar }), { minLength: 70, maxLength: 90 }),
  fc
    .array(scalar, { minLength: 70, maxLength: 90 })
    .map(all => Object.fromEntries(all.map((one, i) => [`a${i}`, one]))),
)
const begin = fc.record({ a: fc.oneof({ weight: 4, arbitrary: value }, wide), b: value })
const pattern = fc.constantFrom('/', '/a', '/*', '/**', '/a/*', '/*/0', '/a/1')

type Plain = { [key: string]: unknown }
interface Edit {
  readonly path: readonly string[]
  readonly value: unknown
  readonly isDelete: boolean
}
const edit: fc.Arbitrary<Edit> = fc.record({
  path: fc.array(fc.oneof(key, fc.constantFrom('0', '1', '2')), { minLength: 1, maxLength: 4 }),
  value,
  isDelete: fc.boolean(),
})

/** Schemas that refer to themselves without an end are refused. */
function canBeMade(given: object): boolean {
  try {
    jsonSchema(given)
    return true
  } catch {
    return false
  }
}

describe('a write is judged by its schemas', () => {
  it('where it changed something, as the whole state would be', async () => {
    const edits = fc.array(edit, { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(pattern, document, begin, edits, async (at, given, state, wanted) => {
        fc.pre(faultsIn(at, given, state).length === 0)
        await judge(at, given, state, wanted)
      }),
      { numRuns: 120, maxSkipsPerRun: 1000 },
    )
  })

  const integer = { type: 'integer' }
  const keywords: readonly (readonly [kind: 'list' | 'map', schema: object])[] = [
    ['list', { items: integer, maxItems: 4 }],
    ['list', { prefixItems: [integer, { type: 'string' }], items: { type: ['string', 'null'] } }],
    ['list', { uniqueItems: true }],
    ['list', { contains: integer, maxContains: 2 }],
    ['list', { prefixItems: [true], unevaluatedItems: integer }],
    [
      'map',
      {
        if: { properties: { a: { const: 1 } }, required: ['a'] },
        ...thenElse({ required: ['b'] }, { properties: { c: integer } }),
      },
    ],
    ['map', { anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { c: integer } }],
    ['map', { oneOf: [{ $ref: '#/$defs/a' }, { required: ['b'] }], $defs: { a: { required: ['a'] } } }],
    ['map', { not: { required: ['a', 'b'] } }],
    ['map', { allOf: [{ not: { properties: { a: integer }, required: ['a'] } }, { maxProperties: 2 }] }],
    ['map', { dependentSchemas: { a: { properties: { b: integer } } } }],
    ['map', { properties: { a: true }, unevaluatedProperties: integer }],
    ['map', { dependentRequired: { a: ['b'] }, minProperties: 1 }],
    ['map', { if: { minProperties: 2 }, ...thenElse({ required: ['a'] }, true) }],
  ]
  it.each(keywords)('for each keyword: %s %j', async (kind, given) => {
    const name = kind === 'list' ? fc.constantFrom('0', '1', '2', '-') : key
    const container = kind === 'list' ? fc.array(scalar, { maxLength: 5 }) : fc.dictionary(key, scalar, { maxKeys: 4 })
    const one = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ path: fc.tuple(fc.constant('a'), name), value: scalar, isDelete: fc.boolean() }),
      },
      fc.record({ path: fc.constant(['a']), value: container, isDelete: fc.constant(false) }),
    )
    let refused = 0
    await fc.assert(
      fc.asyncProperty(container, fc.array(one, { minLength: 2, maxLength: 6 }), async (a, wanted) => {
        fc.pre(faultsIn('/a', given, { a }).length === 0)
        refused += await judge('/a', given, { a }, wanted)
      }),
      { numRuns: 40, maxSkipsPerRun: 1000 },
    )
    expect(refused).toBeGreaterThan(0)
  })
})

/** Built by name, because an object with `then` looks like a promise to those who read this. */
function thenElse(then: object | boolean, otherwise: object | boolean): object {
  return Object.fromEntries([
    ['then', then],
    ['else', otherwise],
  ])
}

/** Makes edits under a schema and compares each verdict with that of the whole; tells how many were refused. */
async function judge(at: string, given: object, state: Plain, wanted: readonly Edit[]): Promise<number> {
  let refused = 0
  await using repo = await open<unknown>()
  await repo.set('/', state, 'Begin')
  await schemas(repo).attach(at, given, {}, 'Attach')
  for (const one of wanted) {
    const before = await repo.get('/')
    const after = await stateAfter(before as Plain, one)
    if (after === undefined) continue
    const found = await write(repo, one).then(
      () => [],
      (error: unknown) => violationsIn(error),
    )
    const expected = faultsIn(at, given, after)
    expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort())
    expect(await repo.get('/')).toEqual(found.length > 0 ? before : after)
    if (found.length > 0) refused++
  }
  return refused
}

function write(repo: Repository, { path, value: to, isDelete }: Edit): Promise<unknown> {
  return isDelete ? repo.delete([...path], 'Delete') : repo.set([...path], to, 'Set')
}

/** What an edit makes of a state without schemas; undefined when it cannot be made. */
async function stateAfter(state: Plain, one: Edit): Promise<Plain | undefined> {
  await using repo = await open<unknown>()
  await repo.set('/', state, 'Copy')
  const isMade = await write(repo, one).then(
    () => true,
    () => false,
  )
  return isMade ? ((await repo.get('/')) as Plain) : undefined
}

function violationsIn(error: unknown): readonly string[] {
  if (!isStateError(error, 'schema-violation')) throw error
  return error.data.violations.map(({ path, rule }) => `${path} ${rule}`)
}

/** Every place of a pattern, asked whole. */
function faultsIn(at: string, given: object, state: Plain): readonly string[] {
  const { schema: root, resolve } = findJsonSchemaDocument(jsonSchema(given))!
  return placesOf(at, state).flatMap(([path, found]) =>
    finished(evaluateJsonSchema(root, found, resolve)).map(
      (issue: RuleIssue) => `${formatPath([...path, ...issue.path])} ${issue.rule}`,
    ),
  )
}

function placesOf(at: string, state: unknown): (readonly [readonly string[], unknown])[] {
  const parts = at === '/' ? [] : at.slice(1).split('/')
  const places: (readonly [readonly string[], unknown])[] = []
  const walk = (here: unknown, path: readonly string[], rest: readonly string[]): void => {
    if (rest.length === 0 || rest[0] === '**') places.push([path, here])
    if (rest.length === 0) return
    const isOpen = Array.isArray(here) || (typeof here === 'object' && here !== null && !(here instanceof Date))
    if (!isOpen) return
    for (const [name, child] of Object.entries(here as Plain)) {
      if (rest[0] === '**') walk(child, [...path, name], rest)
      else if (rest[0] === '*' || rest[0] === name) walk(child, [...path, name], rest.slice(1))
    }
  }
  walk(state, [], parts)
  return places
}
