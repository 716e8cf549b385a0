import { describe, expect, it } from 'vitest'
import type { CommandEntry } from '../parse/command-entry.ts'
import { requestOf } from './remote-client.ts'

const entry: CommandEntry = {
  name: 'x',
  group: 'state',
  module: 'state',
  words: ['x'],
  places: [],
  fields: [
    { name: 'ref', kind: 'text', about: '', default: 'main' },
    { name: 'tags', kind: 'texts', about: '' },
    { name: 'limit', kind: 'number', about: '' },
    { name: 'value', kind: 'value', about: '' },
  ],
  summary: '',
  effect: 'read',
  route: 'GET /api/x/{ref}',
  examples: [],
}

describe('requests to a server', () => {
  it('have fields of the path in the path, with their default, and the rest in the query', () => {
    expect(requestOf('http://h', entry, {})).toEqual({ method: 'GET', url: 'http://h/api/x/main' })
    expect(requestOf('http://h', entry, { ref: 'feature/ä?', tags: ['a', 'b&c'], limit: 3 }).url).toBe(
      'http://h/api/x/feature%2F%C3%A4%3F?tags=a&tags=b%26c&limit=3',
    )
  })

  it('say what a value is, so that a text of digits stays a text', () => {
    expect(requestOf('http://h', entry, { value: '3' }).url).toBe('http://h/api/x/main?value=%223%22')
    expect(requestOf('http://h', entry, { value: [1] }).url).toBe('http://h/api/x/main?value=%5B1%5D')
  })

  it('have the rest in a JSON body otherwise', () => {
    const posted = { ...entry, route: 'POST /api/x/{ref}' }
    expect(requestOf('http://h', posted, { ref: 'r', value: '3' })).toEqual({
      method: 'POST',
      url: 'http://h/api/x/r',
      body: '{"value":"3"}',
    })
  })
})
