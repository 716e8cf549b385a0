/** The Merkle log: roots and proofs at every size are those of RFC 9162, wherever and however far its hashes are kept. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { kvBackend } from '../../src/backends/kv/kv-backend.ts'
import { bytesOfId, rootOf, rootOfFrontier, verifyConsistency, verifyInclusion } from '../../src/core/index.ts'
import {
  consistencyProofAt,
  deriveUntil,
  frontierAt,
  inclusionProofAt,
  rootAt,
  wrongHashes,
} from '../../src/repo/index.ts'
import { appendEntries, type Backend, type Journal, memoryBackend, openJournal } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/kv/memory-kv.ts'
import { consistencyProof, inclusionProof } from '../core/support/merkle-proofs.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const ENTRIES = 1200

const places: Readonly<Record<string, () => Backend>> = {
  memory: memoryBackend,
  SQLite: () => sqlite(newFile()),
  'a key-value store, which keeps no hashes': () => kvBackend(memoryKV()),
}

async function fill(journal: Journal, count: number): Promise<Uint8Array[]> {
  const record = { kind: 'event', agent: 'agent/test' }
  const { seq } = await journal.log.head()
  for (let at = seq; at < count; at += 50) {
    const records = Array.from({ length: Math.min(50, count - at) }, (_, i) => ({ ...record, body: { n: at + i } }))
    await journal.run(appendEntries(journal, records))
  }
  const rows = await journal.log.entries(1, Number.MAX_SAFE_INTEGER, [])
  return rows.map(({ leaf }) => bytesOfId(leaf))
}

describe.each(Object.entries(places))('in %s', (_, make) => {
  it('roots and proofs are those of the leaves, at any size and in any order of asking', async () => {
    await using backend = make()
    const journal = await openJournal(backend)
    const leaves = await fill(journal, ENTRIES)
    const size = fc.integer({ min: 1, max: leaves.length })
    await fc.assert(
      fc.asyncProperty(size, size, async (a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)]
        const [old, now] = [rootOf(leaves.slice(0, first)), rootOf(leaves.slice(0, second))]
        expect(await journal.run(rootAt(journal, second))).toEqual(now)
        expect(rootOfFrontier(await journal.run(frontierAt(journal, first)))).toEqual(old)
        const proof = await journal.run(inclusionProofAt(journal, first - 1, second))
        expect(proof).toEqual(inclusionProof(leaves.slice(0, second), first - 1))
        expect(verifyInclusion(leaves[first - 1]!, first - 1, second, proof, now)).toBe(true)
        const grown = await journal.run(consistencyProofAt(journal, first, second))
        expect(grown).toEqual(consistencyProof(leaves.slice(0, second), first))
        expect(verifyConsistency(first, second, old, now, grown)).toBe(true)
      }),
      { numRuns: 20 },
    )
    expect(await journal.run(wrongHashes(journal))).toEqual([])
  })

  it('hashes that two processes derive are the same, and deriving goes on where it ended', async () => {
    await using backend = make()
    const [one, two] = [await openJournal(backend), await openJournal(backend)]
    await fill(one, 700)
    expect(await one.run(deriveUntil(one, 700))).toBe(512)
    await fill(two, 1100)
    expect(await two.run(deriveUntil(two, 1100))).toBe(1024)
    expect(await one.run(rootAt(one, 1100))).toEqual(await two.run(rootAt(two, 1100)))
    expect(await one.run(wrongHashes(one))).toEqual([])
  })

  it('the root of no entries is the hash of nothing', async () => {
    await using backend = make()
    const journal = await openJournal(backend)
    expect(await journal.run(rootAt(journal, 0))).toEqual(rootOf([]))
  })
})

it.skipIf(!memoryBackend().capabilities.sync)('a proof reads a few hashes, and few leaves, of a long log', async () => {
  const backend = memoryBackend()
  const journal = await openJournal(backend)
  await fill(journal, 20_000)
  await journal.run(deriveUntil(journal, 20_000))
  const { sync } = journal.log
  let read = 0
  const counting = {
    ...sync!,
    entries: (from: number, to: number, columns: readonly ('text' | 'commit' | 'part')[]) => {
      const rows = sync!.entries(from, to, columns)
      read += rows.length
      return rows
    },
  }
  const { workSync } = await import('../../src/store/contract/work.ts')
  workSync(inclusionProofAt(journal, 12_345, 20_000), counting, journal.nodes.syncLoader!)
  expect(read).toBeLessThanOrEqual(2 * 256)
})
