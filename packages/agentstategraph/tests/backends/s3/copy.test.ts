/** Stores that move between a file, PostgreSQL and a bucket are the same, and a copy goes on where the one before it ended. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyStore, verify } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { epochs } from '../../../src/trust/index.ts'
import { hasPostgres, sharedPostgres } from '../../processes/postgres-server.ts'
import { hasS3, sharedS3 } from '../../processes/s3-server.ts'

const canRun = hasS3() && hasPostgres()

describe.skipIf(!canRun)('s3 (skipped without Go and an installed postgresql)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-copies-'))
  let bucket: string
  let database: string

  beforeAll(async () => {
    const server = await sharedPostgres()
    const client = new pg.Client({ connectionString: server.address() })
    await client.connect()
    await client.query('CREATE DATABASE copied_to_bucket')
    await client.end()
    database = server.address('copied_to_bucket')
    bucket = (await sharedS3()).address('copied')
  })

  const told = async (repo: Repository): Promise<unknown> => [
    await repo.log(),
    await repo.blameTree('/'),
    await epochs(repo).list(),
    await repo.branches(),
  ]

  it('each of the three is copied to the next, and the copies grow with the store', async () => {
    const places = [join(folder, 'from.db'), bucket, database, `${bucket.replace('/copied?', '/back?')}`]
    places.push(join(folder, 'back.db'))
    await using repo = await open(places[0]!)
    await epochs(repo).create('first', 'The first of them')
    for (let n = 0; n < 70; n++) {
      await repo.as(`agent/${n % 3}`).set(`/k${n % 4}`, { n, text: 'x'.repeat(300) }, `Step ${n}`)
      if (n === 40) await epochs(repo).seal('first', 'It is over')
    }
    await (await repo.branch('aside')).set('/aside', true, 'Aside')
    for (const round of ['first', 'later']) {
      for (const [i, to] of places.slice(1).entries()) {
        const { entries, copied } = await copyStore(places[i]!, to)
        expect(copied, `${round}, to place ${i + 1}`).toBe(round === 'first' ? entries : 1)
      }
      for (const place of places.slice(1)) {
        await using copy = await open(place)
        expect(await told(copy)).toEqual(await told(repo))
        expect((await verify(copy)).damage).toEqual([])
      }
      await repo.set('/later', round, 'Later')
    }
  })
})
