import { expect, test } from 'vitest'
import { defaultServeLimits } from '../../http/limits.ts'
import { limitOptions, limitsIn } from './limit-flags.ts'

test('each limit has a flag that tells its default, and the default as it is told is the default', () => {
  const given = limitOptions.map(({ flags, about }) => {
    const name = /^--([\w-]+) </.exec(flags)![1]!.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    return [name, /\(default: (\w+)\)$/.exec(about)![1]]
  })
  expect(limitsIn(Object.fromEntries(given))).toEqual(defaultServeLimits)
})

test('what is not given is not set', () => {
  expect(limitsIn({ port: '1', body: '64mb', totalStreams: '2000', stopTimeout: '2m' })).toEqual({
    bodyBytes: 64 * 2 ** 20,
    totalStreams: 2000,
    stopTimeoutMs: 120_000,
  })
})

test.each([
  ['body', '64'],
  ['body', '64 mb'],
  ['body', '1.5mb'],
  ['body', '-1mb'],
  ['stopTimeout', '10'],
  ['streams', '0'],
  ['reads', 'many'],
  ['reads', '1s'],
])('--%s %s is refused with an example of what is meant', (flag, text) => {
  expect(() => limitsIn({ [flag]: text })).toThrow(/such as/)
})
