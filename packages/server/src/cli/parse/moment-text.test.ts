import { expect, it } from 'vitest'
import { findMoment } from './moment-text.ts'

const now = new Date(2026, 4, 10, 15, 0, 0)
function local(year: number, month: number, day: number, hour = 0, minute = 0): string {
  return new Date(year, month, day, hour, minute).toISOString()
}

it('a moment may be in the future, and is where only that makes sense', () => {
  const read = (text: string): string | undefined => findMoment(text, now, 'future')?.toISOString()
  for (const both of [
    'tomorrow',
    'in 2 hours',
    'next monday',
    'next week',
    'in a month',
    '2 hours ago',
    'last week',
    '2027-01-31',
  ])
    expect(read(both), both).toBe(findMoment(both, now)?.toISOString())
  expect(read('tomorrow at 9:05')).toBe(local(2026, 4, 11, 9, 5))
  for (const hours of ['in 2 hours', '2h', '2 hours']) expect(read(hours), hours).toBe(local(2026, 4, 10, 17))
  expect(read('next week')).toBe(local(2026, 4, 17, 15))
  expect(read('in a month')).toBe(local(2026, 5, 10, 15))
  expect(findMoment('1 month', new Date(2026, 0, 31), 'future')?.toISOString()).toBe(local(2026, 1, 28))
  expect(read('2h ago')).toBe(local(2026, 4, 10, 13))
  // The tenth is a Sunday.
  for (const day of ['monday', 'next mon']) expect(read(day), day).toBe(local(2026, 4, 11))
  for (const day of ['sunday', 'next sunday']) expect(read(day), day).toBe(local(2026, 4, 17))
  expect(read('14:30')).toBe(local(2026, 4, 11, 14, 30))
  expect(read('15:30')).toBe(local(2026, 4, 10, 15, 30))
  expect(read('1 May')).toBe(local(2027, 4, 1))
  expect(read('24 dec')).toBe(local(2026, 11, 24))
  for (const other of ['in 2 hours ago', 'in last week', 'in next week', 'in', 'next', 'in 3 apples'])
    expect(read(other), other).toBeUndefined()
})

it('a moment is read as people write it, and without a zone it is local', () => {
  const read = (text: string): string | undefined => findMoment(text, now)?.toISOString()
  expect(read('now')).toBe(now.toISOString())
  expect(read('yesterday')).toBe(local(2026, 4, 9))
  expect(read('today 09:30')).toBe(local(2026, 4, 10, 9, 30))
  expect(read('Yesterday at 9:05')).toBe(local(2026, 4, 9, 9, 5))
  expect(read('14:30')).toBe(local(2026, 4, 10, 14, 30))
  expect(read('2 hours ago')).toBe(local(2026, 4, 10, 13))
  for (const day of ['1 day ago', 'a day ago', '24h', '1d ago', '24_hours_ago'])
    expect(read(day), day).toBe(local(2026, 4, 9, 15))
  expect(read('last week')).toBe(local(2026, 4, 3, 15))
  expect(read('2026-05-01')).toBe(local(2026, 4, 1))
  expect(read('2026-05-01 14:30')).toBe(local(2026, 4, 1, 14, 30))
  expect(read('2026-05-01T14:30:00Z')).toBe('2026-05-01T14:30:00.000Z')
  expect(read('2026-05-01T14:30:00.250+02:00')).toBe('2026-05-01T12:30:00.250Z')
  expect(read('2.hours.ago')).toBe(local(2026, 4, 10, 13))
  expect(read('monday')).toBe(local(2026, 4, 4))
  expect(read('last sun')).toBe(local(2026, 4, 3))
  for (const day of ['1 May', 'May 1', 'may 1, 2026', '1 may 2026']) expect(read(day), day).toBe(local(2026, 4, 1))
  expect(read('24 dec')).toBe(local(2025, 11, 24))
  expect(read('a month ago')).toBe(local(2026, 3, 10, 15))
  expect(findMoment('1 month ago', new Date(2026, 2, 31))?.toISOString()).toBe(local(2026, 1, 28))
  expect(read('2 years ago')).toBe(local(2024, 4, 10, 15))
  for (const other of [
    '',
    'main',
    'soon',
    '2026',
    '12',
    'ab12',
    'deadbeef',
    '2026-13-01',
    '3 apples ago',
    '31 feb',
    'may',
    'may 2026',
    'maybe 1',
  ]) {
    expect(read(other), other).toBeUndefined()
  }
})
