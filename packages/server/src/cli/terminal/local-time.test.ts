import { expect, it } from 'vitest'
import { localTime } from './local-time.ts'

it('is the moment that was given, to the minute, in the zone of this machine', () => {
  const shown = localTime('2026-11-16T04:08:31.123Z')
  expect(shown).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d$/)
  const [day, clock, zone] = shown.split(' ')
  expect(new Date(`${day}T${clock}${zone}`).toISOString()).toBe('2026-11-16T04:08:00.000Z')
})

it('leaves a text that is no time', () => {
  expect(localTime('soon')).toBe('soon')
})
