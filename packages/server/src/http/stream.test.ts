import { describe, expect, test } from 'vitest'
import { eventResponse, lineResponse, type StreamOptions } from './stream.ts'

function source(count: number, failsAt = -1) {
  const told = { asked: 0, isLeft: false, ends: 0, failures: [] as string[] }
  const leave = new AbortController()
  const onEnd = (): void => {
    told.ends++
  }
  const onFault = (error: unknown): unknown => {
    told.failures.push(String(error))
    return { code: 'told' }
  }
  const options: StreamOptions = { heartbeatMs: 60_000, leave, onEnd, onFault }
  async function* items(): AsyncGenerator<unknown> {
    try {
      for (let seq = 1; seq <= count; seq++) {
        told.asked++
        if (seq === failsAt) throw new RangeError('inside')
        yield { seq, kind: 'commit' }
      }
    } finally {
      told.isLeft = true
    }
  }
  return { told, leave, options, items: items() }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
}

describe.each([
  ['lines', lineResponse],
  ['events', eventResponse],
] as const)('%s', (_name, respond) => {
  test('are asked for as they are read, and not before', async () => {
    const { told, options, items } = source(1000)
    const response = await respond(items, options)
    await turns()
    expect(told.asked).toBeLessThan(5)
    const reader = response.body!.getReader()
    for (let read = 0; read < 10; read++) await reader.read()
    await turns()
    expect(told.asked).toBeLessThan(15)
    await reader.cancel()
  })

  test('end their source once when the reader leaves', async () => {
    const { told, leave, options, items } = source(1000)
    const response = await respond(items, options)
    await response.body!.cancel()
    await turns()
    expect([told.isLeft, leave.signal.aborted, told.ends]).toEqual([true, true, 1])
  })

  test('are refused as a whole when the first item is', async () => {
    const { told, options, items } = source(10, 1)
    await expect(respond(items, options)).rejects.toThrow('inside')
    expect([told.ends, told.failures]).toEqual([0, []])
  })

  test('end by themselves', async () => {
    const { told, options, items } = source(3)
    const text = await (await respond(items, options)).text()
    expect(text.match(/"seq":\d/g)).toEqual(['"seq":1', '"seq":2', '"seq":3'])
    expect(told.ends).toBe(1)
  })
})

test('lines that fail break off, so that nobody takes them for whole', async () => {
  const { told, options, items } = source(10, 3)
  await expect((await lineResponse(items, options)).text()).rejects.toThrow()
  expect([told.ends, told.failures]).toEqual([1, ['RangeError: inside']])
})

test('events that fail say so, without the words of the failure', async () => {
  const { told, options, items } = source(10, 3)
  const text = await (await eventResponse(items, options)).text()
  expect(text).toContain('event: fault\ndata: {"code":"told"}')
  expect(text).not.toContain('inside')
  expect([told.ends, told.failures]).toEqual([1, ['RangeError: inside']])
})
