import { expect, test } from 'vitest'
import { findNamedClient, findSessionId } from './session-id.ts'

const post = (headers: Record<string, string> = {}) => new Request('http://127.0.0.1/mcp', { method: 'POST', headers })
const opening = (clientInfo: unknown) => ({ id: 1, method: 'initialize', params: { clientInfo } })

test('a client that opens a connection is named by the id it gets, whatever it calls itself', () => {
  for (const client of [
    { name: 'claude-code', version: '2.1.280' },
    { name: 'Ünï\n"x"', version: '' },
  ]) {
    const id = findSessionId(post(), opening(client))
    expect(id).toMatch(/^[\w-]+$/)
    expect(findNamedClient(post({ 'mcp-session-id': id! }))).toEqual(client)
  }
})

test.each([
  ['another method', { method: 'tools/list' }],
  ['no message', undefined],
  ['a name that is none', opening({ name: 5, version: '1' })],
  ['a name that is too long', opening({ name: 'x'.repeat(200), version: '1' })],
])('%s opens no session', (_, message) => {
  expect(findSessionId(post(), message)).toBeUndefined()
})

test.each(['', 'nothing', 'W10', 'x'.repeat(5000)])('the id %j names nobody', id => {
  expect(findNamedClient(post({ 'mcp-session-id': id }))).toBeUndefined()
})
