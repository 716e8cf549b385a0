import { describe, expect, it } from 'vitest'
import { findImage, textOf, visible } from './value-text.ts'

describe('values for people', () => {
  it.each([
    [null, 'null', 'null'],
    ['x', 'text', 'x'],
    [3, 'number', '3'],
    [{ $bigint: '90071992547409931' }, 'big number', '90071992547409931'],
    [{ $date: '2026-04-01T00:00:00.000Z' }, 'date', '2026-04-01T00:00:00.000Z'],
    [{ $bytes: 'AAEC' }, 'bytes', '3 bytes'],
    [{ $$date: 1 }, 'map', '1 entry'],
    [{ a: 1, b: 2 }, 'map', '2 entries'],
    [[1], 'list', '1 item'],
    [{ $undefined: true }, 'special', 'undefined'],
  ])('%j is a %s', (value, kind, text) => {
    expect(textOf(value)).toEqual({ kind, text })
  })

  it('show characters that hide or turn text', () => {
    expect(visible('a\u202eb\u0000\n')).toBe('a\\u202eb\\u0000\n')
    expect(visible('a\u{e0041}')).toBe('a\\u{e0041}')
  })

  it('show bytes as an image only where they are one', () => {
    expect(findImage({ $bytes: 'iVBORw0KGgoAAAA' })).toMatch(/^data:image\/png;base64,/)
    expect(findImage({ $bytes: 'PHN2Zz4' })).toBeUndefined()
  })
})
