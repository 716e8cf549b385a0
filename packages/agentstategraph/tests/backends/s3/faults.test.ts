/**
 * Object storage behind a network that fails, and with writers that die: nothing that was acknowledged is lost or there twice, and what was
 * not acknowledged is there at most once.
 */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { s3 } from '../../../src/backends/s3/index.ts'
import { compact, verify } from '../../../src/maintenance/index.ts'
import { open } from '../../../src/repository/index.ts'
import { sampleAppend } from '../../../src/testing/index.ts'
import { hasS3, type S3Server, sharedS3 } from '../../processes/s3-server.ts'
import { startWorker, untilSaid } from '../../processes/worker-process.ts'
import { seeded } from '../../store/support/seeded.ts'
import { type OwnAnswer, type PassedRequest, type S3Fault, s3Faults, startS3Proxy } from './support/s3-proxy.ts'

const isSoak = process.env['ASG_SOAK'] === '1'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  let server: S3Server
  let places = 0
  const newPlace = (): string => `faults${places++}`

  beforeAll(async () => {
    server = await sharedS3()
  })

  async function throughProxy(place: string, next: (request: PassedRequest) => S3Fault | OwnAnswer | undefined) {
    const proxy = await startS3Proxy(server.port, next)
    onTestFinished(proxy.close)
    return { proxy, address: server.address(place, proxy.endpoint) }
  }

  /** Compares the list that writers appended to with what they were told. */
  async function expectKept(place: string, acknowledged: readonly string[], mayHaveMore = false): Promise<void> {
    await using repo = await open(s3(server.address(place)))
    const list = (await repo.get('/list')) as string[]
    expect(new Set(list).size).toBe(list.length)
    expect(acknowledged.filter(label => !list.includes(label))).toEqual([])
    if (!mayHaveMore) expect(list.length).toBe(acknowledged.length)
    const commits = await repo.log({ limit: 100_000 })
    expect(commits.map(({ intent }) => intent.description).reverse()).toEqual(list.map(label => `Append ${label}`))
    expect((await verify(repo)).damage).toEqual([])
  }

  async function append(address: string, writer: string, count: number): Promise<readonly string[]> {
    const repo = await open(s3(address))
    const labels = Array.from({ length: count }, (_, n) => `${writer}.${n}`)
    for (const label of labels) await repo.set('/list/-', label, `Append ${label}`)
    await repo.close()
    return labels
  }

  it.each(s3Faults)('a segment that meets "%s" is written once', async fault => {
    const place = newPlace()
    let left = 3
    const { address, proxy } = await throughProxy(place, ({ method, path }) =>
      method === 'PUT' && path.includes('/s/') && left-- > 0 ? fault : undefined,
    )
    await expectKept(place, await append(address, 'a', 4))
    expect(proxy.met.get(fault)).toBe(3)
  })

  it('requests that meet any fault at random lose nothing and repeat nothing', async () => {
    const place = newPlace()
    await (await open(s3(server.address(place)))).close()
    const random = seeded(24)
    const limit = isSoak ? 1000 : 30
    let faults = 0
    const { address } = await throughProxy(place, () => {
      if (faults >= limit || random() > 0.15) return undefined
      faults++
      return s3Faults[Math.floor(random() * s3Faults.length)]
    })
    const each = isSoak ? 500 : 12
    const acknowledged = await Promise.all(['a', 'b', 'c'].map(writer => append(address, writer, each)))
    for (let n = 0; faults < limit; n++) acknowledged.push(await append(address, `d${n}`, 4))
    await expectKept(place, acknowledged.flat())
  })

  it('writers that are killed leave what they were told, once, also under a compaction', async () => {
    const place = newPlace()
    const address = server.address(place)
    const kills = isSoak ? 200 : 3
    const acknowledged: string[] = []
    const steady = append(address, 'steady', isSoak ? 400 : 12)
    await using other = await open(s3(address))
    for (let n = 0; n < kills; n++) {
      const worker = await startWorker('list-worker.mjs', { address, name: `w${n}`, count: 1000 })
      worker.begin()
      await untilSaid(worker, 4)
      worker.child.kill('SIGKILL')
      await worker.ended
      for (const label of worker.lines.slice(1)) acknowledged.push(label as string)
      if (n % 20 === 1) await compact(other)
    }
    for (const label of await steady) acknowledged.push(label)
    await expectKept(place, acknowledged, true)
  })

  it('an answer that cannot be had at all leaves the outcome unknown, and says so', async () => {
    const place = newPlace()
    let isDown = false
    const { address } = await throughProxy(place, () => (isDown ? 'cut' : undefined))
    const backend = s3(address)
    onTestFinished(() => backend.close())
    const log = backend.namespace('default')
    await log.append(sampleAppend(1, 'a'))
    isDown = true
    if (isSoak) await expect(log.append(sampleAppend(1, 'b'))).rejects.toMatchObject({ code: 'outcome-unknown' })
    isDown = false
    expect((await log.head()).seq).toBe(1)
  })

  it('a refusal after an answer that was lost does not say that nothing was changed', async () => {
    const place = newPlace()
    const body = '<Error><Code>AccessDenied</Code><Message>Injected</Message></Error>'
    let writes = 0
    const { address } = await throughProxy(place, ({ method, path }) => {
      if (method !== 'PUT' || !path.includes('/s/')) return undefined
      return writes++ === 0 ? 'reply-lost' : { status: 403, body }
    })
    const backend = s3(address)
    onTestFinished(() => backend.close())
    const log = backend.namespace('default')
    await expect(log.append(sampleAppend(1, 'a'))).rejects.toMatchObject({ code: 'outcome-unknown' })
    await expect(log.append(sampleAppend(1, 'b'))).rejects.toMatchObject({ code: 's3-refused' })
    expect((await log.head()).seq).toBe(1)
  })

  it('writers of several processes each land their part', async () => {
    const place = newPlace()
    const address = server.address(place)
    const count = isSoak ? 100_000 : 5
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, isSoak ? 6 : 3)
    const workers = await Promise.all(names.map(name => startWorker('list-worker.mjs', { address, name, count })))
    for (const worker of workers) worker.begin()
    if (isSoak) {
      await Promise.race(workers.map(worker => untilSaid(worker, 400)))
      for (const { child } of workers) child.kill('SIGKILL')
    }
    await Promise.all(workers.map(({ ended }) => ended))
    const landed = workers.map(({ lines }) => lines.length - 1)
    const all = landed.reduce((sum, one) => sum + one, 0)
    for (const one of landed) expect(one / all).toBeGreaterThanOrEqual(0.05)
    await expectKept(
      place,
      workers.flatMap(({ lines }) => lines.slice(1) as string[]),
      isSoak,
    )
  })
})
