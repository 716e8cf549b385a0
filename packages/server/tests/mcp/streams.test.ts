import type { Client } from '@modelcontextprotocol/client'
import { epochs } from 'agentstategraph/trust'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { connectTo, mountOn, tell } from './support/mcp-connection.ts'

let host: StoreHost
let client: Client
beforeEach(async () => {
  host = await openHost(undefined)
  client = await connectTo(mountOn(host))
})
afterEach(() => host.close())

const repoOf = () => host.context({ agent: 'human/ada' }).repo()

interface Page {
  readonly items: readonly { readonly seq: number }[]
  readonly next_cursor?: string
}

async function poll(after: number, more: object = {}): Promise<Page> {
  return (await tell(client, 'watch', { after, ...more })).data as unknown as Page
}

test('polls follow the journal page by page, without a gap and without a repetition', async () => {
  const repo = await repoOf()
  const written: number[] = []
  for (let count = 0; count < 7; count += 1) written.push((await repo.set('/a', count, `Write ${count}`)).seq)
  const seen: number[] = []
  for (let after = 0; seen.length < written.length; ) {
    const { items, next_cursor } = await poll(after, { path: '/a', limit: 3 })
    expect(items.length).toBeLessThanOrEqual(3)
    seen.push(...items.map(({ seq }) => seq))
    after = Number(next_cursor)
  }
  expect(seen).toEqual(written)
  expect(await poll(seen.at(-1)!)).toEqual({ items: [], next_cursor: String(seen.at(-1)) })
})

test('a poll that waits is answered by the write it waited for', async () => {
  const repo = await repoOf()
  const { seq } = await repo.set('/a', 0, 'Begin')
  const waiting = poll(seq, { wait_ms: 30_000 })
  const next = await repo.set('/a', 1, 'Write')
  expect((await waiting).items.map(item => item.seq)).toEqual([next.seq])
})

test('an export comes in pages that together are the whole', async () => {
  const repo = await repoOf()
  await epochs(repo).create('e1', 'An epoch', { rootIntents: [] })
  for (let count = 0; count < 5; count += 1) await repo.set('/a', count, `Write ${count}`)
  await epochs(repo).seal('e1', 'Done')
  const whole = (await tell(client, 'export_epoch', { id: 'e1', limit: 1000 })).data as unknown as Page
  expect(whole.next_cursor).toBeUndefined()
  const lines: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const { data } = await tell(client, 'export_epoch', {
      id: 'e1',
      limit: 2,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const page = data as unknown as Page
    lines.push(...page.items)
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  expect(lines).toEqual(whole.items)
  expect(lines.length).toBeGreaterThan(5)
})
