/** A table of bad requests, each with its exact answer, against a store that must stay as it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, answerOf, openApp, setting, type TestApp } from './open-app.ts'

export interface Asked {
  readonly app: TestApp
  /** The commit that main is at. */
  readonly head: string
}

export type Ask = (asked: Asked) => Promise<Answer>
/** What it is, how it is asked, and the answer: status, code, and something that its words must say. */
export type Bad = readonly [what: string, ask: Ask, status: number, code: string, says?: string]

export const ask =
  (...request: Parameters<TestApp['ask']>): Ask =>
  ({ app }) =>
    app.ask(...request)

/** A GET with these headers and no key. */
export const bare =
  (path: string, headers: Record<string, string> = {}): Ask =>
  async ({ app }) =>
    answerOf(await app.fetch(new Request(`http://localhost${path}`, { headers })))

export const set = (body: unknown, headers: Record<string, string> = {}): Ask =>
  ask('POST', '/api/state/main/set', body, headers)

export function refuses(title: string, table: readonly Bad[]): void {
  describe(`${title} (${table.length})`, () => {
    let asked: Asked

    beforeAll(async () => {
      const app = await openApp({ limits: { bodyBytes: 64 * 1024, failuresPerMinute: 1000 } })
      await app.ask('POST', '/api/state/main/set', setting('/a', { five: 5, list: [1, 2, 3], deep: { x: 1 } }))
      await app.ask('POST', '/api/state/main/set', setting('/users/ann', 'Ann'), { 'idempotency-key': 'once' })
      await app.ask('POST', '/api/branches', { name: 'feature/net' })
      await app.ask('POST', '/api/state/feature/net/set', setting('/a/five', 6))
      for (const id of ['sealed', 'open'])
        await app.ask('POST', '/api/epochs', { id, description: 'd', root_intents: [] })
      await app.ask('POST', '/api/epochs/seal', { id: 'sealed', summary: 's' })
      const { body } = await app.ask('POST', '/api/state/main/set', setting('/a/five', 7))
      asked = { app, head: String(body['id']) }
    })
    afterAll(() => asked.app.close())

    test.each(table.map(row => [row[0], row] as const))('%s', async (_what, [, askIt, status, code, says]) => {
      const before = await storeOf(asked)
      expectRefusal(await askIt(asked), status, code, says)
      expect(await storeOf(asked)).toEqual(before)
    })
  })
}

/** An answer that says exactly this, and nothing about the inside. */
export function expectRefusal(
  { status: found, body, text, headers }: Answer,
  status: number,
  code: string,
  says = '',
): void {
  expect([found, body?.['code']], text).toEqual([status, code])
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(body).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) })
  expect(text).toContain(says)
  expect(text).not.toMatch(/\n\s+at |node_modules|\/src\/|\.ts:\d|asg_operator/)
}

async function storeOf({ app }: Asked): Promise<unknown> {
  const repo = await app.host.context({}).repo()
  const { seq } = await repo.handle.journal.log.head()
  return { seq, refs: await repo.handle.journal.log.refs(''), head: (await repo.head()).id }
}
