import { expect, it } from 'vitest'
import { readMoment } from './moment-words.ts'

it('reads moments as a person says them, in the zone of the reader', () => {
  const now = new Date(2026, 4, 12, 9, 30)
  expect(readMoment('02:00', now)).toEqual(new Date(2026, 4, 12, 2))
  expect(readMoment('10:00', now)).toEqual(new Date(2026, 4, 11, 10))
  expect(readMoment('90min', now)).toEqual(new Date(2026, 4, 12, 8))
  expect(readMoment('2d', now)).toEqual(new Date(2026, 4, 10, 9, 30))
  expect(readMoment('2026-04-01', now)).toEqual(new Date(2026, 3, 1))
  expect(readMoment('2026-04-01T02:00Z', now)).toEqual(new Date(Date.UTC(2026, 3, 1, 2)))
})
