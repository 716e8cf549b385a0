/** What one call may cost: its work, its answer; on every surface, by the same limits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallLimits } from '../../src/host/call-limits.ts'
import { operations } from '../../src/operations/table.ts'
import { openApp, setting, type TestApp } from '../http/support/open-app.ts'
import { connectTo, mountOn, tell } from '../mcp/support/mcp-connection.ts'

const COMMITS = 30

async function filledApp(limits: Partial<CallLimits>): Promise<TestApp> {
  const app = await openApp({ limits })
  const repo = await app.host.context({}).repo()
  await repo.set('/text', 'é'.repeat(5000), 'A text of 10,000 bytes')
  for (let n = 0; n < COMMITS; n++) await repo.set('/n', n, `Count ${n}`)
  return app
}

describe('an answer that is too large', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await filledApp({ answerBytes: 10_000 })
  })
  afterAll(() => app.close())

  test('is refused over HTTP with the limit, its value and what to do', async () => {
    const { status, body } = await app.ask('GET', '/api/state/main?path=/text')
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'too-costly', data: { limit: 'answer', most: 10_000, unit: 'bytes' } })
    expect(body['hint']).toMatch(/a page .* a narrower path .* the limit of answer/)
  })

  test('is refused over MCP in the same words, as a tool and as a resource', async () => {
    const client = await connectTo(mountOn(app.host, 'all', false, { answerBytes: 10_000 }))
    const { isError, line } = await tell(client, 'get', { path: '/text' })
    expect(isError).toBe(true)
    expect(line).toMatch(/too-costly.*10000 bytes[\s\S]*raise the limit of answer/)
    await expect(client.readResource({ uri: 'state://main/text' })).rejects.toThrow('too-costly')
  })

  test('does not hide that something was written, and does not end a stream', async () => {
    const large = setting('/more', 1, { reasoning: 'x'.repeat(20_000) })
    expect((await app.ask('POST', '/api/state/main/set', large)).status).toBe(200)
    const { status, text } = await app.ask('GET', '/api/export')
    expect(status).toBe(200)
    expect(text.length).toBeGreaterThan(10_000)
  })
})

describe('work that takes too long', () => {
  test('is refused with the limit, and maintenance has a limit of its own', async () => {
    const app = await filledApp({ workMs: 0 })
    const { status, body } = await app.ask('POST', '/api/query/main', { text: 'nowhere' })
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'too-costly', data: { limit: 'work', most: 0, unit: 'ms' } })
    expect((await app.ask('GET', '/api/verify')).body).toMatchObject({ ok: true })
    await app.close()
  })

  test('is refused in maintenance with the limit of maintenance', async () => {
    const app = await filledApp({ maintenanceMs: 0 })
    const { body } = await app.ask('GET', '/api/verify')
    expect(body).toMatchObject({ code: 'too-costly', data: { limit: 'maintenance', most: 0 } })
    expect(body['hint']).toContain('the limit of maintenance')
    expect((await app.ask('POST', '/api/query/main', { text: 'nowhere' })).status).toBe(200)
    await app.close()
  })

  test('is refused in a stream of lines', async () => {
    const app = await filledApp({ maintenanceMs: 0 })
    expect((await app.ask('GET', '/api/export')).body).toMatchObject({ code: 'too-costly' })
    await app.close()
  })
})

test('what runs in the worker by itself is maintenance, or works without a repository', () => {
  const others = operations.filter(({ runsIn, cost }) => runsIn === 'worker' && cost !== 'maintenance')
  expect(others.map(({ name }) => name)).toEqual(['check_head'])
})
