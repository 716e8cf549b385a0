import { expect, test } from 'vitest'
import { bucketsOf } from './rate.ts'

test('a burst is taken at once, and then as many as the rate gives', () => {
  let now = 0
  const buckets = bucketsOf({ perSecond: 1, burst: 3 }, () => now)
  expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0])
  expect(buckets.take('a')).toBe(1)
  expect(buckets.take('b')).toBe(0)
  now += 1000
  expect(buckets.take('a')).toBe(0)
  expect(buckets.take('a')).toBe(1)
  now += 3_600_000
  expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0])
  expect(buckets.take('a')).toBe(1)
})

test('many peers do not make it grow without end, and none of them gets more than a burst', () => {
  const buckets = bucketsOf({ perSecond: 1, burst: 1 }, () => 0)
  const waits = Array.from({ length: 25_000 }, (_, peer) => buckets.take(`peer ${peer}`))
  expect(new Set(waits)).toEqual(new Set([0]))
  expect(buckets.take('peer 24999')).toBeGreaterThan(0)
})
