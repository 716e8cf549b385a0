/** Several processes that commit on one branch: the history is one chain, and nothing that was acknowledged is missing. */
import { expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { openJournal } from '../../src/store/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { checkEnd, newAccount, readOn } from './support/commit-account.ts'
import { integrityOf, newFile } from './support/sqlite-file.ts'

async function commitFromFour(count: number): Promise<void> {
  const file = newFile()
  const names = ['north', 'east', 'south', 'west']
  const orders = names.map(name => ({ file, name, count, largeEvery: 50, maxLogBytes: 2 ** 20 }))
  const said = (await runWorkers('commit-worker.mjs', orders)) as readonly (readonly { seq: number }[])[]
  expect(said.map(lines => lines.length)).toEqual([count, count, count, count])

  await using backend = sqlite(file)
  const journal = await openJournal(backend)
  const account = newAccount()
  await readOn(journal, account)
  // One entry for the genesis and one for the commit that all four asked for.
  expect(account.seq).toBe(2 + 4 * count)
  expect(said.flat().sort((a, b) => a.seq - b.seq)).toEqual(account.order)
  expect([...account.counts].sort()).toEqual(names.map(name => [name, count]).sort())
  await checkEnd(journal, account)
  expect(integrityOf(file)).toBe('ok')
}

it('four processes commit 150 times each on one branch, and every commit is in its chain exactly once', async () => {
  await commitFromFour(150)
})

it.runIf(process.env['ASG_SOAK'] === '1')(
  'four processes commit 500 times each on one branch, and every commit is in its chain exactly once',
  async () => {
    await commitFromFour(500)
  },
)
