import { expect, it } from 'vitest'
import { newEventLoop } from './work.ts'

/** An event loop whose clock and turns are moved by hand. */
function byHand() {
  let time = 0
  let callbacks: (() => void)[] = []
  const loop = newEventLoop(
    () => time,
    callback => callbacks.push(callback),
  )
  return {
    loop,
    pass(ms: number) {
      time += ms
    },
    /** One turn: what was asked for before it is called back, and the promises that this resolves are followed. */
    async turn() {
      const due = callbacks
      callbacks = []
      for (const callback of due) callback()
      await Promise.resolve()
    },
    asked: () => callbacks.length,
  }
}

it('a turn is over when work has filled it for ten milliseconds, however much the loop rested before', async () => {
  const { loop, pass, turn } = byHand()
  pass(1000)
  loop.begin()
  pass(9)
  expect(loop.isTurnOver()).toBe(false)
  pass(1)
  expect(loop.isTurnOver()).toBe(true)
  await turn()
  pass(1000)
  expect(loop.isTurnOver()).toBe(false)
})

it('those who wait go on in the order in which they came, one in each turn, with a budget each', async () => {
  const { loop, pass, turn } = byHand()
  const resumed: [string, boolean][] = []
  for (const name of ['a', 'b', 'c']) {
    void loop.nextTurn().then(() => {
      resumed.push([name, loop.isTurnOver()])
      pass(20)
    })
  }
  expect(resumed).toEqual([])
  for (const count of [1, 2, 3]) {
    await turn()
    expect(resumed.length).toBe(count)
  }
  expect(resumed).toEqual(['a', 'b', 'c'].map(name => [name, false]))
})

it('a loop at rest is asked for nothing', async () => {
  const { loop, turn, asked } = byHand()
  loop.begin()
  loop.begin()
  expect(asked()).toBe(1)
  await turn()
  expect(asked()).toBe(0)
})
