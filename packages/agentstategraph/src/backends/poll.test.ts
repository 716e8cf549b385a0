import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Poll, poll } from './poll.ts'

let polls: Poll[] = []
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  for (const one of polls) one.stop()
  polls = []
  vi.useRealTimers()
})

/** A place whose looks are answered by hand, and how often its listener was called. */
function place() {
  const answers: ((found: number | Promise<never>) => void)[] = []
  const look = () => new Promise<unknown>(resolve => answers.push(resolve))
  let calls = 0
  const polling = poll(look, 100, () => calls++)
  polls.push(polling)
  return {
    polling,
    looks: () => answers.length,
    calls: () => calls,
    async answer(found: number | Promise<never>) {
      answers.at(-1)!(found)
      await vi.advanceTimersByTimeAsync(0)
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

it('tells after the first look, because an entry may have come before it, and then of changes only', async () => {
  const { answer, calls, pass } = place()
  await answer(1)
  expect(calls()).toBe(1)
  for (const [found, told] of [[1, 1] as const, [2, 2] as const, [2, 2] as const]) {
    await pass(100)
    await answer(found)
    expect(calls()).toBe(told)
  }
})

it('looks once in each interval, never twice at the same time, and goes on after a failed look', async () => {
  const { answer, looks, calls, pass } = place()
  await pass(1000)
  expect(looks()).toBe(1)
  await answer(Promise.reject(new Error('no answer')))
  await pass(100)
  expect(looks()).toBe(2)
  await answer(7)
  expect(calls()).toBe(1)
})

it('looks at once when it is told to, also after a look that has begun before', async () => {
  const { answer, looks, polling } = place()
  polling.now()
  polling.now()
  expect(looks()).toBe(1)
  await answer(1)
  expect(looks()).toBe(2)
  await answer(1)
  expect(looks()).toBe(2)
})

it('tells nothing after it was stopped', async () => {
  const { answer, looks, calls, polling, pass } = place()
  polling.stop()
  await answer(1)
  await pass(1000)
  expect([looks(), calls()]).toEqual([1, 0])
})
