/** Closing a SQLite store returns its descriptors and locks at once, whenever the garbage collector comes. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { sampleAppend } from '../../src/testing/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'

/**
 * SQLite leaves WAL mode only when no other connection has the file open, in this process or another. The file is attached,
 * so that the question itself does not keep it open.
 */
function isFree(file: string): boolean {
  const database = openRaw(':memory:')
  try {
    database.exec(`PRAGMA busy_timeout = 0; ATTACH '${file}' AS it`)
    const { journal_mode: mode } = database.prepare('PRAGMA it.journal_mode = DELETE').get() as { journal_mode: string }
    return mode === 'delete'
  } catch {
    return false
  } finally {
    database.exec('DETACH it')
    database.close()
  }
}

it('nothing has the file open after close, whatever was done with it', async () => {
  const file = newFile()
  const repo = await open(file)
  for (let n = 0; n < 20; n++) await repo.set('/n', n, 'Write')
  await repo.query({ text: 'Write' })
  const stop = repo.handle.journal.log.onChange(() => {})
  expect(isFree(file)).toBe(false)
  stop()
  await repo.close()
  expect(isFree(file)).toBe(true)
  expect(readdirSync(dirname(file)).sort()).toEqual(['state.db', 'state.db.tail'])
})

it('a second connection, which moves the log, is closed as well', async () => {
  const file = newFile()
  const backend = sqlite(file, { maxLogBytes: 16 * 1024 })
  const other = sqlite(file, { maxLogBytes: 16 * 1024 })
  for (let n = 0; n < 20; n++) {
    await backend.namespace('main').append(sampleAppend(1, n))
    await other.namespace('main').append(sampleAppend(1, `other ${n}`))
  }
  await backend.close()
  await other.close()
  expect(isFree(file)).toBe(true)
})

it('a file that is refused is not kept open', () => {
  const file = newFile()
  const database = openRaw(':memory:')
  database.exec(`ATTACH '${file}' AS it; PRAGMA it.journal_mode = WAL; CREATE TABLE it.notes (text); DETACH it`)
  database.close()
  expect(() => sqlite(file)).toThrow(expect.objectContaining({ code: 'not-a-store' }))
  expect(isFree(file)).toBe(true)
})

it.skipIf(process.platform === 'win32').each([true, false])(
  '60 rounds of opening and closing stay below 200 descriptors (one file: %s)',
  async isSame => {
    const folder = dirname(newFile())
    const orders = { folder, rounds: 60, isSame }
    expect(await runWorkers('rounds-worker.mjs', [orders], { maxDescriptors: 200 })).toEqual([[60]])
  },
)
