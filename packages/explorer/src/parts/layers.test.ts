import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layLayers, layPassages } from './layers.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const edges = fc.uniqueArray(fc.record({ from: fc.constantFrom(...names), to: fc.constantFrom(...names) }), {
  selector: ({ from, to }) => `${from} ${to}`,
  maxLength: 16,
})

describe('a drawing of a graph', () => {
  it('goes from left to right', () => {
    const placed = layLayers(
      ['a', 'b', 'c'],
      [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'a' },
      ],
    )
    expect([...placed.values()].map(({ column }) => column)).toEqual([0, 1, 2])
  })

  it('has a place of its own for each node, and leads no edge behind a node', () => {
    fc.assert(
      fc.property(edges, drawn => {
        const placed = layLayers(names, drawn)
        const cells = [...placed.values()].map(({ column, row }) => `${column} ${row}`)
        expect(new Set(cells).size).toBe(names.length)
        for (const [nth, row] of layPassages(placed, drawn).entries()) {
          const [from, to] = [placed.get(drawn[nth]!.from)!, placed.get(drawn[nth]!.to)!]
          expect(row === undefined).toBe(to.column - from.column < 2)
          for (let column = from.column + 1; column < to.column; column++)
            expect(cells).not.toContain(`${column} ${row}`)
        }
      }),
    )
  })
})
