import { expect, it } from 'vitest'
import { changeListeners } from './change-listeners.ts'

it('a listener is called soon, never inside the one who notifies, and only for its namespace', async () => {
  const calls: string[] = []
  const listeners = changeListeners()
  listeners.add('a', () => calls.push('a'))
  listeners.add('b', () => calls.push('b'))
  listeners.notify('a')
  expect(calls).toEqual([])
  await null
  expect(calls).toEqual(['a'])
  listeners.notifyAll()
  await null
  expect(calls).toEqual(['a', 'a', 'b'])
})

it('one function added twice is called twice, and removing one leaves the other', async () => {
  let calls = 0
  const listener = () => calls++
  const listeners = changeListeners()
  const remove = listeners.add('a', listener)
  listeners.add('a', listener)
  listeners.notify('a')
  await null
  expect(calls).toBe(2)
  remove()
  remove()
  listeners.notify('a')
  await null
  expect(calls).toBe(3)
})

it('a listener removed after the change and before the call is not called', async () => {
  let calls = 0
  const listeners = changeListeners()
  const remove = listeners.add('a', () => calls++)
  listeners.notify('a')
  remove()
  await null
  expect(calls).toBe(0)
})

it('tells when somebody begins to listen and when nobody does any more', () => {
  const told: string[] = []
  const listeners = changeListeners(
    () => told.push('first'),
    () => told.push('last'),
  )
  const removeA = listeners.add('a', () => {})
  const removeB = listeners.add('b', () => {})
  removeA()
  expect(told).toEqual(['first'])
  removeB()
  removeB()
  expect(told).toEqual(['first', 'last'])
  listeners.add('a', () => {})
  listeners.clear()
  listeners.clear()
  expect(told).toEqual(['first', 'last', 'first', 'last'])
})
