/** The cache folder of a bucket changes no answer: not when it is deleted or damaged, nor when the bucket has another history than before. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { s3 } from '../../../src/backends/s3/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { hasS3, type S3Server, sharedS3 } from '../../processes/s3-server.ts'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-s3-'))
  let server: S3Server
  let places = 0
  const newPlace = (): string => `cached${places++}`

  beforeAll(async () => {
    server = await sharedS3()
  })

  /** Copies objects with their attributes, in which the server keeps what makes a file an object. */
  function copyObjects(from: string, to: string): void {
    execFileSync('cp', ['-a', from, to])
  }

  async function opened(place: string, cacheFolder?: string): Promise<Repository> {
    const repo = await open(s3(server.address(place), { cacheFolder }))
    onTestFinished(() => repo.close())
    return repo
  }

  async function write(repo: Repository, words: string, count: number): Promise<void> {
    for (let n = 0; n < count; n++) await repo.set(['n', `${n}`], `${words} ${n}`, `${words} ${n}`)
  }

  async function everything(repo: Repository): Promise<unknown> {
    const found = await repo.query({ text: 'Keep' })
    return [await repo.get('/'), await repo.log(), await repo.blameTree('/'), found, (await verify(repo)).damage]
  }

  it('it is deleted while it is open: what is read and written is as without it, and the next process makes it again', async () => {
    const [place, cacheFolder] = [newPlace(), join(folder, 'deleted')]
    const repo = await opened(place, cacheFolder)
    await write(repo, 'Keep', 10)
    expect((await repo.query({ text: 'Keep' })).length).toBe(10)
    rmSync(cacheFolder, { recursive: true })
    await write(repo, 'Keep on', 5)
    const after = await everything(repo)
    expect(after).toEqual(await everything(await opened(place)))
    expect((await repo.query({ text: 'Keep' })).length).toBe(15)
    const next = await opened(place, cacheFolder)
    expect(await everything(next)).toEqual(after)
    expect(readdirSync(cacheFolder)).toContain('index.db')
  })

  it.each(['chunks.db', 'index.db'])(
    '%s is damaged: opening says so, and that the folder can be deleted',
    async name => {
      const [place, cacheFolder] = [newPlace(), join(folder, `damaged-${name}`)]
      const repo = await opened(place, cacheFolder)
      await write(repo, 'Keep', 5)
      const before = await everything(repo)
      await repo.close()
      for (const one of readdirSync(cacheFolder).filter(file => file.startsWith(name))) {
        writeFileSync(join(cacheFolder, one), 'nothing of ours '.repeat(1000))
      }
      await expect(open(s3(server.address(place), { cacheFolder }))).rejects.toMatchObject({
        code: 'store-failed',
        message: expect.stringMatching(/can be deleted/),
      })
      rmSync(cacheFolder, { recursive: true })
      expect(await everything(await opened(place, cacheFolder))).toEqual(before)
    },
  )

  it('the bucket was restored to an earlier time, and other segments have the numbers that were lost', async () => {
    const [place, cacheFolder] = [newPlace(), join(folder, 'restored')]
    const [objects, copy] = [join(server.folder, place), join(folder, 'objects')]
    const repo = await opened(place, cacheFolder)
    await write(repo, 'Keep', 3)
    copyObjects(objects, copy)
    await write(repo, 'Lost', 5)
    await everything(repo)
    await repo.close()
    rmSync(objects, { recursive: true })
    copyObjects(copy, objects)
    const without = await opened(place)
    await write(without, 'Here', 5)
    expect(await everything(await opened(place, cacheFolder))).toEqual(await everything(without))
  })

  it('two buckets of one copy share a folder, and each reads its own history', async () => {
    const [place, other, cacheFolder] = [newPlace(), newPlace(), join(folder, 'shared')]
    const first = await opened(place, cacheFolder)
    await write(first, 'Keep', 3)
    copyObjects(join(server.folder, place), join(server.folder, other))
    const second = await opened(other, cacheFolder)
    await write(first, 'Here', 4)
    await write(second, 'There', 4)
    for (const [one, name] of [
      [first, place],
      [second, other],
    ] as const) {
      const expected = await everything(await opened(name))
      expect(await everything(one)).toEqual(expected)
      expect(await everything(await opened(name, cacheFolder))).toEqual(expected)
    }
  })
})
