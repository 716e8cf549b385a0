import { describe, expect, test } from 'vitest'
import { eventResponse } from './event-response.ts'
import { lineResponse } from './line-response.ts'
import type { StreamOptions } from './options.ts'

function source(count: number, failsAt = -1, more: Partial<StreamOptions> = {}) {
  const told = { asked: 0, isLeft: false, ends: 0, failures: [] as string[] }
  const leave = new AbortController()
  const onEnd = (): void => {
    told.ends++
  }
  const onFault = (error: unknown): unknown => {
    told.failures.push(String(error))
    return { code: 'told' }
  }
  const options: StreamOptions = {
    heartbeatMs: 60_000,
    stallTimeoutMs: 60_000,
    leave,
    ending: new AbortController().signal,
    onEnd,
    onFault,
    cut: undefined,
    ...more,
  }
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

/** Items that come when they are told to, and end when their signal aborts. */
function slowItems({ leave }: StreamOptions) {
  let tell = (_seq: number): void => {}
  async function* items(): AsyncGenerator<unknown> {
    for (;;) {
      const seq = await new Promise<number | undefined>(resolve => {
        tell = resolve
        leave.signal.addEventListener('abort', () => resolve(undefined))
      })
      if (seq === undefined) return
      yield { seq, kind: 'commit' }
    }
  }
  return { items: items(), tell: (seq: number) => tell(seq) }
}

describe('a reader that does not read', () => {
  test('of events finds the reason behind what it had not read, and its source has ended before', async () => {
    const { told, options, items } = source(1000, -1, { stallTimeoutMs: 1 })
    let onEnd = (): void => {}
    const ended = new Promise<void>(resolve => {
      onEnd = resolve
    })
    const response = await eventResponse(items, { ...options, onEnd: () => [options.onEnd(), onEnd()] })
    await ended
    await turns()
    expect(told).toMatchObject({ isLeft: true, ends: 1 })
    const text = await response.text()
    expect(text).toMatch(/^retry: 1000\n\nevent: fault\ndata: \{.*"code":"reader-stalled".*\}\n\n$/)
  })

  test('of lines loses the connection, because a part must not pass for the whole', async () => {
    let onCut = (): void => {}
    const isCut = new Promise<void>(resolve => {
      onCut = resolve
    })
    const { told, options, items } = source(1000, -1, { stallTimeoutMs: 1, cut: () => onCut() })
    await lineResponse(items, options)
    await isCut
    await turns()
    expect(told).toMatchObject({ isLeft: true, ends: 1 })
  })
})

describe('at shutdown', () => {
  test('events that wait end with the reason, and so do events that nobody reads', async () => {
    for (const reads of [true, false]) {
      const ending = new AbortController()
      const { told, options } = source(0, -1, { ending: ending.signal })
      const response = await eventResponse(slowItems(options).items, options)
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      if (reads) await reader.read()
      await turns()
      ending.abort()
      let text = ''
      for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value
      expect(text).toMatch(/event: fault\ndata: \{.*"code":"shutting-down".*\}\n\n$/)
      expect(told.ends).toBe(1)
    }
  })

  test('lines go on to their end', async () => {
    const ending = new AbortController()
    const { options, items } = source(3, -1, { ending: ending.signal })
    const response = await lineResponse(items, options)
    ending.abort()
    expect((await response.text()).trim().split('\n')).toHaveLength(3)
  })
})

test('events in which nothing happens say that they are still there, and the next event comes as ever', async () => {
  const { options } = source(0, -1, { heartbeatMs: 1 })
  const { items, tell } = slowItems(options)
  const reader = (await eventResponse(items, options)).body!.pipeThrough(new TextDecoderStream()).getReader()
  await reader.read()
  expect([(await reader.read()).value, (await reader.read()).value]).toEqual([': still here\n\n', ': still here\n\n'])
  tell(7)
  let text = ''
  while (!text.includes('id: 7')) text += (await reader.read()).value
  await reader.cancel()
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
