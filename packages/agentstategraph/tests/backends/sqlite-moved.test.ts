/** A store whose file is moved, deleted or replaced while it is open: no answer comes from it, and no write goes to it. */
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gc, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { refusalOf } from '../repo/support/open-stores.ts'
import { integrityOf, newFile } from '../store/support/sqlite-file.ts'

type Step = readonly [name: string, argument?: unknown]

const attempts: Readonly<Record<string, (repo: Repository) => PromiseLike<unknown>>> = {
  get: repo => repo.get('/n'),
  head: repo => repo.head(),
  log: repo => repo.log(),
  query: repo => repo.query({ text: 'Write' }),
  branches: repo => repo.branches(),
  verify: repo => verify(repo),
  set: repo => repo.set('/n', 100, 'Go on'),
  commit: repo => repo.commit('Go on', tx => tx.set('/n', 100)),
  branch: repo => repo.branch('more'),
  gc: repo => gc(repo, { keepNewerMs: -1 }),
  watch: repo => repo.watch()[Symbol.asyncIterator]().next(),
}

/** A store with four commits that is open, and a copy of it as it was after the first. */
async function openStore(): Promise<{ readonly file: string; readonly older: string; readonly repo: Repository }> {
  const file = newFile()
  const older = `${file}.older`
  await using first = await open(file)
  await first.set('/n', 1, 'Write 1')
  await first.close()
  copyFileSync(file, older)
  const repo = await open(file)
  for (let n = 2; n <= 4; n++) await repo.set('/n', n, `Write ${n}`)
  expect(await repo.get('/n')).toBe(4)
  return { file, older, repo }
}

interface Moved {
  readonly file: string
  readonly steps: readonly Step[]
}

/** Lets another process take the steps. */
async function move(...stores: readonly Moved[]): Promise<void> {
  expect(await runWorkers('move-worker.mjs', [stores])).toEqual([['done']])
}

const moves: readonly (readonly [string, (older: string) => readonly Step[]])[] = [
  ['was deleted', () => [['remove']]],
  ['was renamed', older => [['rename', `${older}.renamed`]]],
  [
    'was renamed, and another store made in its place',
    older => [['rename', `${older}.renamed`], ['removeBeside'], ['make', 1]],
  ],
  ['was deleted, and another store made in its place', () => [['remove'], ['removeBeside'], ['make', 1]]],
  ['was replaced by an older copy', older => [['replace', older]]],
  ['was replaced by an older copy, without its log', older => [['removeBeside'], ['replace', older]]],
  ['was overwritten by an older copy, without its log', older => [['removeBeside'], ['overwrite', older]]],
  ['was overwritten by an older copy after all of its log had moved', older => [['checkpoint'], ['overwrite', older]]],
  ['lost its log', () => [['removeLog']]],
]

describe.each(moves)('a store whose file %s', (_, steps) => {
  it('answers nothing and takes nothing, whatever is asked first', async () => {
    const stores = await Promise.all(Object.keys(attempts).map(openStore))
    await move(...stores.map(({ file, older }) => ({ file, steps: steps(older) })))
    for (const [i, [name, attempt]] of Object.entries(attempts).entries()) {
      const { repo } = stores[i]!
      const { code } = await refusalOf(Promise.resolve(attempt(repo)))
      expect([name, ['store-moved', 'journal-replaced'].includes(code), code]).toEqual([name, true, code])
      // It stays so, also when another call is the next.
      expect([name, (await refusalOf(repo.get('/n'))).code]).toEqual([name, code])
      expect([name, (await refusalOf(repo.set('/n', 5, 'Go on'))).code]).toEqual([name, code])
      await repo.close()
    }
  })
})

it.each<[string, (file: string, older: string) => void]>([
  ['deleted', file => rmSync(file)],
  ['renamed', file => renameSync(file, `${file}.renamed`)],
  ['replaced', (file, older) => renameSync(older, file)],
])('a write right after the file was %s is refused, also among writes that leave no turn', async (_, move) => {
  const { file, older, repo } = await openStore()
  for (let n = 5; n < 9; n++) await repo.set('/n', n, 'Go on')
  move(file, older)
  expect((await refusalOf(repo.set('/n', 9, 'Go on'))).code).toBe('store-moved')
  await repo.close()
})

it('what was acknowledged before a rename is in the renamed file when the store is closed', async () => {
  const { file, repo } = await openStore()
  await move({ file, steps: [['rename', `${file}.renamed`]] })
  expect((await refusalOf(repo.set('/n', 5, 'Go on'))).code).toBe('store-moved')
  await repo.close()
  expect(readdirSync(dirname(file)).sort()).toEqual(['state.db.older', 'state.db.renamed', 'state.db.tail'])
  await using renamed = await open(`${file}.renamed`)
  expect([await renamed.get('/n'), (await verify(renamed)).ok]).toEqual([4, true])
})

it('no store is made beside the log of one that was renamed, which two stores would share', async () => {
  const { file, repo } = await openStore()
  await move({ file, steps: [['rename', `${file}.renamed`]] })
  await expect(open(file)).rejects.toMatchObject({ code: 'log-left', data: { file, log: `${file}-wal` } })
  expect(existsSync(file)).toBe(false)
  expect((await refusalOf(repo.get('/n'))).code).toBe('store-moved')
  await repo.close()
  await using other = await open(file)
  expect(await other.set('/mine', 1, 'Another store')).toMatchObject({ changed: true })
})

it('another store at the old name keeps its log when the moved one is closed', async () => {
  const { file, repo } = await openStore()
  await move({ file, steps: [['rename', `${file}.renamed`], ['removeBeside']] })
  await using other = await open(file)
  await other.set('/mine', 1, 'Another store')
  expect((await refusalOf(repo.get('/n'))).code).toBe('store-moved')
  await repo.close()
  expect(existsSync(`${file}-wal`)).toBe(true)
  await other.set('/mine', 2, 'Go on')
  expect([await other.get('/'), (await verify(other)).ok]).toEqual([{ mine: 2 }, true])
  await other.close()
  expect(integrityOf(file)).toBe('ok')
})

it('a store that was found moved stays refused when its file comes back, and is whole when it is opened again', async () => {
  const { file, repo } = await openStore()
  await move({ file, steps: [['rename', `${file}.renamed`]] })
  expect((await refusalOf(repo.get('/n'))).code).toBe('store-moved')
  await move({ file: `${file}.renamed`, steps: [['rename', file]] })
  expect((await refusalOf(repo.set('/n', 5, 'Go on'))).code).toBe('store-moved')
  await repo.close()
  await using again = await open(file)
  expect([await again.get('/n'), (await verify(again)).ok]).toEqual([4, true])
})

it('a checkpoint of another process is no replacement', async () => {
  const { file, repo } = await openStore()
  await move({ file, steps: [['checkpoint']] })
  expect(await repo.get('/n')).toBe(4)
  await repo.set('/n', 5, 'Go on')
  await move({ file, steps: [['checkpoint']] })
  expect(await repo.set('/n', 6, 'Go on')).toMatchObject({ changed: true })
  await repo.close()
})
