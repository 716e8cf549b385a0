/**
 * What `dropPacks` and the `needs` of an append promise: no pack goes that a ref may have come to need meanwhile, and
 * nothing comes to lead to a pack that has gone.
 */
import type { Backend, Log, NewPart } from '../store/contract/backend.ts'
import { checkEqual } from './check.ts'
import { backendCase, type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleAppend, sampleEntry, sampleNote, samplePart, seenOf } from './samples.ts'

/** Which of the entries up to 9 have a first part. */
async function packed(log: Log): Promise<number[]> {
  return (await log.entries(1, 9, ['part'])).filter(({ part }) => part !== undefined).map(({ seq }) => seq)
}

const longestDelay = 16

/**
 * Drops the pack of entry 1 through one log, and makes a ref on the entry through another, which begins up to `longestDelay`
 * turns later or earlier. Fails unless one of both is refused, and the ref leads to the entry exactly if its pack is there.
 */
async function checkRaces(dropping: Backend, pointing: Backend): Promise<void> {
  for (let delay = -longestDelay; delay <= longestDelay; delay++) {
    const name = `${delay} turns`
    const [log, other] = [dropping.namespace(name), pointing.namespace(name)]
    await appendSamples(log, 1)
    const seen = await seenOf(log)
    const batch = { ...sampleAppend(1, 'ref', [{ name: 'main', expect: null, to: 1 }]), needs: [1] }
    const [isDropped, appended] = await Promise.all([
      later(-delay, () => log.dropPacks([1], seen)),
      later(delay, () => other.append(batch)),
    ])
    checkEqual(appended.kind, isDropped ? 'dropped' : 'done', `the append ${name} after the drop`)
    checkEqual(await log.ref('main'), isDropped ? null : 1, `the ref made ${name} after the drop`)
    checkEqual(await packed(log), isDropped ? [] : [1, 2], `the packs, with an append ${name} after the drop`)
  }
}

async function later<T>(turns: number, call: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await null
  return call()
}

