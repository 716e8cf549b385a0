import { describe, expect, it } from 'vitest'
import type { Stored } from '../text/stored.ts'
import { decode } from './decode.ts'

function unreadable(path: string, tag: string): unknown {
  return expect.objectContaining({ code: 'value-unreadable', data: { path, tag } })
}

it('removes one $ from keys that begin with two', () => {
  expect(decode({ $$date: 1, $$$: 2, a: 3 })).toEqual({ $date: 1, $$: 2, a: 3 })
})

describe('what decode does not read', () => {
  it.each(['$sealed', '$future', '$'])('the tag %s, which is reserved or unknown', tag => {
    expect(() => decode({ a: [1, { [tag]: 'x' }] })).toThrow(unreadable('/a/1', tag))
  })

  it('a tag among other keys', () => {
    expect(() => decode({ a: { $date: null, b: 1 } })).toThrow(unreadable('/a', '$date'))
  })

  it.each<[string, Stored[]]>([
    ['$undefined', [false, null]],
    ['$number', ['1', 'nan', 0, '-Infinity ']],
    ['$bigint', ['', '01', '-0', '1n', ' 1', '0x1', 1]],
    ['$date', ['1970-01-01', '1970-01-01T00:00:00Z', '2023-02-30T00:00:00.000Z', 'x', 0]],
    ['$bytes', ['/w', '/x==', '/w==\n', 1]],
    [
      '$typed',
      ['', ['Uint16Array', 'AQ=='], ['Uint8Array', 'AQ=='], ['Object', ''], ['Uint16Array'], ['Int8Array', 1]],
    ],
    ['$buffer', ['A', null]],
    ['$url', ['no url', 'HTTP://Example.com', 1]],
    ['$regexp', [['('], ['(', ''], ['a', 'gg'], ['a', 'ig'], ['a', '', 0], ['a', '', -1], ['a', '', 1, 1], 'a']],
    [
      '$map',
      [
        {},
        [1],
        [[1]],
        [[1, 2, 3]],
        [
          [1, 2],
          [1, 3],
        ],
      ],
    ],
    ['$set', [{}, [1, 1]]],
  ])('a payload of %s that writing does not give', (tag, payloads) => {
    for (const payload of payloads) {
      expect(() => decode({ a: { [tag]: payload } }), JSON.stringify(payload)).toThrow(unreadable('/a', tag))
    }
  })

  it('a tag inside a Map or a Set, named by its place', () => {
    expect(() => decode({ $map: [[1, { $x: 1 }]] })).toThrow(unreadable('/<value 0>', '$x'))
    expect(() => decode([{ $set: [1, [{ $x: 1 }]] }])).toThrow(unreadable('/0/<item 1>/0', '$x'))
  })
})
