/** What is built on repositories works on object storage as elsewhere: graphs, memory, trust, plans of several handles, and watching. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { s3 } from '../../../src/backends/s3/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { agent, Versioned } from '../../../src/memory/index.ts'
import { open } from '../../../src/repository/index.ts'
import { graphConformance } from '../../../src/testing/index.ts'
import { epochs } from '../../../src/trust/index.ts'
import { hasS3, type S3Server, startS3 } from '../../processes/s3-server.ts'
import { startS3Proxy } from './support/s3-proxy.ts'

const isSoak = process.env['ASG_SOAK'] === '1'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-s3-'))
  let server: S3Server
  let places = 0
  const newAddress = (): string => server.address(`suites${places++}`)

  beforeAll(async () => {
    server = await startS3(folder)
  })
  afterAll(async () => {
    await server.kill()
    rmSync(folder, { recursive: true })
  })

  for (const { name, needs, run } of graphConformance) {
    it.skipIf(!isSoak && needs !== 'lasting')(`graphs: ${name}`, () => {
      const address = newAddress()
      return run({ open: () => open(s3(address)) })
    })
  }

  it('an agent keeps its memory there, and another process goes back in it', async () => {
    const address = newAddress()
    const analyst = agent('analyst', { state: { seen: [] as number[] } })
    const learn = analyst.task('learn', (n: number, { state }) => {
      state.seen.push(n)
    })
    await using repo = await open(s3(address))
    const memory = await Versioned.open(repo)
    await learn(1, { state: memory })
    await learn(2, { state: memory })
    await using other = await open(s3(address))
    const there = await Versioned.open(other)
    expect((await there.of(analyst)).seen).toEqual([1, 2])
    expect((await there.checkout('main~1')).of(analyst).seen).toEqual([1])
  })

  it('an epoch is sealed there and seen by another process, and the journal verifies', async () => {
    const address = newAddress()
    await using repo = await open(s3(address))
    await epochs(repo).create('first', 'The first of them')
    for (let n = 0; n < 5; n++) await repo.set('/n', n, `Set ${n}`)
    await epochs(repo).seal('first', 'Done')
    await using other = await open(s3(address))
    expect(await epochs(other).list()).toEqual(await epochs(repo).list())
    expect(await verify(other)).toMatchObject({ ok: true, damage: [] })
  })

  it('a watcher of another process hears of a commit, and an idle one asks for the next segment only', async () => {
    const address = newAddress()
    await using repo = await open(s3(address))
    await repo.set('/n', 0, 'First')
    const proxy = await startS3Proxy(server.port)
    onTestFinished(proxy.close)
    const address2 = server.address(`suites${places - 1}`, proxy.endpoint)
    const backend = s3(address2, { pollMs: 5 })
    onTestFinished(() => backend.close())
    const log = backend.namespace('default')
    await log.head()
    let wake: () => void = () => {}
    const heard = new Promise<void>(resolve => {
      wake = resolve
    })
    onTestFinished(log.onChange(() => wake()))
    proxy.taken()
    let polls: readonly unknown[] = []
    while (polls.length < 10) {
      await new Promise(setImmediate)
      polls = [...polls, ...proxy.taken().map(({ method, path }) => `${method} ${path.split('/').at(-2)}`)]
    }
    expect(new Set(polls)).toEqual(new Set(['GET s']))
    await repo.set('/n', 1, 'Second')
    await heard
  })
})
