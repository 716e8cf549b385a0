import { expect, it } from 'vitest'
import { isStateError } from '../../core/errors.ts'
import { StoreLocked } from '../../store/contract/lock.ts'
import { retryWhileBusy, retryWhileLocked, toBackendError } from './busy.ts'

const failing = (errcode: number) => Object.assign(new Error('database is locked'), { errcode })

it('an attempt that finds the file locked is made again until it is free', () => {
  let attempts = 0
  const result = retryWhileBusy('a.db', () => {
    if (++attempts < 5) throw failing(attempts === 2 ? 261 : 5)
    return 'free'
  })
  expect([result, attempts]).toEqual(['free', 5])
})

it('waiting ends with store-busy, which names the file and how long it was waited for', () => {
  try {
    retryWhileBusy(
      'a.db',
      () => {
        throw failing(5)
      },
      10,
    )
    expect.unreachable()
  } catch (e) {
    expect(isStateError(e, 'store-busy') && e.data).toMatchObject({ file: 'a.db' })
    expect((e as { data: { waitedMs: number } }).data.waitedMs).toBeGreaterThanOrEqual(10)
  }
})

it('waiting without blocking ends by the clock, and not before it', async () => {
  let attempts = 0
  const attempt = (): never => {
    attempts++
    throw new StoreLocked('', { cause: failing(5) })
  }
  const waiting = retryWhileLocked('a.db', -30_000, attempt)
  await expect(waiting).rejects.toMatchObject({ code: 'store-busy', data: { file: 'a.db' }, cause: { errcode: 5 } })
  expect(attempts).toBe(1)
  const freed = retryWhileLocked('a.db', Number.POSITIVE_INFINITY, () => (attempts++ < 5 ? attempt() : 'free'))
  expect(await freed).toBe('free')
})

it('any other error is not waited for', () => {
  let attempts = 0
  const attempt = () => {
    attempts++
    throw failing(11)
  }
  expect(() => retryWhileBusy('a.db', attempt)).toThrow('database is locked')
  expect(attempts).toBe(1)
})

it.each([
  [11, 'store-damaged'],
  [267, 'store-damaged'],
  [26, 'not-a-store'],
  [13, 'store-failed'],
  [14, 'store-failed'],
  [1555, 'store-failed'],
])('result code %i is explained as %s, with the file and the cause', (errcode, code) => {
  const cause = failing(errcode)
  expect(toBackendError('a.db', cause)).toMatchObject({ code, cause, data: { file: 'a.db' } })
})

it('an error that is not of SQLite is left as it is', () => {
  const error = new TypeError('not a function')
  expect(toBackendError('a.db', error)).toBe(error)
})
