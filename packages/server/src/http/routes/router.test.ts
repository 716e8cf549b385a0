import { isStateError } from 'agentstategraph'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../operations/operation.ts'
import { routerOf } from './router.ts'

const routes = [
  'GET /api/state/{ref}',
  'GET /api/state/{ref}/paths',
  'POST /api/state/{ref}/set',
  'GET /api/branches',
  'DELETE /api/branches/{name}',
  'GET /api/plans/{ref}/{plan}',
] as const
const router = routerOf(routes.map(route => ({ name: route, route }) as unknown as Operation))

function matched(method: string, path: string): readonly [string, Record<string, string>] {
  const { operation, fields } = router.match(method, path)
  return [operation.name, { ...fields }]
}

function refusal(method: string, path: string): unknown {
  try {
    return matched(method, path)
  } catch (error) {
    return isStateError(error) ? error.toJSON() : error
  }
}

describe('the router', () => {
  test('takes names with slashes as they are, and as %2F', () => {
    expect(matched('GET', '/api/state/main')).toEqual(['GET /api/state/{ref}', { ref: 'main' }])
    expect(matched('GET', '/api/state/feature/net')).toEqual(['GET /api/state/{ref}', { ref: 'feature/net' }])
    expect(matched('GET', '/api/state/feature%2Fnet')).toEqual(['GET /api/state/{ref}', { ref: 'feature/net' }])
    expect(matched('POST', '/api/state/a/b/c/set')).toEqual(['POST /api/state/{ref}/set', { ref: 'a/b/c' }])
    expect(matched('DELETE', '/api/branches/x/y')).toEqual(['DELETE /api/branches/{name}', { name: 'x/y' }])
    expect(matched('GET', '/api/plans/a/b/p')).toEqual(['GET /api/plans/{ref}/{plan}', { ref: 'a/b', plan: 'p' }])
  })

  test('prefers fixed words, and leaves %2F a way to say otherwise', () => {
    expect(matched('GET', '/api/state/feature/paths')).toEqual(['GET /api/state/{ref}/paths', { ref: 'feature' }])
    expect(matched('GET', '/api/state/feature%2Fpaths')).toEqual(['GET /api/state/{ref}', { ref: 'feature/paths' }])
  })

  test('decodes once', () => {
    expect(matched('GET', '/api/state/a%252Fb')).toEqual(['GET /api/state/{ref}', { ref: 'a%2Fb' }])
  })

  test('names what is possible where the method is not', () => {
    expect(refusal('PUT', '/api/branches')).toMatchObject({ code: 'method-not-allowed', data: { allowed: ['GET'] } })
    expect(refusal('GET', '/api/nothing')).toMatchObject({ code: 'route-not-found' })
    const data = { nearest: ['GET /api/plans/{ref}/{plan}'] }
    expect(refusal('GET', '/api/plans')).toMatchObject({ code: 'route-not-found', data })
    const all = { nearest: ['GET /api/state/{ref}', 'GET /api/state/{ref}/paths', 'POST /api/state/{ref}/set'] }
    expect(refusal('GET', '/api/state')).toMatchObject({ code: 'route-not-found', data: all })
    const set = { nearest: ['POST /api/state/{ref}/set'] }
    expect(refusal('POST', '/api/set')).toMatchObject({ code: 'route-not-found', data: set })
    expect(refusal('GET', '/api/state/%ff')).toMatchObject({ code: 'url-invalid' })
    expect(refusal('GET', `/api/state/${'a/'.repeat(100)}b`)).toMatchObject({ code: 'url-invalid' })
  })

  test('gives back every name that was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), name => {
        expect(matched('GET', `/api/state/${encodeURIComponent(name)}`)[1]).toEqual({ ref: name })
      }),
    )
  })
})
