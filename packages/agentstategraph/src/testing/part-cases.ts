/** What `parts` promises: the part that holds a node, over packs of one part and of many. */
import { checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { sampleEntry, sampleNote, samplePart } from './samples.ts'

export const partCases: readonly ConformanceCase[] = [
  logCase('a pointer finds the part that holds its node, at every boundary', async log => {
    const firsts = Array.from({ length: 40 }, (_, i) => i * 10)
    const parts = firsts.map(first => samplePart(first, 'many'))
    await log.append({ time: 1, entries: [sampleEntry('a', parts)], moves: [] })
    for (const [i, first] of firsts.entries()) {
      const expected = { seq: 1, first, bytes: parts[i]?.bytes }
      for (const index of [first, first + 1, first + 9]) {
        checkEqual(await log.parts([{ seq: 1, index }]), [expected], `the part of node ${index}`)
      }
    }
  }),

  logCase('answers come in the order asked, repeated ones too, with undefined for what is not there', async log => {
    const entries = [sampleEntry('a'), sampleNote('b'), sampleEntry('c', [samplePart(0, 'c'), samplePart(5, 'd')])]
    await log.append({ time: 1, entries, moves: [] })
    const asked = [
      { seq: 3, index: 5 },
      { seq: 9, index: 0 },
      { seq: 1, index: 3 },
      { seq: 2, index: 0 },
      { seq: 3, index: 4 },
      { seq: 3, index: 5 },
      { seq: 0, index: 0 },
    ]
    const c0 = { seq: 3, ...samplePart(0, 'c') }
    const c5 = { seq: 3, ...samplePart(5, 'd') }
    const a0 = { seq: 1, ...samplePart(0, 'a') }
    checkEqual(await log.parts(asked), [c5, undefined, a0, undefined, c0, c5, undefined], 'the parts')
    checkEqual(await log.parts([]), [], 'no pointers')
  }),

  logCase('large parts of large packs stay apart', async log => {
    const parts = [0, 100, 200].map(first => samplePart(first, 'large', 64 * 1024))
    const entries = [sampleEntry('a', parts), sampleEntry('b', [samplePart(0, 'b', 64 * 1024)])]
    await log.append({ time: 1, entries, moves: [] })
    for (const part of parts) {
      checkEqual(await log.parts([{ seq: 1, index: part.first + 50 }]), [{ seq: 1, ...part }], `part ${part.first}`)
    }
    checkEqual(await log.parts([{ seq: 2, index: 250 }]), [{ seq: 2, ...samplePart(0, 'b', 64 * 1024) }], 'the other')
  }),
]
