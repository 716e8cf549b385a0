import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashBytes } from '../../core/index.ts'
import { pointerOf, writerOf } from '../../tree/index.ts'
import type { StoredPart, SyncLog } from '../contract/backend.ts'
import { workSync } from '../contract/work.ts'
import { ByteReader, ByteWriter, readEntryNumber, readPointer, readWriter, writePointer } from './bytes.ts'
import { indexPart, type PackRecord, recordAt, type TextRecord, textRecordAt } from './read-pack.ts'
import { recordText } from './record-text.ts'
import { leafOf, packDigest, recordKinds } from './write-pack.ts'

type Splice = readonly [keep: number, drop: number, insert: Uint8Array]

/** A part that is not the first of its pack, with these records. */
function partOf(seq: number, ...records: readonly Uint8Array[]): StoredPart {
  const into = new ByteWriter()
  into.varint(records.length)
  for (const record of records) into.varint(record.length)
  for (const record of records) into.raw(record)
  return { seq, first: 1, bytes: into.copy() }
}

function whole(text: Uint8Array): Uint8Array {
  const into = new ByteWriter()
  into.byte(recordKinds.whole)
  into.ascii(leafOf(hashBytes(text), none).slice(0, 8))
  into.varint(0)
  into.raw(text)
  return into.copy()
}

function delta(text: Uint8Array, base: number, splices: readonly Splice[]): Uint8Array {
  const into = new ByteWriter()
  into.byte(recordKinds.delta)
  into.ascii(leafOf(hashBytes(text), none).slice(0, 8))
  into.varint(0)
  writePointer(into, base, 0)
  for (const [keep, drop, insert] of splices) {
    into.varint(keep)
    into.varint(drop)
    into.varint(insert.length)
    into.raw(insert)
  }
  return into.copy()
}

function trimmed(leaf: string): Uint8Array {
  const into = new ByteWriter()
  into.byte(recordKinds.trimmed)
  into.ascii(leaf)
  return into.copy()
}

const none = new Uint8Array(0)
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const record = ({ seq, first, bytes: all }: StoredPart): PackRecord => recordAt(indexPart(seq, first, all), first)

/** The text of the first record of the newest part, where a log holds these parts. */
function textIn(parts: readonly StoredPart[]): Uint8Array {
  const log = { parts: ([at]: readonly { seq: number }[]) => [parts.find(part => part.seq === at!.seq)] }
  const { seq, first, bytes: all } = parts.at(-1)!
  const found = textRecordAt(indexPart(seq, first, all), first)
  const steps = recordText(found, pointerOf(seq, first), '', () => undefined)
  return workSync(steps, log as unknown as SyncLog, { load: unasked, loadAll: unasked }).text
}

function unasked(): never {
  throw new Error('No node is asked for.')
}

