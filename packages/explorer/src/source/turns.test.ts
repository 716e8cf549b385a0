import { expect, it } from 'vitest'
import { turnsOf } from './turns.ts'

it('does so much at once, the rest in its order, and nothing that was left before its turn', async () => {
  const inTurn = turnsOf(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (n: number) => () => {
    begun.push(n)
    return new Promise<number>(resolve => ends.push(() => resolve(n)))
  }
  const leaving = new AbortController()
  const done = [1, 2, 3, 4, 5].map(n => inTurn(work(n), n === 3 ? leaving.signal : undefined))
  const left = expect(done[2]).rejects.toThrow('left')
  expect(begun).toEqual([1, 2])
  leaving.abort(new Error('left'))
  await left
  ends[1]!()
  await done[1]
  expect(begun).toEqual([1, 2, 4])
  ends[0]!()
  await done[0]
  expect(begun).toEqual([1, 2, 4, 5])
  for (const end of ends) end()
  expect(await Promise.all([done[3], done[4]])).toEqual([4, 5])
  await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  await expect(inTurn(work(6), leaving.signal)).rejects.toThrow('left')
  expect(await inTurn(() => Promise.resolve(7))).toBe(7)
})
