import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashBytes, type Stored } from '../../core/index.ts'
import {
  formatLimits,
  freshLink,
  indexOfPointer,
  type Link,
  parseNode,
  pointerOf,
  provenanceOf,
  rootOf,
  seqOfPointer,
  type TreeContext,
  writerOf,
} from '../../tree/index.ts'
import { indexPart, provenanceReader, readHeader, recordAt, textRecordAt, verifyRecord } from './read-pack.ts'
import { type Pack, writePack } from './write-pack.ts'

const context: TreeContext = { nodes: { find: () => undefined }, limits: formatLimits }
const seq = 7
const root = (value: Stored, writer = 0): Link => rootOf(context, value, writer)
const emptyRoot = (): Link => root({})

const value = fc.letrec<{ value: Stored }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string({ maxLength: 400 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.string({ maxLength: 4 }).filter(key => !key.startsWith('$')),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value
const state = fc.dictionary(
  fc.string({ maxLength: 4 }).filter(key => !key.startsWith('$')),
  value,
  { maxKeys: 6 },
)

/** Reads every record of a pack, and says what each one points to. */
function readAll(pack: Pack) {
  return pack.parts.flatMap(({ first, bytes }) => {
    const part = indexPart(seq, first, bytes)
    return part.offsets.slice(1).map((_, i) => {
      const index = first + i
      const link = pack.links[index]!
      const record = recordAt(part, index)
      if (record.kind !== 'whole') expect.fail('a record of a new pack has its text')
      expect(hashBytes(record.text)).toBe(link.id)
      verifyRecord(record, link.id)
      const node = parseNode(Buffer.from(record.text).toString(), provenanceReader(record.provenance, seq))
      const pointers: number[] = []
      const writers: number[] = []
      provenanceOf(
        node,
        child => pointers.push(child.at),
        entry => writers.push(entry.writer),
      )
      return { index, pointers, writers }
    })
  })
}

describe('a pack', () => {
  it('gives back every node under its id, each after those it links to, and all written by its own commit', () => {
    fc.assert(
      fc.property(state, state, (tree, detail) => {
        const roots = { tree: root(tree), system: emptyRoot(), detail: root(detail) }
        const pack = writePack(roots, [3, 5])
        const records = readAll(pack)
        expect(records.map(({ index }) => index)).toEqual(pack.links.map((_, i) => i))
        for (const { index, pointers, writers } of records) {
          expect(pointers.every(at => seqOfPointer(at) === seq && indexOfPointer(at) < index)).toBe(true)
          expect(writers.every(writer => writer === writerOf(seq, 0))).toBe(true)
        }
        const header = readHeader(pack.parts[0]!.bytes, seq)
        const indexes = [header.tree, header.system, header.detail!].map(indexOfPointer)
        expect(indexes.map(index => pack.links[index]!.id)).toEqual([roots.tree.id, roots.system.id, roots.detail.id])
        expect(header.parents).toEqual([3, 5])
      }),
    )
  })

  it('is named by the SHA-256 over its header and the leaves of the records of all its parts', () => {
    const texts = Array.from({ length: 20 }, (_, i) => `${i}`.repeat(10_000))
    const pack = writePack(
      { tree: root(texts.map(text => ({ text })) as never), system: emptyRoot(), detail: undefined },
      [],
    )
    expect(pack.parts.length).toBeGreaterThan(2)
    readAll(pack)
    const leaves = pack.parts.flatMap(({ first, bytes }) => {
      const part = indexPart(seq, first, bytes)
      return part.offsets.slice(1).map((_, i) => {
        const { provenance } = textRecordAt(part, first + i)
        return hashBytes(Buffer.concat([Buffer.of(0), Buffer.from(pack.links[first + i]!.id), provenance]))
      })
    })
    const { body } = readHeader(pack.parts[0]!.bytes, seq)
    expect(pack.digest).toBe(hashBytes(Buffer.concat([Buffer.of(1), body, Buffer.from(leaves.join(''))])))
  })

  it('points to older nodes where they lie, and does not write them again', () => {
    const older: Link = { kind: 'link', id: root({ old: 1 }).id, at: pointerOf(2, 5), fresh: undefined }
    const writer = writerOf(2, 0)
    const tree = freshLink({ kind: 'map', entries: [{ key: 'a', child: older, writer }] })
    const pack = writePack({ tree, system: older, detail: undefined }, [])
    expect(pack.links).toEqual([tree])
    expect(readAll(pack)).toEqual([{ index: 0, pointers: [pointerOf(2, 5)], writers: [writer] }])
    expect(readHeader(pack.parts[0]!.bytes, seq)).toMatchObject({ system: pointerOf(2, 5), detail: undefined })
  })

  it('keeps the drafts of its own commit and of older ones as writers', () => {
    const writers = [writerOf(0, 0), writerOf(0, 3), writerOf(4, 0), writerOf(4, 65_535), writerOf(2 ** 36, 1)]
    const leaf = { kind: 'leaf', value: 1, text: '1' } as const
    const entries = writers.map((writer, i) => ({ key: `${i}`, child: leaf, writer }))
    const pack = writePack({ tree: freshLink({ kind: 'map', entries }), system: emptyRoot(), detail: undefined }, [])
    expect(readAll(pack)[0]!.writers).toEqual([writerOf(seq, 0), writerOf(seq, 3), ...writers.slice(2)])
  })

  it('holds a node that is linked twice once', () => {
    const shared = root({ text: 'x'.repeat(200) })
    const entries = ['a', 'b'].map(key => ({ key, child: shared, writer: 0 }))
    const pack = writePack({ tree: freshLink({ kind: 'map', entries }), system: emptyRoot(), detail: undefined }, [])
    expect(pack.links.filter(link => link === shared)).toHaveLength(1)
    const [first, second] = readAll(pack).find(({ pointers }) => pointers.length === 2)!.pointers
    expect(first).toBe(second)
  })
})

describe('reading a pack', () => {
  const pack = writePack({ tree: root({ a: 1 }), system: emptyRoot(), detail: undefined }, [])
  const { bytes } = pack.parts[0]!

  it('refuses pointers and writers beside a text that they were not written for', () => {
    const record = textRecordAt(indexPart(seq, 0, bytes), 0)
    expect(() => verifyRecord(record, pack.links[1]!.id)).toThrow(RangeError)
  })

  it('refuses a record that is not there, and a part that is longer or shorter than its records', () => {
    const part = indexPart(seq, 0, bytes)
    expect(() => recordAt(part, pack.links.length)).toThrow(RangeError)
    expect(() => recordAt({ ...part, first: 1 }, 0)).toThrow(RangeError)
    expect(() => indexPart(seq, 0, Buffer.concat([bytes, Buffer.of(0)]))).toThrow(RangeError)
    expect(() => indexPart(seq, 0, bytes.subarray(0, -1))).toThrow(RangeError)
  })
})
