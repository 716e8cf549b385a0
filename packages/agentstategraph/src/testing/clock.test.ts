import { expect, it } from 'vitest'
import { steppingClock } from './clock.ts'

it('starts where it is told and steps each time it is read', () => {
  const clock = steppingClock('2026-05-01T12:00:00.000Z', 250)
  const read = () => clock().toISOString()
  expect([read(), read(), read()]).toEqual([
    '2026-05-01T12:00:00.000Z',
    '2026-05-01T12:00:00.250Z',
    '2026-05-01T12:00:00.500Z',
  ])
})

it('two clocks do not share their steps', () => {
  const clock = steppingClock()
  clock()
  expect(steppingClock()()).toEqual(new Date('2026-01-01T00:00:00.000Z'))
})
