import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pacedJson } from '../../host/paced-json.ts'
import { wireValue } from '../json-value.ts'
import { isSmall } from './is-small.ts'
import { pacedMap, pacedValue } from './paced-value.ts'

/** Values of every size around the one from which they are converted in pieces. */
const value = fc
  .tuple(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }), fc.nat(3))
  .map(
    ([part, size]) =>
      [
        part,
        Array.from({ length: 3000 }, () => part),
        { $list: Array.from({ length: 3000 }, (_, n) => n), part, ['__proto__']: part },
        Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`$${n}`, n % 1000 === 0 ? part : n])),
      ][size],
  )

function wired(given: unknown): unknown {
  try {
    return wireValue(given)
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('a value converted and printed in pieces is what it is as a whole', async () => {
  let paces = 0
  const pace = async (): Promise<void> => void paces++
  await fc.assert(
    fc.asyncProperty(value, async given => {
      const whole = wired(given)
      const inPieces = await pacedValue(given, pace).catch(error => error.code)
      expect(inPieces).toEqual(whole)
      expect(await pacedJson(whole, Number.POSITIVE_INFINITY)).toBe(JSON.stringify(whole) ?? 'null')
    }),
    { numRuns: 15 },
  )
  expect(paces).toBeGreaterThan(0)
})

test('others take their turn while many items are converted', async () => {
  let paces = 0
  const pace = async (): Promise<void> => void paces++
  const items = Array.from({ length: 1000 }, (_, n) => n)
  expect(await pacedMap(items, n => n + 1, pace)).toEqual(items.map(n => n + 1))
  expect(paces).toBe(7)
})

test('fields that are undefined are not printed, and what is too long is not printed to its end', async () => {
  const large = { a: undefined, list: Array.from({ length: 5000 }, (_, n) => (n === 0 ? undefined : n)), z: {} }
  expect(isSmall(large)).toBe(false)
  expect(await pacedJson(large, 1e6)).toBe(JSON.stringify(large))
  await expect(pacedJson(large, 1000)).rejects.toMatchObject({ code: 'too-costly', data: { limit: 'answer' } })
  await expect(pacedJson('é'.repeat(1000), 1500)).rejects.toMatchObject({ code: 'too-costly' })
})
