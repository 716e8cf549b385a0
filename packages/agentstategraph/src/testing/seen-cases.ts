/** What a backend promises about replaced journals: `check` and `append` detect that a journal is not the one seen. */
import type { Append, Backend, Log, Seen } from '../store/contract/backend.ts'
import { checkEqual } from './check.ts'
import { backendCase, type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleAppend, sampleEntry, seenOf } from './samples.ts'

/** Entries with these labels, one append each. */
async function fill(log: Log, labels: readonly string[]): Promise<void> {
  for (const label of labels) await log.append(sampleAppend(1, label))
}

/** Fails unless `check` and `append` detect that the journal was replaced, and nothing is written to it. */
async function checkReplaced(log: Log, seen: Seen, what: string): Promise<void> {
  const head = await log.head()
  checkEqual(await log.check(seen), { kind: 'replaced' }, `the check of ${what}`)
  // This check comes before all others: keys, refs and times of another journal have no meaning here.
  const batch: Append = {
    ...sampleAppend(0, 'x', [{ name: 'main', expect: 7, to: 7 }]),
    keys: [{ key: 'k', entry: 0 }],
  }
  checkEqual(await log.append({ ...batch, seen }), { kind: 'replaced' }, `an append to ${what}`)
  checkEqual(await log.append({ ...sampleAppend(9, 'x'), seen }), { kind: 'replaced' }, `a fitting append to ${what}`)
  checkEqual(await log.head(), head, `the head of ${what}`)
}

async function replacedBy(backend: Backend, labels: readonly string[]): Promise<{ log: Log; seen: Seen }> {
  const log = backend.namespace('main')
  await fill(log, ['a', 'b', 'c'])
  const seen = await seenOf(log)
  await backend.dropNamespace('main')
  await fill(log, labels)
  return { log, seen }
}

const others: readonly (readonly [string, readonly string[]])[] = [
  ['one that was dropped and not made again', []],
  ['another one of the same length', ['x', 'y', 'z']],
  ['a shorter one that began alike', ['a', 'b']],
  ['a longer one that began alike and went another way', ['a', 'b', 'x', 'd']],
  ['one with the same newest entry and another beginning', ['x', 'b', 'c']],
  ['a longer one with the seen entry in its place and another beginning', ['x', 'b', 'c', 'd']],
]

export const seenCases: readonly ConformanceCase[] = [
  logCase('an empty journal has nothing to be seen, and whatever was seen elsewhere is not in it', async log => {
    checkEqual(await log.check(undefined), { kind: 'same', newest: undefined }, 'the check of an empty journal')
    await checkReplaced(log, { first: 'a', seq: 1, leaf: 'a' }, 'an empty journal')
  }),

  logCase('what is seen is the leaf of the first entry, and number and leaf of the newest', async log => {
    const entries = ['a', 'b', 'c'].map(label => sampleEntry(label))
    await log.append({ time: 1, entries, moves: [] })
    const [first, , newest] = entries
    checkEqual(await seenOf(log), { first: first!.leaf, seq: 3, leaf: newest!.leaf }, 'what is seen of three entries')
  }),

  logCase('the newest entry is told after a check found none to add, whoever adds one', async (log, backend) => {
    await appendSamples(log, 1)
    const seen = await seenOf(log)
    checkEqual(await log.check(seen), { kind: 'same', newest: seen }, 'the check of the newest entry')
    await backend.namespace('main').append(sampleAppend(1, 'b'))
    checkEqual(await log.check(seen), { kind: 'same', newest: await seenOf(log) }, 'the check after one was added')
  }),

  logCase('a journal that grew is the same, and so is one whose packs were dropped', async log => {
    await appendSamples(log, 1)
    const seen = await seenOf(log)
    checkEqual(
      await log.append({ ...sampleAppend(1, 'b'), seen }),
      { kind: 'done', first: 2 },
      'an append to what was seen',
    )
    checkEqual(
      await log.append({ ...sampleAppend(1, 'c'), seen }),
      { kind: 'done', first: 3 },
      'an append to what grew',
    )
    await log.dropPacks([1, 2], await seenOf(log))
    const newest = await seenOf(log)
    checkEqual(await log.check(seen), { kind: 'same', newest }, 'the check of what grew')
    checkEqual(newest.seq, 3, 'the newest entry')
  }),

  ...others.map(([what, labels]) =>
    backendCase(`a journal is told from ${what}`, undefined, async open => {
      const { log, seen } = await replacedBy(await open(), labels)
      await checkReplaced(log, seen, what)
    }),
  ),

  backendCase('a journal that another handle dropped and made again is told from the first', 'shared', async open => {
    const [one, two] = [await open(), await open()]
    const here = one.namespace('main')
    await fill(here, ['a', 'b'])
    const seen = await seenOf(here)
    await two.dropNamespace('main')
    await fill(two.namespace('main'), ['x', 'y', 'z'])
    await checkReplaced(here, seen, 'the journal of the other handle')
  }),

  backendCase(
    'of the same journal made again and an append to the old one, the append loses',
    undefined,
    async open => {
      const backend = await open()
      const log = backend.namespace('main', { durability: 'group' })
      await fill(log, ['a'])
      const seen = await seenOf(log)
      await backend.dropNamespace('main')
      const appended = await Promise.all([
        log.append(sampleAppend(1, 'x')),
        log.append({ ...sampleAppend(1, 'b'), seen }),
      ])
      checkEqual(appended[1], { kind: 'replaced' }, 'the append to the old one')
    },
  ),
]
