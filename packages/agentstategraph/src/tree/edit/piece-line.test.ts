import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PieceLine, type Single } from './piece-line.ts'

/** The elements of a line: old ones by their index, new ones by a mark. */
function elementsOf(line: PieceLine): (number | Single)[] {
  return line.pieces().flatMap((piece): (number | Single)[] => {
    if (piece.kind === 'stretch') return Array.from({ length: piece.to - piece.from }, (_, i) => piece.from + i)
    return [piece.from < 0 ? piece : piece.from]
  })
}

it('a line of pieces is what a list is after the same inserts and removes, however long it gets', () => {
  const step = fc.record({ kind: fc.constantFrom('insert', 'insert', 'element', 'remove'), at: fc.nat() })
  const steps = fc.oneof(fc.array(step, { maxLength: 60 }), fc.array(step, { minLength: 1100, maxLength: 1200 }))
  fc.assert(
    fc.property(fc.nat(2000), steps, (total, all) => {
      const line = new PieceLine(total)
      const plain: (number | Single)[] = Array.from({ length: total }, (_, i) => i)
      for (const { kind, at } of all) {
        if (kind === 'insert') {
          const single: Single = { kind: 'single', from: -1, edits: [] }
          const index = at % (plain.length + 1)
          line.insert(index, single)
          plain.splice(index, 0, single)
        } else if (plain.length > 0) {
          const index = at % plain.length
          const single = kind === 'remove' ? line.remove(index) : line.element(index)
          const [element] = kind === 'remove' ? plain.splice(index, 1) : [plain[index]]
          expect(single.from < 0 ? single : single.from).toBe(element)
        }
        expect(line.length).toBe(plain.length)
      }
      expect(elementsOf(line)).toEqual(plain)
    }),
    { numRuns: 30 },
  )
})
