/**
 * Several `asg serve` on one PostgreSQL: any of them answers any call, and what one has promised holds at the others. They are
 * programs here, which are asked over HTTP.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '../../../src/access/index.ts'
import { plans } from '../../../src/plans/index.ts'
import { open } from '../../../src/repository/index.ts'
import { root } from '../../architecture/support/source-file.ts'
import { hasPostgres, sharedPostgres } from '../../processes/postgres-server.ts'

const token = 'a-token-that-only-this-test-knows-0123456789'
type Json = Record<string, unknown>
interface Answer {
  readonly status: number
  readonly body: Json
}

describe.skipIf(!hasPostgres())('several servers (skipped without an installed postgresql)', () => {
  const children: ChildProcess[] = []
  let address: string
  let urls: readonly string[]

  beforeAll(async () => {
    const server = await sharedPostgres()
    const client = new pg.Client({ connectionString: server.address() })
    await client.connect()
    await client.query('CREATE DATABASE served')
    await client.end()
    address = server.address('served')
    urls = await Promise.all([0, 1, 2].map(() => serve()))
  })
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  })

  async function serve(): Promise<string> {
    const args = [`${root}packages/server/bin/asg.mjs`, 'serve', '--port', '0', '--json']
    const env = { ...process.env, ASG_STORE: address, ASG_TOKEN: token }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(child)
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    return JSON.parse(line).url
  }

  async function ask(at: number, path: string, body?: Json, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${urls[at % urls.length]}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }

  const setting = (path: string, value: unknown): Json => ({ path, value, description: `Set ${path}` })

  /** The paths that the commits of a stream changed, in order, until there are so many. */
  async function watched(at: number, after: number, count: number): Promise<readonly string[]> {
    const ended = new AbortController()
    const response = await fetch(`${urls[at]}/api/watch?after=${after}&path=/n/**`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ended.signal,
    })
    const seen: string[] = []
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data !== undefined) seen.push(JSON.parse(data).changes[0].path)
      }
      if (seen.length >= count) break
    }
    ended.abort()
    return seen
  }

  it('any of them answers any call, and a watcher of each sees every commit of all once, in one order', async () => {
    const { body } = await ask(0, '/api/state/main/set', setting('/n', {}))
    const count = 30
    const watching = urls.map((_, at) => watched(at, body['seq'] as number, count))
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) => ask(n, '/api/state/main/set', setting(`/n/${n}`, n))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [first, ...others] = await Promise.all(watching)
    expect(new Set(first)).toEqual(new Set(Array.from({ length: count }, (_, n) => `/n/${n}`)))
    expect(first!.length).toBe(count)
    for (const other of others) expect(other).toEqual(first)
    for (const [at] of urls.entries()) {
      const { body: read } = await ask(at + 1, `/api/state/main?path=/n/${at}`)
      expect(read['value']).toBe(at)
    }
  })

  it('a request that is repeated with its key at another server is done once', async () => {
    const key = { 'idempotency-key': 'order-1' }
    const answers = await Promise.all(
      [0, 1, 2, 0, 1, 2].map(at => ask(at, '/api/state/main/set', setting('/keyed', [1]), key)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body['commit'])).size).toBe(1)
    const other = await ask(1, '/api/state/main/set', setting('/keyed', [2]), key)
    expect([other.status, other.body['code']]).toEqual([409, 'idempotency-mismatch'])
  })

  it('each task of a plan is claimed once, and a claim of one server is renewed at another', async () => {
    await using repo = await open(address)
    const plan = await plans(repo).create('release', 'Release it')
    await plan.add(Array.from({ length: 8 }, (_, n) => ({ title: `Task ${n}` })))
    const claims = await Promise.all(Array.from({ length: 12 }, (_, at) => ask(at, '/api/plans/release/claim', {})))
    const taken = claims.map(({ body }) => body).filter(body => body['claim'] !== undefined)
    expect(taken.length).toBe(8)
    expect(new Set(taken.map(({ task }) => (task as Json)['id'])).size).toBe(8)
    const { task, claim } = taken[0] as { task: { id: string }; claim: string }
    for (const at of [0, 1, 2]) {
      expect((await ask(at, `/api/plans/release/tasks/${task.id}/renew`, { claim })).status).toBe(200)
    }
  })

  it('a session that one server opened works at the others until one of them ends it, and a limit per minute is one limit', async () => {
    await using repo = await open(address)
    const { key } = await access(repo).addPrincipal('agent/limited', 'agent')
    await access(repo).grant('agent/limited', {
      capabilities: ['read', 'commit', 'grant'],
      limits: { commitsPerMinute: 4 },
      depth: 2,
    })
    const mine = { authorization: `Bearer ${key}` }
    const { body: session } = await ask(
      0,
      '/api/sessions',
      { agent: 'agent/limited', branch: 'main', paths: ['/s'], capabilities: ['read', 'commit'] },
      mine,
    )
    const write = (at: number, n: number): Promise<Answer> =>
      ask(at, '/api/state/main/set', { ...setting(`/s/${n}`, n), session: session['id'] }, mine)
    expect((await write(1, 0)).status).toBe(200)
    const rest = await Promise.all([0, 1, 2, 0, 1, 2].map((at, n) => write(at, n + 1)))
    const codes = rest.map(({ status, body }) => (status === 200 ? 'done' : body['code']))
    expect(codes.filter(code => code === 'done').length).toBeLessThan(4)
    expect(new Set(codes)).toEqual(new Set(['done', 'rate-exceeded']))
    const ended = await ask(2, `/api/sessions/${session['id']}/end`, { outcome: 'fulfilled', summary: 'Done' }, mine)
    expect(ended.body).toMatchObject({ status: 'ended' })
    expect((await write(1, 9)).body['code']).toBe('session-ended')
  })
})
