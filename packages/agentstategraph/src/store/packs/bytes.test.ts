import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteReader, ByteWriter } from './bytes.ts'

const whole = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  fc.constantFrom(127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
)

it('what is written is read back, one after another', () => {
  const piece = fc.oneof(
    whole.map(value => ({ kind: 'varint', value }) as const),
    fc.uint8Array({ maxLength: 40 }).map(value => ({ kind: 'raw', value }) as const),
    fc.string({ unit: 'binary', maxLength: 40 }).map(value => ({ kind: 'text', value }) as const),
    fc.string({ maxLength: 40 }).map(value => ({ kind: 'ascii', value }) as const),
    fc.nat(127).map(value => ({ kind: 'byte', value }) as const),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.nat(8), (pieces, capacity) => {
      const writer = new ByteWriter(capacity)
      const lengths = pieces.map(({ kind, value }) => {
        const before = writer.length
        if (kind === 'varint') writer.varint(value)
        else if (kind === 'raw') writer.raw(value)
        else if (kind === 'text') writer.text(value)
        else if (kind === 'ascii') writer.ascii(value)
        else writer.byte(value)
        return writer.length - before
      })
      const reader = new ByteReader(writer.copy())
      pieces.forEach(({ kind, value }, i) => {
        const length = lengths[i]!
        if (kind === 'raw') expect([...reader.raw(length)]).toEqual([...value])
        else expect(kind === 'varint' || kind === 'byte' ? reader.varint() : reader.text(length)).toBe(value)
      })
      expect(reader.position).toBe(reader.end)
    }),
  )
})

it.each([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [300, 'ac02'],
  [2 ** 31, '8080808008'],
  [2 ** 53 - 1, 'ffffffffffffff0f'],
])('the number %d is written as %s', (value, hex) => {
  const writer = new ByteWriter()
  writer.varint(value)
  expect(Buffer.from(writer.view()).toString('hex')).toBe(hex)
})

it('reading past the end is a RangeError, whatever is read', () => {
  const bytes = Uint8Array.of(0x80, 0x80, 1)
  const at = (from: number, end?: number) => new ByteReader(bytes, from, end)
  expect(() => at(0, 2).varint()).toThrow(RangeError)
  expect(() => at(0).raw(4)).toThrow(RangeError)
  expect(() => at(1).text(3)).toThrow(RangeError)
})

it('a number of more than 53 bits is a RangeError', () => {
  expect(() => new ByteReader(new Uint8Array(12).fill(0xff)).varint()).toThrow(RangeError)
})

it('a byte order mark at the start of a text is part of it', () => {
  const writer = new ByteWriter()
  writer.text('\ufeffa')
  expect(new ByteReader(writer.view()).text(writer.length)).toBe('\ufeffa')
})

it('what is cut off is forgotten', () => {
  const writer = new ByteWriter()
  writer.text('abc')
  writer.truncate(1)
  writer.text('d')
  expect(Buffer.from(writer.copy()).toString()).toBe('ad')
})
