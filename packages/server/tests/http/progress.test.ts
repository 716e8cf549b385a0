/** Long work whose caller asks for events: how far it is, then its result; from the server itself and from its worker thread. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../../src/http/serve.ts'
import { workEvents } from '../../src/http/stream/work-events.ts'
import { openApp, setting, token } from './support/open-app.ts'

const accept = 'text/event-stream'

test('events end with what the plain answer has', async () => {
  const app = await openApp()
  await app.ask('POST', '/api/state/main/set', setting('/a', 1))
  const { body } = await app.ask('GET', '/api/verify')
  const { text, headers } = await app.ask('GET', '/api/verify', undefined, { accept })
  expect(headers.get('content-type')).toBe(accept)
  const last = text.trim().split('\n\n').at(-1)!
  expect(JSON.parse(last.slice(last.indexOf('{')))).toEqual({ kind: 'result', result: body })
  const refused = await app.ask('GET', '/api/verify?after=nonsense', undefined, { accept })
  expect(refused.text).toContain('point')
  expect(refused.text).not.toContain('"result"')
  await app.close()
})

test('a worker thread passes them on, and a type that is not asked for is not given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asg-progress-'))
  const server = await serve({ store: join(folder, 'state.db'), port: 0, token, log: () => {} })
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/verify`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  const events = await ask({ accept })
  expect(events.headers.get('content-type')).toBe(accept)
  expect(await events.text()).toMatch(/event: result\ndata: \{"kind":"result","result":\{"ok":true/)
  for (const other of ['*/*', 'application/json']) {
    const response = await ask({ accept: other })
    expect(await response.json()).toMatchObject({ ok: true })
  }
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('progress is told from time to time, the newest each time', async () => {
  let end = (): void => undefined
  const events = workEvents(async onProgress => {
    onProgress({ done: 1, total: 4 })
    onProgress({ done: 2, total: 4 })
    await new Promise<void>(resolve => {
      end = resolve
    })
    return 'all'
  })
  expect((await events.next()).value).toEqual({ kind: 'progress', done: 2, total: 4 })
  end()
  expect((await events.next()).value).toEqual({ kind: 'result', result: 'all' })
  expect((await events.next()).done).toBe(true)
})
