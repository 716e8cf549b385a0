import { expect, it } from 'vitest'
import { evaluate } from './evaluate.ts'
import { findJsonSchemaDocument, jsonSchema } from './json-schema.ts'

/** How often validation can pause, and whether the value fits. */
function validated(schema: object, value: unknown): { readonly fits: boolean; readonly pauses: number } {
  const document = findJsonSchemaDocument(jsonSchema(schema))!
  const steps = evaluate(document.schema, value, document.resolve)
  for (let pauses = 0; ; pauses++) {
    const step = steps.next()
    if (step.done === true) return { fits: step.value.length === 0, pauses }
  }
}

const long = 'a'.repeat(200_000)

it.each([
  ['a long text', { pattern: '^(.*){1,3}b' }, long],
  ['a long name', { patternProperties: { '^(.*){1,3}b': false }, minProperties: 2 }, { [long]: 1 }],
  ['many elements', { items: { anyOf: [{ const: 1 }, { const: 2 }] }, maxItems: 1 }, Array(1000).fill(2)],
  ['many alternatives', { anyOf: Array.from({ length: 2000 }, (_, n) => ({ const: n })) }, 'none'],
])('validation of %s can pause', (_, schema, value) => {
  expect(validated(schema, value)).toMatchObject({ fits: false, pauses: expect.toSatisfy(pauses => pauses > 2) })
})

it('the patterns of one schema have one limit together', () => {
  const patterns = (count: number) => Array.from({ length: count }, (_, n) => ({ pattern: `(?:ab){3000}${n}` }))
  expect(() => jsonSchema({ allOf: patterns(2) })).not.toThrow()
  expect(() => jsonSchema({ allOf: patterns(200) })).toThrow(/repetitions/)
})
