/** Values cross the wire unchanged, whatever their keys are called; tags that do not exist are refused with the way out. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { faultOf } from './faults/fault.ts'
import { type JsonValue, jsonValue, stateValue, wireValue } from './json-value.ts'

const body = z.strictObject({ value: jsonValue })

it('a value that goes out and comes back is the same value', () => {
  const values = fc.anything({ withDate: true, withBigInt: true, withMap: true, withSet: true, withTypedArray: true })
  fc.assert(
    fc.property(values, value => {
      let sent: JsonValue
      try {
        sent = wireValue(value)
      } catch {
        return // what cannot be stored does not reach the wire
      }
      const { value: arrived } = body.parse(JSON.parse(JSON.stringify({ value: sent })))
      expect(wireValue(stateValue(arrived))).toEqual(sent)
    }),
    { numRuns: 200 },
  )
})

it('a key named __proto__ is data', () => {
  const { value } = body.parse(JSON.parse('{"value":{"__proto__":{"admin":true}}}'))
  expect(JSON.stringify(wireValue(stateValue(value)))).toBe('{"__proto__":{"admin":true}}')
})

it('a field that is missing is missing, and null is a value', () => {
  expect(body.safeParse({}).success).toBe(false)
  expect(body.parse({ value: null })).toEqual({ value: null })
})

it.each([{ $ref: '#/a' }, { $date: 'tomorrow' }, { a: [{ $x: 1, b: 2 }] }])('%j is refused', value => {
  let fault: unknown
  try {
    stateValue(value as unknown as JsonValue)
  } catch (error) {
    fault = faultOf(error)
  }
  expect(fault).toMatchObject({ code: 'tag-invalid', kind: 'usage', hint: expect.stringContaining('$$') })
})

it('a bigint of too many digits is refused before it is read', () => {
  const text = '9'.repeat(4_000_000)
  expect(() => stateValue({ list: [{ $bigint: text }] })).toThrow(/list\/0 \(a bigint of more than 10000 digits\)/)
  expect(() => stateValue({ $bigint: `-${text.slice(0, 10_001)}` })).toThrow()
  expect(stateValue({ $bigint: `-${text.slice(0, 10_000)}` })).toBe(-(10n ** 10_000n) + 1n)
})
