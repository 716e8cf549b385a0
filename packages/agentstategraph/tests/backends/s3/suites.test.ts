/** What is built on repositories works on object storage as elsewhere: graphs, memory and trust. */
import { beforeAll, describe, expect, it } from 'vitest'
import { s3 } from '../../../src/backends/s3/index.ts'
import { verify } from '../../../src/maintenance/index.ts'
import { agent, Versioned } from '../../../src/memory/index.ts'
import { open } from '../../../src/repository/index.ts'
import { graphConformance } from '../../../src/testing/index.ts'
import { epochs } from '../../../src/trust/index.ts'
import { hasS3, type S3Server, sharedS3 } from '../../processes/s3-server.ts'

const isSoak = process.env['ASG_SOAK'] === '1'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  let server: S3Server
  let places = 0
  const newAddress = (): string => server.address(`suites${places++}`)

  beforeAll(async () => {
    server = await sharedS3()
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
})
