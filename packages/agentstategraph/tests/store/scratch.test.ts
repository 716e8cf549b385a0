/** A scratch answers like tables in memory, and keeps little of them there. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSpill } from '../../src/backends/sqlite/spill.ts'
import { KEPT_IDS, KEPT_ROWS, scratchWith } from '../../src/store/contract/scratch.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const idOf = (n: number): string => ((n * 7919) % 1_000_003).toString(16).padStart(6, '0')

it('finds the largest number of an id, also one that is added again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: KEPT_IDS }), fc.integer({ min: 1, max: 3 }), (ids, again) => {
      const [spilling, plain] = [scratchWith(openSpill), scratchWith(undefined)]
      const tables = [spilling.ids(), plain.ids()]
      for (let n = 0; n < KEPT_IDS + ids; n++) for (const table of tables) table.add(idOf(n % (ids + 1)), n * again)
      for (let n = 0; n < KEPT_IDS; n++) for (const table of tables) table.add(idOf(ids + n), n)
      const [found, expected] = tables.map(table => [
        ...[0, 1, ids, 2 * ids, ids + KEPT_IDS].map(n => table.find(idOf(n))),
        table.startingWith('0', 5).map(({ number }) => number),
      ])
      expect(found).toEqual(expected)
      spilling.close()
    }),
    { numRuns: 5 },
  )
})

it('has the rows as they were added, with bytes', () => {
  const scratch = scratchWith(openSpill)
  const [rows, others] = [scratch.rows<{ n: number; part: Uint8Array }>(), scratch.rows<string>()]
  const count = 5 * KEPT_ROWS + 3
  for (let n = 0; n < count; n++) {
    rows.add({ n, part: Uint8Array.of(n % 256) })
    others.add(`row ${n}`)
    const at = Math.floor(n / 2)
    expect(rows.at(at)).toEqual({ n: at, part: expect.objectContaining({ 0: at % 256, length: 1 }) })
  }
  expect([rows.count, others.at(0), others.at(count - 1)]).toEqual([count, 'row 0', `row ${count - 1}`])
  scratch.close()
})

it('takes no more of the heap for 20,000 ids and rows than for 5,000', () => {
  const heapWith = (count: number): number => {
    const scratch = scratchWith(openSpill)
    const [ids, rows] = [scratch.ids(), scratch.rows<string>()]
    for (let n = 0; n < count; n++) {
      ids.add(`${n}`.repeat(8), n)
      rows.add(`row ${n}`.repeat(8))
    }
    collect()
    const { heapUsed } = process.memoryUsage()
    expect([ids.find('7'.repeat(8)), rows.at(3)]).toEqual([7, 'row 3'.repeat(8)])
    scratch.close()
    return heapUsed
  }
  expect(heapWith(20_000) - heapWith(5_000)).toBeLessThan(1e6)
})