describe('a delta', () => {
  it('gives the text of its base with its splices, through any number of bases up to 64', () => {
    const edit = fc.tuple(fc.nat(9), fc.nat(9), fc.uint8Array({ maxLength: 5 }))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(edit, { maxLength: 12 }), (start, edits) => {
        const parts = [partOf(1, whole(start))]
        let text = start
        for (const [keep, drop, insert] of edits) {
          const kept = Math.min(keep, text.length)
          const dropped = Math.min(drop, text.length - kept)
          const next = Buffer.concat([text.subarray(0, kept), insert, text.subarray(kept + dropped)])
          parts.push(partOf(parts.length + 1, delta(next, pointerOf(parts.length, 1), [[kept, dropped, insert]])))
          text = next
        }
        expect([...textIn(parts)]).toEqual([...text])
      }),
    )
  })

  it('takes several splices in order, and the rest of its base', () => {
    const splices: Splice[] = [
      [1, 1, bytes('XY')],
      [1, 0, bytes('Z')],
    ]
    const parts = [partOf(1, whole(bytes('abcdef'))), partOf(2, delta(bytes('aXYcZdef'), pointerOf(1, 1), splices))]
    expect(new TextDecoder().decode(textIn(parts))).toBe('aXYcZdef')
  })

  it('is damage when it is behind more than 64 others, reaches beyond its base, or has its base in its own pack', () => {
    const parts = [partOf(1, whole(bytes('a')))]
    for (let seq = 2; seq <= 66; seq++) parts.push(partOf(seq, delta(bytes('a'), pointerOf(seq - 1, 1), [])))
    expect(new TextDecoder().decode(textIn(parts.slice(0, 65)))).toBe('a')
    expect(() => textIn(parts)).toThrow(RangeError)
    const beyond = [parts[0]!, partOf(2, delta(bytes('a'), pointerOf(1, 1), [[2, 0, none]]))]
    expect(() => textIn(beyond)).toThrow(RangeError)
    expect(() => record(partOf(2, delta(bytes('a'), pointerOf(2, 0), [])))).toThrow(RangeError)
  })

  it('whose base was trimmed is read again, because its text was stored anew before', () => {
    const parts = [
      partOf(1, trimmed(leafOf(hashBytes(bytes('a')), none))),
      partOf(2, delta(bytes('ab'), pointerOf(1, 1), [[1, 0, bytes('b')]])),
    ]
    const log = {
      parts: ([at]: readonly { seq: number }[]) => (at!.seq === 1 ? [parts[0]] : [partOf(2, whole(bytes('ab')))]),
    }
    const steps = recordText(record(parts[1]!) as TextRecord, pointerOf(2, 1), '', () => undefined)
    const { text } = workSync(steps, log as unknown as SyncLog, { load: unasked, loadAll: unasked })
    expect(new TextDecoder().decode(text)).toBe('ab')
  })

  it('on a damaged base names the entry of the base', () => {
    const base = partOf(1, whole(bytes('abc')))
    const middle = partOf(2, delta(bytes('abcd'), pointerOf(1, 1), [[3, 0, bytes('d')]]))
    const newest = partOf(3, delta(bytes('abcde'), pointerOf(2, 1), [[4, 0, bytes('e')]]))
    for (const part of [base, middle]) {
      for (let at = 0; at < part.bytes.length; at++) {
        const damaged = { ...part, bytes: part.bytes.map((byte, i) => (i === at ? byte ^ 0x41 : byte)) }
        const seen = [base, middle, newest].map(one => (one === part ? damaged : one))
        try {
          expect(new TextDecoder().decode(textIn(seen))).toBe('abcde')
        } catch (error) {
          expect(error).toMatchObject({ code: 'object-corrupt', data: { seq: part.seq } })
        }
      }
    }
  })

  it('on a base that was collected or trimmed says so', () => {
    const part = partOf(2, delta(bytes('a'), pointerOf(1, 1), []))
    expect(() => textIn([part])).toThrow(expect.objectContaining({ code: 'pack-dropped' }))
    const base = partOf(1, trimmed(leafOf(hashBytes(bytes('a')), none)))
    expect(() => textIn([base, part])).toThrow(expect.objectContaining({ code: 'state-trimmed' }))
  })
})

describe('the digest of a pack', () => {
  it('is the same with its texts whole, as deltas and trimmed', () => {
    const leaf = leafOf(hashBytes(bytes('ab')), none)
    const records = [whole(bytes('ab')), delta(bytes('ab'), pointerOf(1, 1), []), trimmed(leaf)].map(one =>
      record(partOf(2, one)),
    )
    expect(records.map(({ kind }) => kind)).toEqual(['whole', 'delta', 'trimmed'])
    const leaves = records.map(one =>
      one.kind === 'trimmed' ? one.leaf : leafOf(hashBytes(bytes('ab')), one.provenance),
    )
    expect(new Set(leaves.map(one => packDigest(none, [one]))).size).toBe(1)
  })
})

describe('the number of an entry', () => {
  const read = (number: number): number => {
    const into = new ByteWriter()
    into.varint(number)
    return readEntryNumber(new ByteReader(into.view()), 10)
  }

  it.each([
    [0, 10],
    [2, 1],
    [18, 9],
    [1, 9],
    [3, 8],
    [17, 1],
  ])('%d in the pack of entry 10 is entry %d', (number, seq) => {
    expect(read(number)).toBe(seq)
  })

  it('before the first entry is damage', () => {
    expect(() => read(19)).toThrow(RangeError)
  })

  it('is relative in pointers and writers too', () => {
    const into = new ByteWriter()
    for (const number of [3, 7, 3 * 2, 3 * 2 + 1, 5]) into.varint(number)
    const reader = new ByteReader(into.view())
    expect(readPointer(reader, 10)).toBe(pointerOf(8, 7))
    expect(readWriter(reader, 10)).toBe(writerOf(8, 0))
    expect(readWriter(reader, 10)).toBe(writerOf(8, 5))
  })
})

it('a record of an unknown kind is damage', () => {
  expect(() => record(partOf(1, Uint8Array.of(3, 0)))).toThrow(RangeError)
})
