/** Objects that are missing or foreign are named, and several compactions at once, or one that stopped, take nothing from anybody. */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { s3 } from '../../../src/backends/s3/index.ts'
import { compact, gc, verify } from '../../../src/maintenance/index.ts'
import { open, type Repository } from '../../../src/repository/index.ts'
import { hasS3, type S3Server, sharedS3 } from '../../processes/s3-server.ts'
import { type PassedRequest, startS3Proxy } from './support/s3-proxy.ts'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  let server: S3Server
  let places = 0
  const newPlace = (): string => `lost${places++}`

  beforeAll(async () => {
    server = await sharedS3()
  })

  async function opened(place: string, endpoint?: string): Promise<Repository> {
    const repo = await open(s3(server.address(place, endpoint)))
    onTestFinished(() => repo.close())
    return repo
  }

  const objectsOf = (place: string, kind: string): string => join(server.folder, place, 'n/default', kind)

  /** A store with manifests, of which everything before the newest segments is in runs. */
  async function compactedStore(): Promise<string> {
    const place = newPlace()
    const repo = await opened(place)
    for (let n = 0; n < 70; n++) await repo.set(['n', `${n % 7}`], n, `Set ${n}`)
    await repo.close()
    const later = await opened(place)
    await compact(later)
    await later.close()
    return place
  }

  it.each(['m', 'r'])('what is lost below %s/ is named when it is needed', async kind => {
    const place = await compactedStore()
    const folder = objectsOf(place, kind)
    const names = readdirSync(folder)
    expect(names.length).toBeGreaterThan(0)
    const kept = mkdtempSync(join(tmpdir(), 'asg-s3-'))
    cpSync(folder, kept, { recursive: true })
    for (const name of names) rmSync(join(folder, name))
    const reading = open(s3(server.address(place))).then(async repo => {
      onTestFinished(() => repo.close())
      return repo.get('/n')
    })
    await expect(reading).rejects.toMatchObject({ code: 'segment-torn' })
    cpSync(kept, folder, { recursive: true })
    expect((await verify(await opened(place))).damage).toEqual([])
  })

  it('manifests that are lost while no segment is a stub cost requests and nothing else', async () => {
    const place = newPlace()
    const repo = await opened(place)
    for (let n = 0; n < 70; n++) await repo.set('/n', n, `Set ${n}`)
    const before = await repo.log()
    await repo.close()
    for (const name of readdirSync(objectsOf(place, 'm'))) rmSync(join(objectsOf(place, 'm'), name))
    const cold = await opened(place)
    expect(await cold.log()).toEqual(before)
    await cold.set('/n', 70, 'Go on')
    await compact(cold)
    expect((await verify(await opened(place))).damage).toEqual([])
  })

  it.each(['s/photo.jpg', 'm/.notes'])('a foreign object %s is named', async name => {
    const place = newPlace()
    const repo = await opened(place)
    for (let n = 0; n < 66; n++) await repo.set('/n', n, `Set ${n}`)
    await repo.close()
    writeFileSync(objectsOf(place, name), 'x')
    await expect(open(s3(server.address(place)))).rejects.toMatchObject({
      code: 'not-a-store',
      message: expect.stringContaining(name),
    })
  })

  it('one store lies below another, and neither sees or changes what the other has', async () => {
    const place = newPlace()
    const outer = await opened(place)
    await outer.set('/who', 'outer', 'Begin')
    const inner = await opened(`${place}/inner`)
    await inner.set('/who', 'inner', 'Begin')
    await expect(open(s3(server.address(`${place}/n/default`)))).rejects.toMatchObject({ code: 'not-a-store' })
    for (const one of [outer, inner]) await compact(one)
    expect(await (await opened(place)).get('/who')).toBe('outer')
    expect(await (await opened(`${place}/inner`)).get('/who')).toBe('inner')
  })

  it('compactions at once, beside writers and old readers, take nothing', async () => {
    const place = newPlace()
    const first = await opened(place)
    await first.set('/kept', 'x'.repeat(10_000), 'Keep')
    const reader = await opened(place)
    const compactors = await Promise.all([opened(place), opened(place), opened(place)])
    const written = (async () => {
      for (let n = 0; n < 20; n++) await first.set(['n', `${n}`], n, `Set ${n}`)
    })()
    for (let round = 0; round < 2; round++) {
      await Promise.all(compactors.map(one => compact(one)))
      await gc(compactors[0], { keepNewerMs: -1 })
      expect(await reader.get('/kept')).toBe('x'.repeat(10_000))
    }
    await written
    await Promise.all(compactors.map(one => compact(one)))
    for (const one of [first, reader, ...compactors, await opened(place)]) {
      expect(Object.keys((await one.get('/n')) as object).length).toBe(20)
      expect((await verify(one)).damage).toEqual([])
    }
  })

  it('a compaction that stops at any of its writes, and goes on after others have compacted, takes nothing', async () => {
    for (const part of ['/r/', '/m/', '/s/', '/b/']) {
      const place = newPlace()
      const repo = await opened(place)
      const fill = async (words: string): Promise<void> => {
        for (let n = 0; n < 5; n++) await repo.set(['n', `${n % 3}`], `${words} ${n}`.repeat(20), `${words} ${n}`)
      }
      await fill('Begin')
      let goOn = (): void => {}
      let stopped = (): void => {}
      const isStopped = new Promise<void>(resolve => {
        stopped = resolve
      })
      const waits = new Promise<void>(resolve => {
        goOn = resolve
      })
      const isPart = ({ method, path }: PassedRequest): boolean => method !== 'GET' && path.includes(part)
      const proxy = await startS3Proxy(server.port, request => {
        if (!isPart(request)) return undefined
        stopped()
        return waits
      })
      onTestFinished(proxy.close)
      const late = await opened(place, proxy.endpoint)
      const compacting = compact(late)
      await Promise.race([isStopped, compacting])
      for (const round of ['Go on', 'Once more']) {
        await fill(round)
        await compact(repo)
      }
      const before = [await repo.get('/'), await repo.log(), await repo.blameTree('/')]
      goOn()
      await compacting
      for (const one of [repo, late, await opened(place)]) {
        expect([await one.get('/'), await one.log(), await one.blameTree('/')], part).toEqual(before)
      }
      expect((await verify(late)).damage, part).toEqual([])
    }
  })
})
