import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleJson, visibleText } from './visible-text.ts'

/** Half of them from where control characters are. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0x2000, max: 0x2070 }))
  .map(code => String.fromCharCode(code))

describe('stored text on a terminal', () => {
  it('never holds a control character or one that turns the direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), text => {
        expect(visibleText(text)).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
      }),
    )
    expect(visibleText('a\u001b[31m\n\u202eb')).toBe('a\\u001b[31m\\n\\u202eb')
  })

  it('is still the same JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = visibleJson(value, indent)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})
