/** Migrations in real processes: several at once, and some that are killed on the way. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { startWorker } from '../processes/worker-process.ts'

const COUNT = 40

it('each migration is made once, whoever else runs them and whoever is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'state.db')
  await using repo = await open(file)
  await repo.set('/sum', 0, 'Begin')
  const orders = { file, count: COUNT }
  const killed = await Promise.all([
    startWorker('migration-worker.mjs', orders),
    startWorker('migration-worker.mjs', orders),
  ])
  for (const { child, begin } of killed) {
    child.stdout!.on('data', (said: Buffer) => {
      if (/^(1\d|2\d)$/m.test(String(said))) child.kill('SIGKILL')
    })
    begin()
  }
  await Promise.all(killed.map(({ ended }) => ended))
  const version = ((await repo.find<number>('/_meta/version')) ?? 0) as number
  expect(await repo.get('/sum')).toBe((version * (version + 1)) / 2)

  const last = await startWorker('migration-worker.mjs', orders)
  last.begin()
  await last.ended
  expect(await repo.get('/_meta/version')).toBe(COUNT)
  expect(await repo.get('/sum')).toBe((COUNT * (COUNT + 1)) / 2)
  const made = await repo.query({ category: 'Migrate' })
  expect(made.length).toBe(COUNT)
})
