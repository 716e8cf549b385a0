/** What the `repacks` of an append promise: packs are stored anew together with the entries of the append, or not at all. */
import type { Log, NewPart, PartPointer } from '../store/contract/backend.ts'
import { checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { sampleAppend, sampleEntry, sampleNote, samplePart, seenOf } from './samples.ts'

const indexes = [0, 4, 5, 9, 30]

/** The parts of the packs of entries, at some indexes. */
async function partsOf(log: Log, seqs: readonly number[]): Promise<unknown> {
  const pointers: PartPointer[] = seqs.flatMap(seq => indexes.map(index => ({ seq, index })))
  return await log.parts(pointers)
}

/** What `partsOf` gives for one pack. */
function placed(seq: number, parts: readonly NewPart[]): unknown[] {
  return indexes.map(index => {
    const part = parts.findLast(({ first }) => first <= index)
    return part && { seq, ...part }
  })
}

const three = (label: string): NewPart[] => [samplePart(0, label), samplePart(5, label), samplePart(9, label)]

export const repackCases: readonly ConformanceCase[] = [
  logCase('a pack that is stored anew has its new parts and no others, and its entry stays', async log => {
    const entries = ['a', 'b', 'c', 'd'].map(label => sampleEntry(label, three(label)))
    await log.append({ time: 1, entries, moves: [] })
    const fewer = [samplePart(0, 'fewer', 9)]
    const others = [samplePart(0, 'other', 70), samplePart(4, 'other')]
    const more = [...three('more'), samplePart(30, 'more')]
    const repacks = [
      { seq: 4, parts: more },
      { seq: 1, parts: fewer },
      { seq: 3, parts: others },
    ]
    checkEqual(await log.append({ ...sampleAppend(1, 'e'), repacks }), { kind: 'done', first: 5 }, 'the append')
    const expected = [placed(1, fewer), placed(2, three('b')), placed(3, others), placed(4, more)].flat()
    checkEqual(await partsOf(log, [1, 2, 3, 4]), expected, 'the parts')
    const found = await log.entries(1, 4, ['text', 'commit', 'part'])
    const firsts = [fewer[0], entries[1]!.parts[0], others[0], more[0]]
    checkEqual(
      found.map(({ text, commit, part }) => ({ text, commit, part })),
      entries.map(({ text, commit }, i) => ({ text, commit, part: firsts[i]!.bytes })),
      'the entries',
    )
    checkEqual((await log.find(entries[0]!.commit!.id, 2)).length, 1, 'its commit, found by id')
  }),

  logCase('an append that is refused stores no pack anew', async log => {
    await log.append({ time: 5, entries: [sampleEntry('a', three('a'))], moves: [] })
    const repacks = [{ seq: 1, parts: [samplePart(0, 'new')] }]
    const move = { name: 'main', expect: 1, to: { entry: 0 } }
    checkEqual((await log.append({ ...sampleAppend(5, 'b', [move]), repacks })).kind, 'moved', 'a ref that moved')
    checkEqual((await log.append({ ...sampleAppend(5, 'b'), after: 2, repacks })).kind, 'moved', 'another end')
    checkEqual((await log.append({ ...sampleAppend(4, 'b'), repacks })).kind, 'late', 'a time before the newest')
    checkEqual(await partsOf(log, [1]), placed(1, three('a')), 'the parts')
  }),

  logCase('an entry without a pack gets none: a dropped one does not come back', async log => {
    await log.append({ time: 1, entries: [sampleEntry('a', three('a')), sampleNote('b')], moves: [] })
    await log.dropPacks([1], await seenOf(log))
    const repacks = [0, 1, 2, 3, 99].map(seq => ({ seq, parts: three('new') }))
    checkEqual(await log.append({ ...sampleAppend(1, 'c'), repacks }), { kind: 'done', first: 3 }, 'the append')
    const nothing = Array.from({ length: 2 * indexes.length })
    checkEqual(await partsOf(log, [1, 2]), nothing, 'the parts of entries without a pack')
    checkEqual(await partsOf(log, [3]), placed(3, [samplePart(0, 'c')]), 'the parts of the new entry')
  }),
]
