import { expect, it } from 'vitest'
import { median, rateRatio, summarize, takeTurns } from './measure.mjs'

it('lets the sides take turns, and numbers their steps without gaps', async () => {
  const calls = []
  const side = (name, count) => ({ name, count, run: (from, steps) => void calls.push(`${name} ${from}+${steps}`) })
  const results = await takeTurns([side('a', 2), side('b', 3)], { slices: 2, warmups: 1 })
  expect(calls).toEqual(['a 0+2', 'b 0+3', 'a 2+2', 'b 3+3', 'a 4+2', 'b 6+3'])
  expect(results.a.seconds).toHaveLength(2)
})

it('prepares a side before each of its slices', async () => {
  const calls = []
  const prepare = async (from, steps) => void calls.push(`prepare ${from}+${steps}`)
  const run = (from, steps) => void calls.push(`run ${from}+${steps}`)
  await takeTurns([{ name: 'a', count: 2, prepare, run }], { slices: 1, warmups: 1 })
  expect(calls).toEqual(['prepare 0+2', 'run 0+2', 'prepare 2+2', 'run 2+2'])
})

it('gives the middle and the best', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(summarize([3, 1, 2])).toEqual({ median: 2, best: 1 })
})

it('compares slices that ran side by side, so that a slow moment of the machine does not count', () => {
  const calm = { seconds: [1, 1, 9] }
  expect(rateRatio(calm, { seconds: [10, 10, 90] })).toBe(10)
})
