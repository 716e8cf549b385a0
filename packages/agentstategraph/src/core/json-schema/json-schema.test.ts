import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStateError } from '../errors.ts'
import { findJsonSchemaFields, jsonSchema } from './json-schema.ts'
import { type Validated, validateWith } from './standard-schema.ts'

function ask(schema: object | boolean, value: unknown): Validated {
  return validateWith(jsonSchema(schema), value) as Validated
}
const fits = (schema: object | boolean, value: unknown): boolean => !('issues' in ask(schema, value))

/** For each keyword: a schema, values that fit, values that do not. */
const tables: readonly (readonly [
  name: string,
  schema: object | boolean,
  fit: readonly unknown[],
  not: readonly unknown[],
])[] = [
  ['true', true, [1, null, {}], []],
  ['false', false, [], [1, null, {}]],
  ['type', { type: 'integer' }, [1, 1.0, -0, 1e300], [1.5, '1', null, Number.NaN, 1n]],
  ['type null', { type: 'null' }, [null], [0, '', false, undefined, {}]],
  ['type object', { type: 'object' }, [{}], [[], null, new Map(), new Date()]],
  ['several types', { type: ['string', 'array'] }, ['', []], [1, {}]],
  ['enum', { enum: [1, 'a', { x: [1] }, null] }, [1, 'a', { x: [1] }, null], [2, '1', { x: [2] }, false]],
  ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, 1, null]],
  ['const false', { const: false }, [false], [0, null]],
  ['const 0', { const: 0 }, [0, -0], [false]],
  ['const with a zero', { const: [{ z: 0 }] }, [[{ z: -0 }]], [[{ z: false }]]],
  ['multipleOf', { multipleOf: 0.01 }, [0.07, 19.99, 4.02, 'x'], [0.075]],
  ['multipleOf tiny', { multipleOf: 1e-8 }, [12391239123], []],
  ['multipleOf huge', { type: 'integer', multipleOf: 0.123456789 }, [], [1e308]],
  ['minimum', { minimum: -2 }, [-2, 0, 'x'], [-2.0001]],
  ['maximum', { maximum: 3 }, [3, 'x'], [3.5]],
  ['exclusive', { exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  ['length', { minLength: 2, maxLength: 2 }, ['ab', '💩💩', 5], ['a', 'abc', '💩']],
  ['pattern', { pattern: '^\\p{Lu}+$' }, ['ÄÖ', 3], ['ab', '']],
  ['items count', { minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [
      [1, '1', true],
      [{ a: 1 }, { a: 2 }],
      [1, true, 0, false],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
    ],
  ],
  ['properties count', { minProperties: 1, maxProperties: 1 }, [{ a: 1 }, 1], [{}, { a: 1, b: 2 }]],
  [
    'required',
    { required: ['a', '__proto__', 'toString'] },
    [1, JSON.parse('{"a":1,"__proto__":1,"toString":1}')],
    [{ a: 1 }, {}],
  ],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }, 'x'], [{ a: 1 }]],
  [
    'properties',
    { properties: { a: { type: 'number' }, b: false } },
    [{}, { a: 1 }, { c: 1 }, []],
    [{ a: 'x' }, { b: 1 }],
  ],
  [
    'patternProperties',
    { patternProperties: { '^n': { type: 'number' }, '1$': { minimum: 5 } } },
    [{ x: 'y', n: 1, n1: 5 }],
    [{ nn: 'x' }, { n1: 4 }],
  ],
  [
    'additionalProperties',
    { properties: { a: true }, patternProperties: { '^x': true }, additionalProperties: { type: 'string' } },
    [{ a: 1, x: 1, b: 's' }],
    [{ b: 1 }],
  ],
  [
    'additionalProperties beside allOf',
    { allOf: [{ properties: { a: true } }], additionalProperties: false },
    [{}],
    [{ a: 1 }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }, {}, []], [{ abc: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, [{}, { a: 1, b: 2 }], [{ a: 1 }]],
  ['items', { items: { type: 'number' } }, [[1, 2], [], 'x'], [[1, 'x']]],
  [
    'prefixItems',
    { prefixItems: [{ type: 'number' }, true], items: { type: 'string' } },
    [[1], [1, null, 'x'], []],
    [['x'], [1, 2, 3]],
  ],
  ['contains', { contains: { minimum: 5 } }, [[1, 5], 'x'], [[], [1]]],
  [
    'contains counted',
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 1],
      [1, 1, 1, 2],
    ],
    [[1], [1, 1, 1, 1]],
  ],
  ['minContains 0', { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['x', 5], [4]],
  ['oneOf', { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 5]],
  ['not', { not: { type: ['integer', 'boolean'] } }, ['x', 1.5], [1, true]],
  ['if', { if: { minimum: 10 }, then: { multipleOf: 2 }, else: { multipleOf: 3 } }, [12, 9], [11, 8]],
  ['then without if', { then: false }, [1], []],
  ['$ref', { $defs: { 'a/b~c%': { type: 'number' } }, $ref: '#/$defs/a~1b~0c%25', maximum: 5 }, [5], ['x', 6]],
  [
    '$ref to the root',
    { properties: { next: { $ref: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [{ next: { nxt: {} } }],
  ],
  ['$anchor', { $ref: '#here', $defs: { x: { $anchor: 'here', type: 'string' } } }, ['x'], [1]],
  [
    '$id',
    {
      $id: 'https://example.org/root',
      $ref: 'part',
      $defs: { x: { $id: 'part', type: 'array', items: { $ref: '#/$defs/y' }, $defs: { y: { type: 'number' } } } },
    },
    [[1]],
    [['x'], 1],
  ],
  [
    'a pointer to no keyword',
    { $ref: '#/lib/text', lib: { text: { type: 'string', $ref: '#/lib/short' }, short: { maxLength: 2 } } },
    ['ab'],
    [1, 'abc'],
  ],
  ['an enum holds no references', { enum: [{ $ref: 'http://nowhere' }] }, [{ $ref: 'http://nowhere' }], [1]],
  [
    'unevaluatedProperties',
    {
      properties: { a: true },
      anyOf: [
        { properties: { b: { const: 1 } }, required: ['b'] },
        { properties: { c: true }, required: ['c'] },
      ],
      unevaluatedProperties: false,
    },
    [{ a: 1, b: 1 }, { c: 1 }, { b: 1, c: 1 }],
    [
      { b: 2, c: 1 },
      { b: 1, d: 1 },
    ],
  ],
  [
    'unevaluatedProperties and if',
    {
      if: { properties: { k: { const: 1 } }, required: ['k'] },
      then: { properties: { a: true } },
      unevaluatedProperties: false,
    },
    [{ k: 1, a: 1 }, {}],
    [{ a: 1 }, { k: 1, b: 1 }],
  ],
  [
    'unevaluatedProperties through $ref',
    {
      $ref: '#/$defs/base',
      unevaluatedProperties: { type: 'number' },
      $defs: { base: { properties: { s: { type: 'string' } } } },
    },
    [{ s: 'x', n: 1 }],
    [{ s: 'x', n: 'y' }],
  ],
  [
    'unevaluatedItems',
    { prefixItems: [true], contains: { const: 'c' }, unevaluatedItems: false },
    [[1, 'c', 'c'], ['c']],
    [[1, 'c', 2]],
  ],
  [
    'not gives nothing to unevaluated',
    { not: { not: { properties: { a: true } } }, unevaluatedProperties: false },
    [{}],
    [{ a: 1 }],
  ],
  ['format only describes', { format: 'email' }, ['no address'], []],
  ['names of Object.prototype', { properties: { constructor: { type: 'number' } } }, [{}], [{ constructor: 'x' }]],
]

describe('jsonSchema', () => {
  for (const [name, schema, fit, not] of tables) {
    it(`${name}`, () => {
      for (const value of fit) expect(ask(schema, value)).toEqual({ value })
      for (const value of not) expect(fits(schema, value)).toBe(false)
    })
  }

  it('collects all issues with their paths', () => {
    const schema = {
      type: 'object',
      required: ['x'],
      properties: { list: { items: { type: 'number', maximum: 5 } }, 'a/b': { minLength: 2 } },
    }
    expect(ask(schema, { list: [1, 'x', 9], 'a/b': '' })).toEqual({
      issues: [
        { path: [], message: "has to have 'x'" },
        { path: ['list', '1'], message: 'has to be number, and is string' },
        { path: ['list', '2'], message: 'has to be at most 5' },
        { path: ['a/b'], message: 'has to have at least 2 characters' },
      ],
    })
  })

  it('fills in defaults where a property is certain, and never writes to what it is given', () => {
    const schema = {
      properties: {
        a: { default: { n: [1] } },
        b: { properties: { c: { default: 2 } } },
        list: { items: { properties: { d: { default: 3 } } } },
      },
      allOf: [{ properties: { e: { $ref: '#/$defs/e' } } }],
      anyOf: [{ properties: { f: { default: 5 } } }],
      required: ['a'],
      $defs: { e: { default: 4 } },
    }
    const given = { b: {}, list: [{}] }
    const { value } = ask(schema, given) as { value: { a: { n: number[] } } }
    expect(value).toEqual({ a: { n: [1] }, b: { c: 2 }, list: [{ d: 3 }], e: 4 })
    expect(given).toEqual({ b: {}, list: [{}] })
    value.a.n.push(2)
    expect(ask(schema, {})).toMatchObject({ value: { a: { n: [1] } } })
    const whole = { a: 1, b: { c: 1 }, list: [{ d: 1 }], e: 1 }
    expect((ask(schema, whole) as { value: unknown }).value).toBe(whole)
  })

  it('refuses what it does not support and what is no schema, by name, when it is made', () => {
    const wrong: readonly (readonly [object, string, string])[] = [
      [{ properties: { a: { $dynamicRef: '#x' } } }, '/properties/a/$dynamicRef', '$dynamicRef is not supported'],
      [{ $ref: 'https://json-schema.org/draft/2020-12/schema' }, '/$ref', 'leads out of the document'],
      [{ $ref: '#/$defs/none' }, '/$ref', 'leads to no schema'],
      [{ $ref: '#%' }, '/$ref', 'percent'],
      [
        { $schema: 'http://json-schema.org/draft-07/schema#' },
        '/$schema',
        'only https://json-schema.org/draft/2020-12/schema',
      ],
      [{ items: [{}] }, '/items', 'prefixItems'],
      [{ type: 'text' }, '/type', 'one or more of'],
      [{ pattern: '(' }, '/pattern', 'no regular expression'],
      [{ patternProperties: { '(': {} } }, '/patternProperties', 'no regular expression'],
      [{ minLength: -1 }, '/minLength', 'whole number'],
      [{ minimum: '1' }, '/minimum', 'a number'],
      [{ multipleOf: 0 }, '/multipleOf', 'above 0'],
      [{ required: 'a' }, '/required', 'list of names'],
      [{ enum: 1 }, '/enum', 'list of values'],
      [{ anyOf: [] }, '/anyOf', 'not empty'],
      [{ properties: { a: 1 } }, '/properties/a', 'neither an object'],
      [{ dependencies: {} }, '/dependencies', 'dependentRequired'],
    ]
    for (const [schema, path, reason] of wrong) {
      try {
        jsonSchema(schema)
        expect.unreachable(JSON.stringify(schema))
      } catch (error) {
        expect(isStateError(error, 'schema-invalid') && error.data, JSON.stringify(schema)).toEqual({
          path,
          reason: expect.stringContaining(reason) as string,
        })
      }
    }
    expect(() => jsonSchema([] as never)).toThrow('neither an object')
  })

  it('a schema may refer to itself for parts of a value, and is refused when it does for the value itself', () => {
    const refers = 'refers to itself for the same value'
    expect(() => jsonSchema({ $ref: '#' })).toThrow(refers)
    expect(() => jsonSchema({ anyOf: [{ $ref: '#' }, { $ref: '#' }] })).toThrow(refers)
    const circle = { a: { $ref: '#/$defs/b' }, b: { not: { $ref: '#/$defs/a' } } }
    expect(() => jsonSchema({ $defs: circle })).toThrow(refers)
    expect(fits({ type: 'object', additionalProperties: { $ref: '#' } }, { a: { b: {} } })).toBe(true)
    expect(fits({ type: 'object', additionalProperties: { $ref: '#' } }, { a: { b: 1 } })).toBe(false)
  })

  it('refuses expressions that can backtrack exponentially, by the path of the schema', () => {
    expect(() => jsonSchema({ properties: { a: { pattern: '^(a+)+$' } } })).toThrow(
      /properties\/a\/pattern.*several ways/,
    )
    expect(() => jsonSchema({ patternProperties: { '(\\w+\\s?)+$': true } })).toThrow(/several ways/)
  })

  it('refuses references that double with every step for one value', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        n,
        n === 59 ? { type: 'object' } : { allOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }] },
      ]),
    )
    expect(() => jsonSchema({ $ref: '#/$defs/0', $defs: defs })).toThrow(/more than 10000 schemas to one value/)
  })

  it('evaluates what alternatives share once for each part of a value', () => {
    const branch = { properties: { next: { $ref: '#' } } }
    const schema = {
      type: ['object', 'null'],
      allOf: [branch, branch].map(part => ({ ...part })),
      anyOf: [{ ...branch, required: ['b'] }, { ...branch }],
      properties: { n: { type: 'number', default: 1 } },
    }
    let value: unknown = { n: 'no number' }
    for (let n = 0; n < 60; n++) value = { next: value }
    expect(fits(schema, value)).toBe(false)
    let good: unknown = null
    for (let n = 0; n < 60; n++) good = { next: good }
    expect(fits(schema, good)).toBe(true)
  })

  it('changing the object afterwards changes nothing', () => {
    const source = { type: 'number' }
    const schema = jsonSchema(source)
    source.type = 'string'
    expect(validateWith(schema, 1)).toEqual({ value: 1 })
  })

  it('any JSON value fits the constant that it is, and only its equals do', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        return fits({ const: a }, a) && fits({ enum: [a] }, b) === isSame
      }),
    )
  })

  it('tells the fields of an object, and whether it has rules beyond them', () => {
    const fields = findJsonSchemaFields(
      jsonSchema({ properties: { a: { type: 'string' }, b: { default: 1 } }, required: ['a'] }),
    )!
    expect([...fields.fields.keys()].sort()).toEqual(['a', 'b'])
    expect(fields.fields.get('a')).toMatchObject({ isRequired: true, initial: undefined })
    expect(fields.fields.get('b')).toMatchObject({ isRequired: false, initial: { value: 1 } })
    expect(fields.hasRules).toBe(false)
    expect(findJsonSchemaFields(jsonSchema({ properties: { a: {} }, maxProperties: 1 }))!.hasRules).toBe(true)
    expect(findJsonSchemaFields(jsonSchema({ type: 'object' }))).toBeUndefined()
    expect(findJsonSchemaFields(jsonSchema({ properties: {}, patternProperties: {} }))).toBeUndefined()
  })
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  // Not a list: an empty object is not an empty list.
  return { entries: entries.map(([key, part]) => [key, sorted(part)]) }
}
