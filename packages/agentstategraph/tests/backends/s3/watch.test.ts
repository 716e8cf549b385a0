/** Listeners of object storage: how soon they hear of a commit of another process, and how many requests they send. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type S3Hints, s3 } from '../../../src/backends/s3/index.ts'
import { open } from '../../../src/repository/index.ts'
import { hasS3, type S3Server, sharedS3 } from '../../processes/s3-server.ts'
import { startS3Proxy } from './support/s3-proxy.ts'

describe.skipIf(!hasS3())('s3 (skipped without Go, which compiles the server)', () => {
  let server: S3Server
  let places = 0

  beforeAll(async () => {
    server = await sharedS3()
  })

  /** A repository that another process writes, and one that has begun to watch it, through a proxy that counts. */
  async function watched(hints?: S3Hints) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const place = `watch${places++}`
    const writer = await open(s3(server.address(place), { hints }))
    await writer.set('/n', 0, 'First')
    const proxy = await startS3Proxy(server.port)
    const backend = s3(server.address(place, proxy.endpoint), { hints })
    const reader = await open(backend)
    const heard: string[] = []
    const stop = new AbortController()
    let wake: () => void = () => {}
    const watching = (async () => {
      for await (const event of reader.watch({ signal: stop.signal })) {
        if (event.kind === 'commit') heard.push(event.commit.intent.description)
        wake()
      }
    })()
    onTestFinished(async () => {
      vi.useRealTimers()
      stop.abort()
      await watching.catch(() => {})
      await Promise.all([backend.close(), writer.close(), proxy.close()])
    })
    const log = backend.namespace('default')
    /** Waits for what was begun, with a look of its own, and gives the requests of both. */
    const requests = async (): Promise<readonly string[]> => {
      await log.head()
      return proxy.taken().map(({ method, path }) => `${method} ${path.split('/').at(-2)}`)
    }
    const until = async (count: number): Promise<readonly string[]> => {
      while (heard.length < count) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      return heard
    }
    /** Waits until the watcher has read everything, so that the next request is one of a look. */
    const settled = async (): Promise<void> => {
      for (let alone = 0; alone < 3; alone++) if ((await requests()).length > 1) alone = 0
    }
    await settled()
    return { writer, proxy, until, requests, settled }
  }

  it('an idle watcher sends one request each 600 ms, for the next segment', async () => {
    const { requests } = await watched()
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(599)
      expect(await requests()).toEqual(['GET s'])
      vi.advanceTimersByTime(1)
      expect(await requests()).toEqual(['GET s', 'GET s'])
    }
  })

  it('a commit of another process is heard at the next look, after at most five requests', async () => {
    const { writer, proxy, until } = await watched()
    await writer.set('/n', 1, 'Second')
    expect(proxy.taken()).toEqual([])
    vi.advanceTimersByTime(600)
    expect(await until(1)).toEqual(['Second'])
    expect(proxy.taken().length).toBeLessThanOrEqual(5)
  })

  it('a hint spares the wait, and one that cannot be sent costs the wait and nothing else', async () => {
    const hearing = new Set<(namespace: string) => void>()
    const hints: S3Hints = {
      send(namespace) {
        for (const hear of hearing) hear(namespace)
      },
      listen(onHint) {
        hearing.add(onHint)
        return () => hearing.delete(onHint)
      },
    }
    const { writer, until, requests, settled } = await watched(hints)
    await writer.set('/n', 1, 'Second')
    expect(await until(1)).toEqual(['Second'])
    await settled()
    await hints.send('another')
    expect(await requests()).toEqual(['GET s'])
    hints.send = () => {
      throw new Error('The channel is closed')
    }
    await writer.set('/n', 2, 'Third')
    expect(await requests()).toContain('GET s')
    vi.advanceTimersByTime(600)
    expect(await until(2)).toEqual(['Second', 'Third'])
  })
})
