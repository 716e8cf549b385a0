/** A value of any length survives in entries. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Stored } from '../../core/index.ts'
import { memoryBackend } from '../memory/memory-backend.ts'
import { appendEntries } from './append.ts'
import { readEntries } from './entries.ts'
import { isContinuation, readEntryValue, recordsWithValue } from './entry-value.ts'
import { openJournal } from './journal.ts'

async function written(value: Stored) {
  const journal = await openJournal(memoryBackend())
  const records = recordsWithValue({ kind: 'event', agent: 'a', body: { name: 'x' } }, value)
  const outcome = await journal.run(appendEntries(journal, records))
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  const { first } = outcome
  return { journal, entries: await journal.run(readEntries(first, first + records.length - 1, ['text'])) }
}

describe('a value in an entry', () => {
  it('reads back whatever its length and characters', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('"', '\u0001', 'é', '𐐷', 'a').chain(unit => fc.nat(90_000).map(count => unit.repeat(count))),
    )
    await fc.assert(
      fc.asyncProperty(texts, async text => {
        const { journal, entries } = await written({ text, n: 1.5 })
        expect(await journal.run(readEntryValue(entries[0]!))).toEqual({ text, n: 1.5 })
        expect(entries.map(({ record }) => isContinuation(record))).toEqual(entries.map((_, index) => index > 0))
      }),
      { numRuns: 40 },
    )
  })

  it('that is short takes one entry, whose body keeps what else it says', async () => {
    const { entries } = await written([1, 2])
    expect(entries.map(({ record }) => record.body)).toEqual([{ name: 'x', value: '[1,2]' }])
  })
})