export const dropCases: readonly ConformanceCase[] = [
  logCase('a dropped pack is gone and its entry stays', async log => {
    const two = (label: string) => [samplePart(0, label), samplePart(5, label)]
    const entries = [sampleEntry('a', two('a')), sampleEntry('b', two('b')), sampleEntry('c', two('c'))]
    await log.append({ time: 1, entries, moves: [{ name: 'main', expect: null, to: 2 }] })
    const seen = await seenOf(log)
    checkEqual(await log.dropPacks([1, 3, 99], seen), true, 'dropping two packs')
    checkEqual(await log.dropPacks([1, 3], seen), true, 'dropping them again')
    checkEqual(await log.dropPacks([], seen), true, 'dropping none')
    const asked = [1, 2, 3].flatMap(seq => [
      { seq, index: 0 },
      { seq, index: 5 },
    ])
    const kept = two('b').map(part => ({ seq: 2, ...part }))
    checkEqual(await log.parts(asked), [undefined, undefined, ...kept, undefined, undefined], 'the parts')
    const found = await log.entries(1, 3, ['text', 'commit', 'part'])
    checkEqual(
      found.map(({ text, commit, part }) => ({ text, commit, part })),
      entries.map(({ text, commit, parts }, i) => ({ text, commit, part: i === 1 ? parts[0]?.bytes : undefined })),
      'the entries',
    )
    checkEqual(await log.head(), { seq: 3, time: 1 }, 'the head')
    checkEqual((await log.find(entries[0]?.commit?.id ?? '', 2)).length, 1, 'a commit without its pack, found by id')
  }),

  logCase('the bytes of packs are those of the parts that are there', async log => {
    const { packBytes } = log
    if (packBytes === undefined) return
    checkEqual(await packBytes(1, 9), 0, 'the bytes of an empty journal')
    const entries = ['a', 'b', 'c'].map(label => sampleEntry(label, [samplePart(0, label), samplePart(5, label)]))
    await log.append({ time: 1, entries: [...entries, sampleNote('d')], moves: [] })
    const [a = 0, b = 0, c = 0] = entries.map(({ parts }) => parts.reduce((sum, { bytes }) => sum + bytes.length, 0))
    checkEqual(await packBytes(0, 9), a + b + c, 'the bytes of all')
    checkEqual(await packBytes(2, 2), b, 'the bytes of one')
    checkEqual(await packBytes(4, 4), 0, 'the bytes of an entry without a pack')
    await log.dropPacks([1, 2], await seenOf(log))
    checkEqual(await packBytes(1, 4), c, 'the bytes after two were dropped')
  }),

  logCase('the total of packs follows what is added, indexed, dropped and stored anew', async log => {
    if (log.packTotal === undefined) return
    const bytesOf = (parts: readonly NewPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const sizes: number[] = []
    const checkTotal = async (what: string): Promise<void> => {
      const total = await log.packTotal!()
      if (total === undefined) return
      const expected = sizes.slice(0, total.to).reduce((sum, bytes) => sum + bytes, 0)
      checkEqual(total.bytes, expected, what)
    }
    const append = async (label: string): Promise<void> => {
      const entry = sampleEntry(label, [samplePart(0, label), samplePart(5, label.repeat(9))])
      sizes.push(bytesOf(entry.parts))
      await log.append({ time: 1, entries: [entry], moves: [] })
    }
    const index = async (from: number): Promise<void> => {
      await log.index?.add({ from, to: sizes.length, rows: [], counts: [] })
    }
    await checkTotal('the total of an empty journal')
    for (const label of ['a', 'b', 'c']) await append(label)
    await index(0)
    await append('d')
    await checkTotal('the total of three')
    await log.dropPacks([2, 4], await seenOf(log))
    sizes[1] = 0
    sizes[3] = 0
    await checkTotal('the total after two were dropped')
    const parts = [samplePart(0, 'shorter')]
    await log.append({
      time: 1,
      entries: [sampleNote('e')],
      moves: [],
      repacks: [
        { seq: 1, parts },
        { seq: 2, parts },
      ],
    })
    sizes[0] = bytesOf(parts)
    sizes.push(0)
    await checkTotal('the total after one was stored anew')
    await append('f')
    await index(3)
    await checkTotal('the total of all')
    await log.index?.clear()
    await checkTotal('the total without an index')
    await index(0)
    await checkTotal('the total of an index that was built again')
  }),

  logCase('packs are dropped only as long as no entry was added and the journal is the same', async log => {
    await appendSamples(log, 2)
    const seen = await seenOf(log)
    await log.append({ time: 1, entries: [sampleNote('a')], moves: [{ name: 'main', expect: null, to: 1 }] })
    checkEqual(await log.dropPacks([1], seen), false, 'dropping after an entry was added')
    const now = await seenOf(log)
    for (const other of [{ first: seen.leaf }, { leaf: seen.leaf }, { seq: 4 }]) {
      checkEqual(await log.dropPacks([1], { ...now, ...other }), false, `dropping from ${JSON.stringify(other)}`)
    }
    checkEqual(await packed(log), [1, 2], 'the packs')
    checkEqual(await log.dropPacks([2], now), true, 'dropping from the newest entry')
    checkEqual(await packed(log), [1], 'the packs that are left')
  }),

  logCase('an append that needs a dropped pack is refused with its entry, and changes nothing', async log => {
    await log.append({ time: 1, entries: [sampleEntry('a'), sampleNote('b'), sampleEntry('c')], moves: [] })
    await log.dropPacks([3], await seenOf(log))
    const move = { name: 'main', expect: null, to: { entry: 0 } }
    const batch = { ...sampleAppend(1, 'd', [move]), keys: [{ key: 'k', entry: 0 }] }
    for (const needs of [[3], [1, 3], [2, 1, 3]]) {
      checkEqual(await log.append({ ...batch, needs }), { kind: 'dropped', seq: 3 }, `an append that needs ${needs}`)
    }
    checkEqual(await log.append({ ...batch, needs: [1, 4] }), { kind: 'dropped', seq: 4 }, 'a need that is not there')
    checkEqual(await log.refs(''), [], 'the refs')
    checkEqual(await log.key('k'), null, 'the key')
    checkEqual(await log.append({ ...batch, needs: [1, 2] }), { kind: 'done', first: 4 }, 'needs that are met')
  }),

  logCase('needs are checked after refs and before the time', async log => {
    await appendSamples(log, 2)
    await log.dropPacks([1], await seenOf(log))
    const move = { name: 'main', expect: 2, to: { entry: 0 } }
    checkEqual((await log.append({ ...sampleAppend(0, 'c', [move]), needs: [1] })).kind, 'moved', 'all three wrong')
    checkEqual((await log.append({ ...sampleAppend(0, 'c'), needs: [1] })).kind, 'dropped', 'need and time wrong')
    checkEqual((await log.append({ ...sampleAppend(0, 'c'), needs: [2] })).kind, 'late', 'only the time wrong')
  }),

  logCase('of a drop and an append that needs the pack, one is refused, whichever is first', async (_log, backend) => {
    await checkRaces(backend, backend)
  }),

  backendCase('the same holds for a drop and an append through two handles', 'shared', async open => {
    await checkRaces(await open(), await open())
  }),
]
