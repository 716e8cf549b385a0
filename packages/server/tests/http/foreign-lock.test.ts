/** A server whose file another program has locked: it answers what needs no lock, and the rest when the lock is gone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableSqliteDrivers, type SqliteModule } from 'agentstategraph/backends'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/http/serve.ts'
import { setting } from './support/open-app.ts'

const token = 'a-token-of-our-own'
const authorization = `Bearer ${token}`

/** A connection of another program that holds the write lock of the file. */
async function holdLock(file: string): Promise<{ release(): void }> {
  const { DatabaseSync } = (await import(availableSqliteDrivers()[0]!)) as SqliteModule
  const holder = new DatabaseSync(file)
  holder.exec('BEGIN IMMEDIATE')
  return {
    release() {
      holder.exec('ROLLBACK')
      holder.close()
    },
  }
}

test('a server is healthy and read while writes of every kind wait for a foreign lock', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-lock-'))
  const store = join(folder, 'state.db')
  const server = await serve({ store, port: 0, token, log: () => {} })
  onTestFinished(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = (path: string, body?: unknown) =>
    fetch(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  expect((await ask('/api/state/main/set', setting('/a', 0))).status).toBe(200)
  const { release } = await holdLock(store)
  const settled: number[] = []
  const writes = [
    ask('/api/state/main/set', setting('/a', 1)),
    ask('/api/state/main/set', setting('/large', 'x'.repeat(1_100_000))),
    ask('/api/branches', { name: 'side' }),
    ask('/api/reindex', {}),
  ].map(async answer => {
    const { status } = await answer
    settled.push(status)
    return status
  })
  for (let n = 0; n < 3; n++) {
    expect((await ask('/healthz')).status).toBe(200)
    expect(await (await ask('/api/state/main?path=/a')).json()).toMatchObject({ value: 0 })
  }
  expect(settled).toEqual([])
  release()
  expect(await Promise.all(writes)).toEqual([200, 200, 200, 200])
  expect(await (await ask('/api/state/main?path=/a')).json()).toMatchObject({ value: 1 })
})
