/** A store that is opened by a link: it is the store that the link leads to, with the log, the marks and the reserve of that one. */
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backup, restore, verify } from '../../src/maintenance/index.ts'
import { type OpenOptions, open, type Warning } from '../../src/repository/index.ts'
import { refusalOf } from '../repo/support/open-stores.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { newSigner } from '../trust/support/signer.ts'

async function write(file: string, count: number, options: OpenOptions = {}): Promise<void> {
  await using repo = await open(file, options)
  for (let n = 1; n <= count; n++) await repo.set('/n', n, `Write ${n}`)
}

/** A store with some commits, and a link to it of another name. */
async function linked(options: OpenOptions = {}): Promise<{ readonly file: string; readonly link: string }> {
  const file = newFile()
  await write(file, 3, options)
  const link = join(dirname(file), 'link.db')
  symlinkSync(file, link)
  return { file, link }
}

// Windows lets only administrators make links.
describe.skipIf(process.platform === 'win32')('a store that is opened by a link', () => {
  it('has nothing beside the link, and its marks beside the file', async () => {
    const { file, link } = await linked()
    await write(link, 5)
    expect(readdirSync(dirname(file)).sort()).toEqual(['link.db', 'state.db', 'state.db.tail'])
    const warnings: Warning[] = []
    await using repo = await open(file, { onWarning: warning => warnings.push(warning) })
    expect([await repo.get('/n'), warnings]).toEqual([5, []])
  })

  it('is refused to writers when an older copy took the place of a signed one', async () => {
    const signer = newSigner()
    const { file, link } = await linked({ signer })
    copyFileSync(file, `${file}.older`)
    await write(file, 3, { signer })
    copyFileSync(`${file}.older`, file)
    for (const options of [{}, { signer }]) {
      await using repo = await open(link, options)
      expect((await refusalOf(repo.set('/n', 9, 'Go on'))).code).toBe('history-short')
    }
  })

  it('is gone when the link leads elsewhere, or the file lost its log', async () => {
    const { link } = await linked()
    const other = newFile()
    await write(other, 1)
    const [first, { file, link: second }] = [await open(link), await linked()]
    const repo = await open(second)
    for (const each of [first, repo]) await each.set('/n', 4, 'Go on')
    rmSync(link)
    symlinkSync(other, link)
    rmSync(`${file}-wal`)
    for (const each of [first, repo]) {
      expect((await refusalOf(each.set('/n', 5, 'Go on'))).code).toBe('store-moved')
      await each.close()
    }
    await using kept = await open(other)
    expect(await kept.get('/n')).toBe(1)
  })

  it('is made where the folder is a link, and a backup is restored to where the link leads', async () => {
    const { file, link } = await linked()
    const saved = join(dirname(file), 'saved.db')
    {
      await using repo = await open(link)
      await backup(repo, saved)
      await repo.set('/n', 9, 'A mistake')
    }
    await restore(saved, link, { replace: true })
    expect(readlinkSync(link)).toBe(file)
    await using repo = await open(link)
    expect([await repo.get('/n'), (await verify(repo)).ok]).toEqual([3, true])

    const folder = join(dirname(file), 'folder')
    mkdirSync(folder)
    symlinkSync(folder, `${folder}.link`)
    await write(join(`${folder}.link`, 'new.db'), 2)
    await using made = await open(join(folder, 'new.db'))
    expect(await made.get('/n')).toBe(2)
  })
})

it('a mark that cannot be read is named', async () => {
  const file = newFile()
  await write(file, 1)
  rmSync(`${file}.tail`)
  mkdirSync(`${file}.tail`)
  await expect(open(file)).rejects.toMatchObject({ code: 'store-failed', data: { file: `${file}.tail` } })
})
