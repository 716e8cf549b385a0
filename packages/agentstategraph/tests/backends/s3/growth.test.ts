/** What a store in object storage costs in requests, and that manifests, runs and stubs change nothing that is read. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { repairTornSegment, type S3Options, s3 } from '../../../src/backends/s3/index.ts'
import { compact, gc, repair, verify } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { sampleAppend } from '../../../src/testing/index.ts'
import { root } from '../../architecture/support/source-file.ts'
import { hasS3, type S3Server, sharedS3 } from '../../processes/s3-server.ts'
import { type S3Proxy, startS3Proxy } from './support/s3-proxy.ts'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-s3-'))
  let server: S3Server
  let proxy: S3Proxy
  let places = 0

  beforeAll(async () => {
    server = await sharedS3()
    proxy = await startS3Proxy(server.port)
  })
  afterAll(() => proxy.close())

  const newAddress = (): string => server.address(`growth${places++}`, proxy.endpoint)

  async function opened(address: string, options: S3Options = {}): Promise<Repository> {
    const repo = await open(s3(address, options))
    onTestFinished(() => repo.close())
    return repo
  }

  /** How many requests some work sends, by method. */
  async function requestsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
    proxy.taken()
    await work()
    const count: Record<string, number> = { all: 0 }
    for (const { method } of proxy.taken()) {
      count[method] = (count[method] ?? 0) + 1
      count['all']!++
    }
    return count
  }

  async function asgRepair(store: string): Promise<{ code: number | null; err: string }> {
    const args = [`${root}packages/server/bin/asg.mjs`, 'repair', '--empty-torn', '--store', store]
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    return { code, err }
  }

  async function everything(repo: Repository): Promise<unknown> {
    return [await repo.get('/'), await repo.log(), await repo.blameTree('/'), await repo.query({ text: 'Keep' })]
  }

  it('1,000 commits that wait for one branch take at most 5 PUTs', async () => {
    const repo = await opened(newAddress())
    await repo.set('/first', 0, 'First')
    const sent = await requestsOf(() =>
      Promise.all(Array.from({ length: 1000 }, (_, n) => repo.set('/n', n, `Set ${n}`))),
    )
    expect(sent['PUT']).toBeLessThanOrEqual(5)
    expect((await repo.log({ limit: 2000 })).length).toBe(1001)
  })

  it('a store with a long history is opened by at most 10 requests, and read by one for each level', async () => {
    const address = newAddress()
    const repo = await opened(address)
    for (let n = 0; n < 150; n++) await repo.set(['deep', 'er', String(n)], n, `Set ${n}`)
    await compact(repo)
    for (let n = 0; n < 70; n++) await repo.set(['other', String(n)], n, `Set ${n}`)
    await repo.close()
    let cold: Repository | undefined
    const opening = await requestsOf(async () => {
      cold = await opened(address)
    })
    expect(opening['all']).toBeLessThanOrEqual(10)
    const reading = await requestsOf(() => cold!.get(['deep', 'er', '3']))
    expect(reading['all']).toBeLessThanOrEqual(4 + 2)
    const again = await opened(address)
    const blaming = await requestsOf(() => again.blame(['deep', 'er', '3']))
    expect(blaming['all']).toBeLessThanOrEqual(4 + 3)
  })

  it('so is one of segments that are in no run yet, whatever place of a map each of them changed', async () => {
    const address = newAddress()
    const repo = await opened(address)
    // A map of several nodes, so that the newest segment does not hold the way to each place.
    const wide = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`place-${n}`, `first of ${n}`]))
    await repo.set('/deep', wide, 'Begin')
    for (let n = 0; n < 60; n++) await repo.set(['deep', `place-${n % 30}`], n, `Set ${n}`)
    for (const call of ['get', 'blame'] as const) {
      for (const n of [0, 7, 15, 22, 29, 300]) {
        const cold = await opened(address)
        const sent = await requestsOf(() => cold[call](['deep', `place-${n}`]))
        expect(sent['all'], `${call} ${n}`).toBeLessThanOrEqual(call === 'get' ? 3 + 2 : 3 + 3)
      }
    }
  })

  it('what was dropped leaves the bucket, segments keep their keys, and every handle reads and writes as before', async () => {
    const address = newAddress()
    const repo = await opened(address)
    const other = await opened(address)
    await repo.set('/kept', 'x'.repeat(100_000), 'Keep')
    const aside = await repo.branch('aside')
    for (let n = 0; n < 20; n++) await aside.set(['n', String(n)], `${n} `.repeat(10_000), 'Aside')
    await repo.deleteBranch('aside')
    await gc(repo, { keepNewerMs: -1 })
    const before = await everything(repo)
    expect(await everything(other)).toEqual(before)
    const segments = join(server.folder, `growth${places - 1}`, 'n/default/s')
    const numbers = readdirSync(segments)
    const { bytesBefore, bytesAfter } = await compact(repo)
    expect(bytesAfter).toBeLessThan(bytesBefore / 2)
    expect(readdirSync(segments)).toEqual(numbers)
    const cold = await opened(address)
    for (const one of [repo, other, cold]) expect(await everything(one)).toEqual(before)
    await other.set('/more', 1, 'More')
    await repo.set('/still', 2, 'Still')
    await compact(cold)
    expect(await other.get('/still')).toBe(2)
    for (const one of [repo, await opened(address)]) expect((await verify(one)).damage).toEqual([])
  })

  it('a writer that comes late after a compaction does not create a number again', async () => {
    const address = newAddress()
    const late = s3(address)
    onTestFinished(() => late.close())
    await late.namespace('default').append(sampleAppend(1, 'a'))
    const others = s3(address)
    onTestFinished(() => others.close())
    for (const label of ['b', 'c', 'd']) await others.namespace('default').append(sampleAppend(1, label))
    await others.compact!()
    expect(await late.namespace('default').append(sampleAppend(1, 'e'))).toEqual({ kind: 'done', first: 5 })
    expect((await others.namespace('default').entries(1, 9, ['text'])).length).toBe(5)
  })

  it('a cache folder can be deleted at any time, and saves requests', async () => {
    const address = newAddress()
    const cacheFolder = join(folder, `cache${places}`)
    const repo = await opened(address, { cacheFolder })
    for (let n = 0; n < 20; n++) await repo.set(['n', String(n)], n, `Keep ${n}`)
    const before = await everything(repo)
    await repo.close()
    const warm = await opened(address, { cacheFolder })
    const saved = await requestsOf(async () => expect(await everything(warm)).toEqual(before))
    await warm.close()
    rmSync(cacheFolder, { recursive: true })
    const cold = await opened(address, { cacheFolder })
    const all = await requestsOf(async () => expect(await everything(cold)).toEqual(before))
    expect(saved['all']).toBeLessThan(all['all']!)
  })

  it('a damaged manifest costs requests and nothing else, until a compaction has left stubs: then it is named', async () => {
    const address = newAddress()
    const repo = await opened(address)
    for (let n = 0; n < 70; n++) await repo.set(['n', String(n % 7)], n, `Set ${n}`)
    const before = await everything(repo)
    // The manifest is written in the background, and closing waits for it.
    await repo.close()
    const manifests = join(server.folder, `growth${places - 1}`, 'n/default/m')
    const damageNewest = (): { readonly name: string; mend(): void } => {
      const name = readdirSync(manifests).sort()[0]!
      const bytes = readFileSync(join(manifests, name))
      writeFileSync(join(manifests, name), bytes.subarray(0, -1))
      return { name, mend: () => writeFileSync(join(manifests, name), bytes) }
    }
    damageNewest()
    const cold = await opened(address)
    expect(await everything(cold)).toEqual(before)
    await cold.set('/more', 1, 'More')
    await compact(cold)
    const count = await requestsOf(async () => (await opened(address)).get('/more'))
    expect(count['all']).toBeLessThanOrEqual(10)
    const { name, mend } = damageNewest()
    await expect(open(s3(address))).rejects.toMatchObject({
      code: 'segment-torn',
      data: { key: expect.stringContaining(name) },
    })
    mend()
    expect(await (await opened(address)).get('/more')).toBe(1)
  })

  it('repair finds refs and keys as the journal says them, and makes the index again', async () => {
    const repo = await opened(newAddress())
    for (let n = 0; n < 5; n++) await repo.set('/n', n, { description: `Set ${n}`, idempotencyKey: `key ${n}` })
    expect(await repair(repo)).toEqual({ entries: 6, changed: [] })
    expect((await repo.query({ text: 'Set 3' })).length).toBe(1)
  })

  it('a torn segment is named and not skipped, and its repair replaces it only where it is the newest', async () => {
    const address = newAddress()
    const repo = await opened(address)
    for (let n = 0; n < 3; n++) await repo.set('/n', n, `Set ${n}`)
    const segments = join(server.folder, `growth${places - 1}`, 'n/default/s')
    const newest = join(segments, readdirSync(segments).at(-1)!)
    await expect(repairTornSegment(address)).rejects.toMatchObject({ code: 's3-refused' })
    truncateSync(newest, statSync(newest).size - 10)
    const reader = open(s3(address))
    await expect(reader).rejects.toMatchObject({
      code: 'segment-torn',
      hint: expect.stringContaining('asg repair --empty-torn'),
      data: { key: expect.stringMatching(/s\/0+4$/) },
    })
    expect(await repairTornSegment(address)).toMatch(/s\/0+4$/)
    const repaired = await opened(address)
    expect(await repaired.get('/n')).toBe(1)
    await repaired.set('/n', 9, 'Go on')
    expect((await verify(repaired)).damage).toEqual([])
    await expect(repo.set('/n', 10, 'Old')).rejects.toMatchObject({ code: 'journal-replaced' })
  })

  it('asg repair --empty-torn opens a store with a torn newest segment again, and refuses one that is whole', async () => {
    const address = newAddress()
    const repo = await opened(address)
    for (let n = 0; n < 3; n++) await repo.set('/n', n, `Set ${n}`)
    const segments = join(server.folder, `growth${places - 1}`, 'n/default/s')
    const newest = join(segments, readdirSync(segments).at(-1)!)
    truncateSync(newest, statSync(newest).size - 10)
    expect(await asgRepair(address)).toMatchObject({ code: 0, err: expect.stringContaining('its commits are lost') })
    expect(await (await opened(address)).get('/n')).toBe(1)
    expect(await asgRepair(address)).toMatchObject({ code: 1, err: expect.stringContaining('s3-refused') })
    const file = await asgRepair(join(folder, 'state.db'))
    expect(file).toMatchObject({ code: 2, err: expect.stringContaining('for a store in a bucket') })
  })
})
