/** Real processes that write, seal and die on one store: one seal, whole counts, and receipts that stay true. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toBase64 } from '../../src/core/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { findMark, rootAt } from '../../src/repo/index.ts'
import { open } from '../../src/repository/index.ts'
import { createKeyFile, epochs, findSignedHead, keyFileSigner } from '../../src/trust/index.ts'
import { runWorkers, startWorker, untilSaid } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

it('several processes seal an epoch once, with everything that was written until then counted', async () => {
  const file = newFile()
  {
    await using repo = await open(file)
    await epochs(repo).create('shared', 'Sealed by many')
  }
  const said = await runWorkers(
    'seal-worker.mjs',
    ['a', 'b', 'c'].map(name => ({ file, name, count: 20, epoch: 'shared' })),
  )
  const endings = said.map(lines => (lines.at(-1) as { encryption: string }).encryption)
  expect(endings.toSorted()).toEqual(['epoch-sealed', 'epoch-sealed', 'sealed'])
  await using repo = await open(file)
  const epoch = await epochs(repo).get('shared')
  if (epoch.status === 'open') throw new Error('It is sealed')
  const total = Object.values(epoch.counts).reduce((sum, count) => sum + count, 0)
  expect(total).toBe(epoch.toSeq - epoch.fromSeq + 1)
  expect((await repo.query({ epoch: 'shared' })).length).toBe(epoch.commits)
  expect(await verify(repo)).toMatchObject({ ok: true })
})

it('processes that sign at once, one of them killed, leave true receipts and a mark that the history reaches', async () => {
  const file = newFile()
  const keyFile = `${file}.key`
  await createKeyFile(keyFile)
  const orders = { file, keyFile }
  const steady = await startWorker('seal-worker.mjs', { ...orders, name: 'steady', count: 30 })
  const killed = await startWorker('seal-worker.mjs', { ...orders, name: 'killed', count: 100_000 })
  killed.begin()
  steady.begin()
  await Promise.all([steady.ended, untilSaid(killed, 2)])
  killed.child.kill('SIGKILL')
  await killed.ended
  const mark = findMark(readFileSync(`${file}.head`, 'utf8'))!
  await using repo = await open(file, { signer: await keyFileSigner(keyFile) })
  const { journal } = repo.handle
  const { seq: newest } = await journal.log.head()
  expect(mark.size).toBeLessThanOrEqual(newest)
  const told = [...steady.lines, ...killed.lines].slice(1).filter(line => typeof line === 'object')
  expect(told.length).toBeGreaterThan(30)
  for (const { seq, receipt } of told as { seq: number; receipt: string }[]) {
    const head = findSignedHead(receipt)!
    expect([head.size, head.root]).toEqual([seq, toBase64(await journal.run(rootAt(journal, seq)))])
  }
  await repo.set('/n', 'after', 'Goes on')
})
