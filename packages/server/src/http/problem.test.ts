import { StateError } from 'agentstategraph'
import { describe, expect, test } from 'vitest'
import { serverError } from '../wire/errors.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { faultKinds } from '../wire/faults/fault-kind.ts'
import { responseOf } from './exchange/answer.ts'
import { problemAnswer, statusOf } from './problem.ts'

const codes = Object.entries(faultKinds)

describe('a problem', () => {
  test('is the server’s fault only when the code says so', () => {
    const ofServer = codes
      .filter(([code, kind]) => statusOf({ code, kind, message: '' }) >= 500)
      .map(([, kind]) => kind)
    expect(new Set(ofServer)).toEqual(new Set(['unavailable', 'full', 'verification']))
    expect(codes.filter(([code, kind]) => statusOf({ code, kind, message: '' }) === 500)).toEqual([])
  })

  test.each([
    ['disk-full', 507],
    ['store-full', 507],
    ['store-busy', 503],
    ['store-damaged', 503],
    ['key-file-exists', 409],
  ])('%s never tells the name of a file of the server', async (code, status) => {
    const error = new StateError(code, { file: '/home/ann/state.db' }, 'It is at /home/ann/state.db')
    const response = responseOf(problemAnswer(faultOf(error)))
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(text).toContain(`"code":"${code}"`)
    expect(text).not.toContain('/home/ann')
  })

  test('of a write whose outcome is unknown does not say that nothing was changed', async () => {
    const error = new StateError(
      'outcome-unknown',
      { reason: 'connect ECONNREFUSED 10.0.0.7:6379' },
      'It is at 10.0.0.7',
    )
    const text = await responseOf(problemAnswer(faultOf(error))).text()
    expect(text).toContain('unknown')
    expect(text).not.toMatch(/Nothing was changed|10\.0\.0\.7/)
  })

  test('carries what HTTP wants said in headers', () => {
    const headersOf = (error: unknown): Headers => responseOf(problemAnswer(faultOf(error))).headers
    expect(headersOf(serverError('unauthenticated', {})).get('www-authenticate')).toBe('Bearer')
    expect(headersOf(serverError('rate-limited', { retryAfterSeconds: 7 })).get('retry-after')).toBe('7')
    const refused = serverError('method-not-allowed', { method: 'PUT', allowed: ['DELETE', 'GET'] })
    expect(headersOf(refused).get('allow')).toBe('DELETE, GET')
  })
})
