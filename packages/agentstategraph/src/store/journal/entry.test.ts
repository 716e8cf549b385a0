import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, hashBytes, hashText, readJson, type Stored } from '../../core/index.ts'
import { type EntryRecord, entryMoves, entryText, leafOfEntry, parseEntry } from './entry.ts'

const id = fc.string().map(hashText)
const word = fc.string({ unit: 'binary', maxLength: 20 })
const seqOrNone = fc.option(fc.nat())
const record = fc.record(
  {
    kind: fc.oneof(fc.constantFrom('commit', 'ref', 'note'), word),
    time: fc.integer({ min: 0, max: 253402300799999 }),
    agent: word,
    moves: fc.array(fc.tuple(word, seqOrNone, seqOrNone), { maxLength: 3 }),
    commit: id,
    pack: id,
    changed: fc.array(word, { maxLength: 5 }),
    body: fc.oneof(fc.integer(), word, fc.constant({ b: [1], a: null })) as fc.Arbitrary<Stored>,
  },
  { requiredKeys: ['kind', 'time', 'agent', 'moves'] },
) as fc.Arbitrary<EntryRecord>

describe('an entry text', () => {
  it('is canonical, and is read back as it was', () => {
    fc.assert(
      fc.property(record, one => {
        const text = entryText(one)
        expect(canonicalText(readJson(text) as Stored)).toBe(text)
        expect(parseEntry(text)).toEqual({
          commit: undefined,
          pack: undefined,
          changed: undefined,
          body: undefined,
          ...one,
        })
      }),
    )
  })

  it('has a leaf that is the SHA-256 of a zero byte and the text', () => {
    const text = entryText({ kind: 'note', time: 0, agent: 'é', moves: [] })
    expect(leafOfEntry(text)).toBe(hashBytes(Buffer.from(`\0${text}`)))
  })

  it('of more than 64 KiB is refused, counted in UTF-8', () => {
    const entry = (length: number) => entryText({ kind: 'note', time: 0, agent: 'é'.repeat(length), moves: [] })
    const rest = Buffer.byteLength(entry(0))
    const most = Math.floor((65_536 - rest) / 2)
    expect(Buffer.byteLength(entry(most))).toBeLessThanOrEqual(65_536)
    expect(() => entry(most + 1)).toThrow(expect.objectContaining({ code: 'commit-too-large' }))
  })

  it.each([1, 3])('of version %d is refused', found => {
    const text = entryText({ kind: 'note', time: 0, agent: 'a', moves: [] }).replace('"v":2', `"v":${found}`)
    expect(() => parseEntry(text)).toThrow(
      expect.objectContaining({ code: 'format-unsupported', data: { found, supported: 2 } }),
    )
  })
})

it('an entry records the moves that lead to it and those between other entries, and no guards', () => {
  const moves = [
    { name: 'here', expect: 3, to: { entry: 1 } },
    { name: 'elsewhere', expect: 3, to: { entry: 0 } },
    { name: 'made', expect: null, to: 7 },
    { name: 'deleted', expect: 7, to: null },
    { name: 'guarded', expect: 7, to: 7 },
    { name: 'guarded to be absent', expect: null, to: null },
  ]
  expect(entryMoves(moves, 1)).toEqual([
    ['here', 3, 0],
    ['made', null, 7],
    ['deleted', 7, null],
  ])
})
