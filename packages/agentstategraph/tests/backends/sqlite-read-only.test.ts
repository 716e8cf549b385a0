/** A SQLite store that is opened for reading: nothing is created or changed, and a read-only file system is enough. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { sampleAppend, seenOf } from '../../src/testing/samples.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

interface Written {
  readonly file: string
  /** The first commit, which only an index finds without reading all the others. */
  readonly id: string
}

/** A closed store with some commits, in a folder of its own. */
async function written(count = 12): Promise<Written> {
  const file = join(dirname(newFile()), 'kept', 'state.db')
  mkdirSync(dirname(file))
  await using repo = await open(file)
  const { id } = await repo.set('/n', 1, 'First')
  for (let n = 2; n <= count; n++) {
    await repo.as(n % 3 === 0 ? { agent: 'agent/other' } : {}).set('/n', n, `Write ${n}`)
  }
  return { file, id }
}

/** The files of a folder and their bytes. */
function contentOf(file: string): Readonly<Record<string, string>> {
  const folder = dirname(file)
  return Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
}

describe('a file opened for reading', () => {
  it('is read and not written, and closing leaves the folder as it was', async () => {
    const { file, id } = await written(300)
    const before = contentOf(file)
    const repo = await open(file, { readOnly: true })
    expect(await repo.get('/')).toEqual({ n: 300 })
    expect(await repo.at(id.slice(0, 12)).get('/n')).toBe(1)
    expect(await repo.query({ agent: 'agent/other' })).toHaveLength(100)
    await expect(repo.set('/n', 0, 'No')).rejects.toMatchObject({ code: 'read-only' })
    await repo.close()
    expect(contentOf(file)).toEqual(before)
  })

  it('follows what another process writes meanwhile', async () => {
    const { file } = await written(2)
    await using reader = await open(file, { readOnly: true })
    await using writer = await open(file)
    await writer.set('/n', 3, 'Later')
    expect(await reader.get('/n')).toBe(3)
  })

  it('that does not exist is not created', async () => {
    const file = newFile()
    await expect(open(file, { readOnly: true })).rejects.toMatchObject({ code: 'store-missing', data: { file } })
    expect(readdirSync(dirname(file))).toEqual([])
  })

  it('refuses every write of the backend', async () => {
    const { file } = await written(1)
    await using backend = sqlite(file, { readOnly: true })
    const log = backend.namespace('default')
    const refused = { code: 'read-only' }
    await expect(log.append(sampleAppend(9e12, 'x'))).rejects.toMatchObject(refused)
    await expect(log.dropPacks([1], await seenOf(log))).rejects.toMatchObject(refused)
    await expect(backend.dropNamespace('default')).rejects.toMatchObject(refused)
    await expect(backend.marks!.replace('default', 'text', () => true)).rejects.toMatchObject(refused)
  })

  it('of a process that was killed is read with its log, and neither is changed', async () => {
    const { file, live } = await abandoned()
    const before = contentOf(file)
    const repo = await open(file, { readOnly: true })
    expect(await repo.get('/')).toEqual({ n: 2 })
    await repo.close()
    const { 'state.db': stored, 'state.db-wal': log } = contentOf(file)
    expect({ stored, log }).toEqual({ stored: before['state.db'], log: before['state.db-wal'] })
    await live.close()
  })
})

/** A store and its log as a process that was killed leaves them: copied while it was open. */
async function abandoned() {
  const { file: source } = await written(1)
  const live = await open(source)
  await live.set('/n', 2, 'In the log alone')
  const file = join(dirname(dirname(source)), 'copy', 'state.db')
  mkdirSync(dirname(file))
  for (const end of ['', '-wal']) copyFileSync(source + end, file + end)
  return { file, live }
}

/** Takes the right to write from everyone, and lets a process look as a user who is bound by that. */
async function readInReadOnlyFolder(file: string, id: string): Promise<unknown> {
  const folder = dirname(file)
  // The folders of a run are open to its user alone, and root is not bound by permissions.
  for (const above of [tmpdir(), dirname(folder)]) if (process.getuid?.() === 0) chmodSync(above, 0o711)
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
  chmodSync(folder, 0o555)
  onTestFinished(() => chmodSync(folder, 0o755))
  const [said] = await runWorkers('read-only-worker.mjs', [{ file, id, elsewhere: newFile() }])
  return said![0]
}

describe.skipIf(process.platform === 'win32')('on a read-only file system', () => {
  it('a closed store is opened, read, searched and verified, and nothing is created', async () => {
    const { file, id } = await written()
    const only = ['state.db', 'state.db.tail']
    expect(await readInReadOnlyFolder(file, id)).toEqual({
      state: { n: 12 },
      found: 1,
      queried: 4,
      ok: true,
      refused: 'read-only',
      during: only,
      after: only,
    })
  })

  it('a store whose log cannot be read is refused, and not answered for without its newest commits', async () => {
    const { file, live } = await abandoned()
    const { id } = await live.head()
    expect(await readInReadOnlyFolder(file, id)).toEqual({
      code: 'store-failed',
      message: expect.stringContaining('-wal file'),
      after: ['state.db', 'state.db-wal'],
    })
    await live.close()
  })

  it('a store that a process has open is read together with its log', async () => {
    const { file, id } = await written(3)
    await using writer = await open(file)
    await writer.set('/n', 4, 'In the log alone')
    expect(existsSync(`${file}-shm`)).toBe(true)
    expect(await readInReadOnlyFolder(file, id)).toMatchObject({ state: { n: 4 }, found: 1, ok: true })
  })
})
