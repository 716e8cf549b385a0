/** What `append` promises: numbers without gaps, checks in order, refs and guards, keys, and all or nothing. */
import type { Log } from '../store/contract/backend.ts'
import { checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleAppend, sampleEntry, sampleNote } from './samples.ts'

/** Fails unless the log still has exactly the three entries and one ref of `prepared`. */
async function checkUnchanged(log: Log, what: string): Promise<void> {
  checkEqual(await log.head(), { seq: 3, time: 100 }, `the head after ${what}`)
  checkEqual(await log.refs(''), [{ name: 'main', seq: 3 }], `the refs after ${what}`)
  checkEqual((await log.entries(1, 99, ['text'])).length, 3, `the number of entries after ${what}`)
}

async function prepared(log: Log): Promise<void> {
  await log.append({
    time: 100,
    entries: [sampleEntry('a'), sampleEntry('b'), sampleEntry('c')],
    moves: [{ name: 'main', expect: null, to: { entry: 2 } }],
    keys: [{ key: 'first', entry: 1 }],
  })
}

export const appendCases: readonly ConformanceCase[] = [
  logCase('the first entry has number 1 and the rest follow without gaps', async log => {
    for (const first of [1, 2, 3]) {
      checkEqual(await log.append(sampleAppend(first, first)), { kind: 'done', first }, `append ${first}`)
    }
    const entries = [sampleEntry('x'), sampleNote('y'), sampleEntry('z')]
    checkEqual(await log.append({ time: 9, entries, moves: [] }), { kind: 'done', first: 4 }, 'an append of three')
    checkEqual(await log.append(sampleAppend(9, 7)), { kind: 'done', first: 7 }, 'the append after it')
    const seqs = (await log.entries(1, 99, ['text'])).map(entry => entry.seq)
    checkEqual(seqs, [1, 2, 3, 4, 5, 6, 7], 'the numbers')
  }),

  logCase('entries that depend on their numbers are made with those they get', async log => {
    await prepared(log)
    const entries = (first: number) => [sampleEntry(`${first}`), sampleNote(`after ${first}`)]
    const moves = [{ name: 'main', expect: 3, to: { entry: 1 } }]
    const keys = [{ key: 'second', entry: 1 }]
    checkEqual(await log.append({ time: 100, entries, moves, keys }), { kind: 'done', first: 4 }, 'such an append')
    const added = (await log.entries(4, 9, ['text'])).map(({ text, leaf }) => ({ text, leaf }))
    checkEqual(
      added,
      entries(4).map(({ text, leaf }) => ({ text, leaf })),
      'its entries',
    )
    checkEqual([await log.ref('main'), await log.key('second')], [5, 5], 'the ref and the key')
    const lost = await log.append({ time: 100, entries, moves })
    checkEqual(lost, { kind: 'moved', name: 'main', actual: 5 }, 'one that expects another place')
    const all = await Promise.all([1, 2, 3].map(() => log.append({ time: 100, entries, moves: [] })))
    const firsts = all.map(appended => (appended.kind === 'done' ? appended.first : 0)).sort((a, b) => a - b)
    checkEqual(firsts, [6, 8, 10], 'the numbers of several at once')
    const texts = (await log.entries(6, 11, ['text'])).map(({ text }) => text)
    checkEqual(
      texts,
      [6, 8, 10].flatMap(first => entries(first).map(({ text }) => text)),
      'their texts',
    )
  }),

  logCase('a refused append takes no number', async log => {
    await prepared(log)
    await log.append(sampleAppend(100, 'lost', [{ name: 'main', expect: 1, to: { entry: 0 } }]))
    await log.append(sampleAppend(99, 'late'))
    checkEqual(await log.append(sampleAppend(100, 'next')), { kind: 'done', first: 4 }, 'the next append')
  }),

  logCase('a move takes a ref to an entry being added, to one that is there, and away', async log => {
    await prepared(log)
    checkEqual(await log.ref('main'), 3, 'main after it was made')
    const moves = [
      { name: 'main', expect: 3, to: { entry: 1 } },
      { name: 'side', expect: null, to: 2 },
    ]
    await log.append({ time: 100, entries: [sampleEntry('d'), sampleEntry('e')], moves })
    checkEqual(await log.ref('main'), 5, 'main after a move to the second new entry')
    checkEqual(await log.ref('side'), 2, 'a ref made on an old entry')
    await log.append(sampleAppend(100, 'f', [{ name: 'side', expect: 2, to: null }]))
    checkEqual(await log.ref('side'), null, 'a deleted ref')
    checkEqual(await log.refs(''), [{ name: 'main', seq: 5 }], 'the refs at the end')
  }),

  logCase('an append after an entry that is not the newest changes nothing and tells the newest', async log => {
    const early = { ...sampleAppend(1, 'early'), after: 1 }
    checkEqual(await log.append(early), { kind: 'moved', name: '', actual: 0 }, 'after an entry of an empty journal')
    await prepared(log)
    for (const after of [2, 4]) {
      const refused = { ...sampleAppend(100, 'refused', [{ name: 'main', expect: 3, to: { entry: 0 } }]), after }
      checkEqual(await log.append(refused), { kind: 'moved', name: '', actual: 3 }, `an append after ${after}`)
      await checkUnchanged(log, `an append after ${after}`)
    }
    checkEqual(
      await log.append({ ...sampleAppend(100, 'd'), after: 3 }),
      { kind: 'done', first: 4 },
      'after the newest',
    )
  }),

  logCase('a move that expects another place changes nothing and tells the actual one', async log => {
    await prepared(log)
    const cases = [
      { name: 'main', expect: 2, actual: 3 },
      { name: 'main', expect: null, actual: 3 },
      { name: 'side', expect: 1, actual: null },
    ]
    for (const { name, expect, actual } of cases) {
      const moves = [
        { name: 'other', expect: null, to: { entry: 0 } },
        { name, expect, to: { entry: 0 } },
      ]
      const appended = await log.append({ ...sampleAppend(100, 'd', moves), keys: [{ key: 'new', entry: 0 }] })
      checkEqual(appended, { kind: 'moved', name, actual }, `a move of ${name} from ${expect}`)
      await checkUnchanged(log, `a lost move of ${name}`)
    }
    const again = await log.append({ ...sampleAppend(100, 'd'), keys: [{ key: 'new', entry: 0 }] })
    checkEqual(again, { kind: 'done', first: 4 }, 'the key of the refused append, used again')
  }),

  logCase('a guard passes where its ref is in place, refuses where not, and never moves it', async log => {
    await prepared(log)
    const guard = { name: 'main', expect: 3, to: 3 }
    const absent = { name: 'frozen', expect: null, to: null }
    checkEqual(
      await log.append(sampleAppend(100, 'd', [guard, absent])),
      { kind: 'done', first: 4 },
      'two guards that hold',
    )
    checkEqual(await log.refs(''), [{ name: 'main', seq: 3 }], 'the refs under guards')
    const wrong = await log.append(sampleAppend(100, 'e', [{ name: 'main', expect: 2, to: 2 }]))
    checkEqual(wrong, { kind: 'moved', name: 'main', actual: 3 }, 'a guard that does not hold')
    const missing = await log.append(sampleAppend(100, 'e', [{ name: 'frozen', expect: 1, to: 1 }]))
    checkEqual(missing, { kind: 'moved', name: 'frozen', actual: null }, 'a guard on a missing ref')
  }),

  logCase('a guard and a move of one ref are both checked against where it was', async log => {
    await prepared(log)
    const guard = { name: 'main', expect: 3, to: 3 }
    const move = { name: 'main', expect: 3, to: { entry: 0 } }
    checkEqual(await log.append(sampleAppend(100, 'd', [guard, move])), { kind: 'done', first: 4 }, 'guard and move')
    checkEqual(await log.ref('main'), 4, 'the ref after both')
  }),

  logCase('a key used before is answered with the entry it wrote, and nothing is written', async log => {
    await prepared(log)
    const batch = { ...sampleAppend(100, 'd', [{ name: 'main', expect: 3, to: { entry: 0 } }]) }
    const keys = [
      { key: 'new', entry: 0 },
      { key: 'first', entry: 0 },
    ]
    checkEqual(await log.append({ ...batch, keys }), { kind: 'repeated', key: 'first', seq: 2 }, 'a repetition')
    await checkUnchanged(log, 'a repetition')
    const fresh = await log.append({ ...batch, keys: [{ key: 'new', entry: 0 }] })
    checkEqual(fresh, { kind: 'done', first: 4 }, 'the key that came with the repeated one')
    checkEqual(
      await log.append({ ...batch, keys: [{ key: 'new', entry: 0 }] }),
      { kind: 'repeated', key: 'new', seq: 4 },
      'that key again',
    )
  }),

  logCase('a time before the newest entry is late, an equal one is not', async log => {
    await prepared(log)
    checkEqual(await log.append(sampleAppend(99, 'd')), { kind: 'late', time: 100 }, 'an earlier time')
    await checkUnchanged(log, 'a late append')
    checkEqual(await log.append(sampleAppend(100, 'd')), { kind: 'done', first: 4 }, 'an equal time')
    checkEqual(await log.head(), { seq: 4, time: 100 }, 'the head')
  }),

  logCase('a key can be asked for: the entry it wrote, or nothing', async log => {
    checkEqual(await log.key('first'), null, 'a key in an empty journal')
    await log.append({ ...sampleAppend(100, 'a'), keys: [{ key: 'first', entry: 0 }] })
    checkEqual(await log.key('first'), 1, 'a key that was used')
    checkEqual(await log.key('firs'), null, 'a key that was not')
  }),
  logCase('keys are checked before moves, and moves before time', async log => {
    await prepared(log)
    const moves = [{ name: 'main', expect: 1, to: { entry: 0 } }]
    const keys = [{ key: 'first', entry: 0 }]
    checkEqual((await log.append({ ...sampleAppend(1, 'd', moves), keys })).kind, 'repeated', 'all three wrong')
    checkEqual((await log.append(sampleAppend(1, 'd', moves))).kind, 'moved', 'move and time wrong')
    const holding = [{ name: 'main', expect: 3, to: { entry: 0 } }]
    checkEqual((await log.append(sampleAppend(1, 'd', holding))).kind, 'late', 'only the time wrong')
  }),

  logCase('of writers that expect the same place at once, exactly one wins', async log => {
    await appendSamples(log, 1)
    const move = [{ name: 'main', expect: null, to: { entry: 0 } }]
    const appended = await Promise.all([1, 2, 3, 4, 5].map(i => log.append(sampleAppend(1, `w${i}`, move))))
    checkEqual(appended.map(one => one.kind).sort(), ['done', 'moved', 'moved', 'moved', 'moved'], 'the outcomes')
    checkEqual(await log.head(), { seq: 2, time: 1 }, 'the head')
    checkEqual(await log.ref('main'), 2, 'the ref')
  }),
]
