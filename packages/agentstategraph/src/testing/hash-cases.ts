/** What the hashes of an index promise. A log without an index passes. */
import type { HashPlace, LogHashes, PlacedHash } from '../store/contract/index-log.ts'
import { check, checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples } from './samples.ts'

function hashCase(
  name: string,
  test: (hashes: LogHashes, clear: () => Promise<void>) => Promise<void>,
): ConformanceCase {
  return logCase(name, async log => {
    const { index } = log
    if (index === undefined) return
    await appendSamples(log, 4)
    await test(index.hashes, () => index.clear())
  })
}

function hashAt(place: HashPlace): PlacedHash {
  return { ...place, hash: Uint8Array.from({ length: 32 }, (_, i) => (place.level * 31 + place.index * 7 + i) & 255) }
}

const places: readonly HashPlace[] = [
  { level: 0, index: 0 },
  { level: 8, index: 0 },
  { level: 8, index: 1 },
  { level: 9, index: 0 },
  { level: 40, index: 2 ** 30 },
]

async function readAll(hashes: LogHashes): Promise<readonly (readonly number[] | undefined)[]> {
  return (await hashes.read(places)).map(hash => (hash === undefined ? undefined : [...hash]))
}

export const hashCases: readonly ConformanceCase[] = [
  hashCase('hashes are given back at their places, and others are not there', async hashes => {
    checkEqual(await hashes.mark(), 0, 'the mark before the first batch')
    checkEqual(
      await readAll(hashes),
      places.map(() => undefined),
      'places before the first batch',
    )
    const kept = places.filter((_, i) => i !== 2).map(hashAt)
    check(await hashes.add({ from: 0, to: 3, hashes: kept }), 'the first batch is taken')
    checkEqual(await hashes.mark(), 3, 'the mark')
    const expected = places.map((place, i) => (i === 2 ? undefined : [...hashAt(place).hash]))
    checkEqual(await readAll(hashes), expected, 'what was put')
  }),
  hashCase('a batch that does not begin at the mark changes nothing', async hashes => {
    check(await hashes.add({ from: 0, to: 2, hashes: [] }), 'the first batch is taken')
    const late = { from: 0, to: 4, hashes: places.map(hashAt) }
    check(!(await hashes.add(late)), 'a batch from another mark is refused')
    checkEqual(await hashes.mark(), 2, 'the mark')
    checkEqual(
      await readAll(hashes),
      places.map(() => undefined),
      'places of the refused batch',
    )
  }),
  hashCase('clearing the index forgets the hashes too', async (hashes, clear) => {
    check(await hashes.add({ from: 0, to: 4, hashes: places.map(hashAt) }), 'a batch is taken')
    await clear()
    checkEqual(await hashes.mark(), 0, 'the mark')
    checkEqual(
      await readAll(hashes),
      places.map(() => undefined),
      'places after clearing',
    )
  }),
]
