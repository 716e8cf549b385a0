/** What `find` promises: commits by any prefix of their id, exact however many there are. */
import type { FoundCommit } from '../store/contract/backend.ts'
import { checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { appendSamples, sampleAppend, sampleCommitId, sampleEntry, sampleNote } from './samples.ts'

/** The result of a scan of all samples. */
function expected(count: number, prefix: string, limit: number): FoundCommit[] {
  const found: FoundCommit[] = []
  for (let seq = 1; seq <= count; seq++) {
    const id = sampleCommitId(seq)
    if (id.startsWith(prefix) && found.length < limit) found.push({ seq, id })
  }
  return found
}

export const findCases: readonly ConformanceCase[] = [
  logCase('a commit is found by its whole id and by every beginning of it', async log => {
    await appendSamples(log, 20)
    const id = sampleCommitId(13)
    for (let length = 0; length <= id.length; length++) {
      const prefix = id.slice(0, length)
      checkEqual(await log.find(prefix, 99), expected(20, prefix, 99), `the commits beginning with ${prefix}`)
    }
  }),

  logCase('answers stay exact while a journal grows, wherever the commit lies', async log => {
    for (const count of [250, 500, 750]) {
      await appendSamples(log, 250)
      for (const seq of [1, 255, 256, 257, 499, 500, 512, 513, 700, 750]) {
        const id = sampleCommitId(seq)
        for (const length of [3, 8, 12, 13, 64]) {
          const prefix = id.slice(0, length)
          checkEqual(await log.find(prefix, 9), expected(count, prefix, 9), `${prefix} among ${count}`)
        }
      }
    }
  }),

  logCase('an ambiguous beginning gives all, oldest first, and no more than the limit', async log => {
    await appendSamples(log, 700)
    for (const prefix of ['', '0', 'a', 'ff', '3c']) {
      for (const limit of [1, 2, 5, 999]) {
        checkEqual(await log.find(prefix, limit), expected(700, prefix, limit), `${limit} beginning with "${prefix}"`)
      }
    }
  }),

  logCase('ids that are equal for longer than any index keeps are told apart', async log => {
    const start = 'abcdef0123456789'
    const ids = ['0', '1', '2'].map(end => start + end.repeat(48))
    const entries = ids.map(id => ({ ...sampleEntry(id), commit: { id, text: id } }))
    await log.append({ time: 1, entries, moves: [] })
    await appendSamples(log, 600)
    const found = ids.map((id, i) => ({ seq: i + 1, id }))
    checkEqual(await log.find(start, 9), found, 'the common beginning')
    checkEqual(await log.find(start, 2), found.slice(0, 2), 'the common beginning, two of them')
    checkEqual(await log.find(`${start}1`, 9), found.slice(1, 2), 'one digit more')
    checkEqual(await log.find(`${start}3`, 9), [], 'a digit that none has')
  }),

  logCase('entries of one commit id are all found, and entries without commit never', async log => {
    await log.append({ time: 1, entries: [sampleNote('n'), sampleEntry('a'), sampleNote('m')], moves: [] })
    await log.append(sampleAppend(1, 'a'))
    const id = sampleCommitId('a')
    checkEqual(
      await log.find(id, 9),
      [
        { seq: 2, id },
        { seq: 4, id },
      ],
      'both',
    )
    checkEqual((await log.find('', 9)).length, 2, 'all commits')
  }),

  logCase('what is no beginning of any id finds nothing', async log => {
    await appendSamples(log, 300)
    const id = sampleCommitId(1)
    for (const prefix of ['main', 'xyz', `${id}0`, '%', "' OR 1=1 --"]) {
      checkEqual(await log.find(prefix, 9), [], `commits beginning with ${prefix}`)
    }
  }),
]
