import { describe, expect, it } from 'vitest'
import type { Work } from '../../store/index.ts'
import { ask, memoryBackend, openJournal } from '../../store/index.ts'
import { latePart } from './late.ts'

function* size(more: number): Work<number> {
  return (yield* ask(log => log.head())).seq + more
}

const answersLater = {
  ...memoryBackend(),
  namespace: () => ({ ...memoryBackend().namespace('main'), sync: undefined }),
}

describe.each([
  ['at once', memoryBackend()],
  ['with promises', answersLater],
])('a late part on a backend that answers %s', (_, backend) => {
  it('is loaded once, when it is first needed, and the work goes on', async () => {
    let loads = 0
    const part = latePart(async () => {
      loads++
      return { size: size as never, twice: (async (n: number) => 2 * n) as never }
    })
    const journal = await openJournal(backend)
    const late = part.work('size') as (more: number) => Work<number>
    expect(loads).toBe(0)
    expect(await Promise.all([journal.run(late(1)), journal.run(late(2)), part.call('twice')(3)])).toEqual([1, 2, 6])
    expect(await journal.run(late(3))).toBe(3)
    expect(loads).toBe(1)
  })

  it('that cannot be loaded fails what needs it, and is asked for again by what comes after', async () => {
    let loads = 0
    const part = latePart(async () => {
      if (++loads === 1) throw new Error('no network')
      return { size: size as never }
    })
    const journal = await openJournal(backend)
    const late = part.work('size') as (more: number) => Work<number>
    await expect(journal.run(late(1))).rejects.toMatchObject({
      code: 'part-unavailable',
      data: { reason: 'no network' },
    })
    expect(await journal.run(late(1))).toBe(1)
  })
})

it('work that may not wait is refused a part that is not there yet', async () => {
  const journal = await openJournal(memoryBackend())
  const part = latePart(() => new Promise(() => {}))
  expect(() => journal.runSync(part.work('size')() as Work<number>)).toThrow(
    expect.objectContaining({ code: 'sync-unsupported' }),
  )
})
