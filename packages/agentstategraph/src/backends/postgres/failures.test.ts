import { expect, it } from 'vitest'
import { failed, isAnswer, isTransient, isUnreachable } from './failures.ts'

const told = (code: string): Error => Object.assign(new Error('told'), { code, severity: 'ERROR' })
const system = (code: string): Error => Object.assign(new Error('system'), { code, syscall: 'write' })

it('a lost connection may be tried again, whatever its code looks like', () => {
  for (const error of [system('EPIPE'), system('ECONNRESET'), new Error('Connection terminated'), told('57P01')]) {
    expect([isAnswer(error), isTransient(error)]).toEqual([false, true])
  }
})

it('a lost race is an answer that may be tried again, and a refusal is one that may not', () => {
  for (const code of ['40001', '40P01', '55P03', '26000']) {
    expect([isAnswer(told(code)), isTransient(told(code))]).toEqual([true, true])
  }
  for (const code of ['23505', '42501', '3D000', '53100']) {
    expect([isAnswer(told(code)), isTransient(told(code))]).toEqual([true, false])
  }
})

it('a server that was never reached is not tried again when the client itself says no', () => {
  const refused = [system('ECONNREFUSED'), system('ERR_INVALID_URL'), system('CERT_HAS_EXPIRED')]
  refused.push(new Error('SASL: no password'), new Error('The server does not support SSL connections'))
  expect(refused.map(isUnreachable)).toEqual(refused.map(() => true))
  for (const error of [told('57P03'), new Error('Connection terminated')]) expect(isUnreachable(error)).toBe(false)
})

it('what the caller is told names the kind', () => {
  const codes = ['28P01', '3D000', '42501', '25006', '53100', 'XX001'].map(code => failed(told(code), 'here'))
  expect(codes.map(error => (error as Error & { code: string }).code)).toEqual([
    'postgres-refused',
    'postgres-refused',
    'postgres-refused',
    'postgres-refused',
    'disk-full',
    'postgres-failed',
  ])
})
