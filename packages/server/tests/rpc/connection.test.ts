/** The protocol of docs/rpc.md, on pipes of this process. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { operations } from '../../src/operations/table.ts'
import { openApp } from '../http/support/open-app.ts'
import { openedPipe, rpcPipe } from './support/rpc-pipe.ts'

const write = { path: '/a', value: 1, description: 'Because' }

describe('a connection', () => {
  it('begins with hello, which agrees on the newest version that both know', async () => {
    const pipe = rpcPipe()
    expect((await pipe.ask('get')).error).toMatchObject({ code: -32602, data: { code: 'hello-needed' } })
    const { result } = await pipe.ask('hello', { protocol: 7, client: { name: 'robot', version: '2' } })
    expect(result).toMatchObject({ protocol: 1, version: '1.2.3', limits: { line_bytes: 2 ** 26, requests: 1024 } })
  })

  it('needs no answers in between: calls wait for the store that is being opened', async () => {
    const pipe = rpcPipe()
    const answers = [
      pipe.ask('hello', { protocol: 1 }),
      pipe.ask('open'),
      pipe.ask('set', write),
      pipe.ask('open'),
      pipe.ask('get', {}, { store: 'other' }),
    ]
    const [, opened, set, again, unknown] = await Promise.all(answers)
    expect(opened!.result).toEqual({})
    expect(set!.result).toMatchObject({ seq: 2 })
    expect(again!.error!.data.code).toBe('store-open')
    expect(unknown!.error!.data.code).toBe('store-not-open')
  })

  it('has several stores, which share nothing', async () => {
    const pipe = await openedPipe()
    await pipe.ask('open', {}, { store: 'b' })
    await pipe.ask('set', write)
    await pipe.ask('set', { ...write, value: 2 }, { store: 'b' })
    expect((await pipe.ask('get', { path: '/a' })).result).toMatchObject({ value: 1 })
    expect((await pipe.ask('get', { path: '/a' }, { store: 'b' })).result).toMatchObject({ value: 2 })
    expect((await pipe.ask('close', {}, { store: 'b' })).result).toEqual({})
    expect((await pipe.ask('get', {}, { store: 'b' })).error!.data.code).toBe('store-not-open')
  })

  it('ends with its input after it has answered every complete line', async () => {
    const pipe = await openedPipe()
    const answers = Array.from({ length: 50 }, (_, at) => pipe.ask('set', { ...write, value: at }))
    pipe.input.end('{"jsonrpc":"2.0","id":"torn","method":"set"')
    expect((await Promise.all(answers)).every(({ result }) => result !== undefined)).toBe(true)
    await pipe.connection.closed
    expect(pipe.messages).toEqual([])
  })
})

describe('a store', () => {
  it('is a file, or one in memory; a server is no store, and a missing one is not made by a reader', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpc-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'state.db')
    const pipe = await openedPipe()
    expect((await pipe.ask('open', { address: file, mode: 'read-only' }, { store: 'a' })).error!.data.code).toBe(
      'store-missing',
    )
    expect(readdirSync(folder)).toEqual([])
    for (const store of ['b', 'c']) expect((await pipe.ask('open', { address: file }, { store })).result).toEqual({})
    await pipe.ask('set', write, { store: 'b' })
    expect((await pipe.ask('get', { path: '/a' }, { store: 'c' })).result).toMatchObject({ value: 1 })
    const server = await pipe.ask('open', { address: 'http://localhost:3001' }, { store: 'd' })
    expect(server.error!.data.code).toBe('scheme-unknown')
    for (const store of ['b', 'c']) await pipe.ask('close', {}, { store })
    const inMemory = await pipe.ask('open', { address: ':memory:' }, { store: 'd' })
    expect(inMemory.error!.data).toMatchObject({ code: 'option-invalid', hint: expect.stringContaining('in memory') })
  })

  it('takes and gives values beyond JSON in its own tags', async () => {
    const pipe = await openedPipe()
    const value = [
      { $date: '2026-05-01T12:00:00.000Z' },
      { $bytes: 'AAH/' },
      { $bigint: '9007199254740993' },
      { $set: [1] },
    ]
    await pipe.ask('set', { ...write, value })
    expect((await pipe.ask('get', { path: '/a' })).result).toMatchObject({ value })
  })
})

describe('a fault', () => {
  it.each([
    ['get', { path: '/nothing' }],
    ['get', { path: 'nothing' }],
    ['get', { ref: 'nowhere', path: '/a' }],
    ['set', { path: '/a', value: 1, description: '' }],
    ['merge', { source: 'nowhere' }],
    ['get_session', { session: 'none' }],
  ])('of %s with %o is the same as over HTTP', async (name, params) => {
    const pipe = await openedPipe()
    const app = await openApp()
    onTestFinished(() => app.close())
    await Promise.all([pipe.ask('set', write), app.ask('POST', '/api/state/main/set', write)])
    const { error } = await pipe.ask(name, params)
    const { route, input } = operations.find(operation => operation.name === name)!
    const [method, path] = route.split(' ') as [string, string]
    const given: Record<string, unknown> = { ref: 'main', ...params }
    const at = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(given[field])))
    const rest = Object.entries(params).filter(([field]) => !path.includes(`{${field}}`) && field in input.shape)
    const { body } =
      method === 'GET'
        ? await app.ask(method, `${at}?${new URLSearchParams(rest as [string, string][])}`)
        : await app.ask(method, at, Object.fromEntries(rest))
    // The two stores have different commits.
    const told = (message: unknown): string => String(message).replace(/[0-9a-f]{12}/, 'ID')
    expect(error).toMatchObject({ data: { code: body['code'], kind: body['kind'] } })
    expect(told(error!.message)).toBe(told(body['detail']))
  })
})

describe('who calls', () => {
  it('comes with each call', async () => {
    const pipe = await openedPipe()
    const caller = { agent: 'agent/x', trace: 'trace-1', client: { name: 'robot', version: '2' } }
    const { result } = await pipe.ask('set', write, { caller })
    expect(result).toMatchObject({ agent: 'agent/x', trace: 'trace-1' })
    expect(JSON.stringify(result)).toContain('client:robot/2')
    expect((await pipe.ask('set', { ...write, value: 2 })).result).toMatchObject({ agent: 'operator' })
    const refused = await pipe.ask('set', write, { caller: { mode: 'read-only' } })
    expect(refused.error!.data).toMatchObject({ code: 'read-only', kind: 'denied' })
    const wrong = await pipe.ask('get', {}, { caller: { key: 'nonsense' } })
    expect(wrong.error!.data.code).toBe('unauthenticated')
  })

  it('cannot widen what the store was opened with', async () => {
    const pipe = await openedPipe()
    await pipe.ask('open', { mode: 'propose' }, { store: 'careful' })
    const { error } = await pipe.ask('set', write, { store: 'careful', caller: { mode: 'write' } })
    expect(error!.data.code).toBe('approval-required')
  })

  it('acts in the session that it names', async () => {
    const pipe = await openedPipe()
    const { result } = await pipe.ask('create_session', { agent: 'agent/sub', paths: ['/a'] })
    const session = (result as { id: string }).id
    expect((await pipe.ask('set', write, { caller: { session } })).result).toMatchObject({ agent: 'agent/sub' })
    const outside = await pipe.ask('set', { ...write, path: '/b' }, { caller: { session } })
    expect(outside.error!.data.kind).toBe('denied')
  })
})

describe('bad lines', () => {
  it.each([
    ['nonsense', null, -32700],
    ['{"jsonrpc":"2.0","id":5,"method":"get"', 5, -32700],
    [`{"jsonrpc":"2.0","id":5,"method":"set","params":{"value":${'['.repeat(500)}${']'.repeat(500)}}}`, 5, -32700],
    ['{"jsonrpc":"2.0","id":"a b","params":{"path":"/a","path":"/b"},"method":"get"}', 'a b', -32700],
    ['{"jsonrpc":"2.0","id":01,"method":"get"}', null, -32700],
    ['{"jsonrpc":"2.0","id":5,"id":6,"method":"get"}', null, -32700],
    ['{"jsonrpc":"2.0","id":5,"method":"get","params":{"limit":12345678901234567890}}', 5, -32700],
    ['[]', null, -32600],
    ['3', null, -32600],
    ['{"jsonrpc":"1.0","id":5,"method":"get"}', 5, -32600],
    ['{"jsonrpc":"2.0","id":5,"method":"get","params":[1]}', 5, -32600],
    ['{"jsonrpc":"2.0","id":5,"method":"get","more":1}', 5, -32600],
    ['{"jsonrpc":"2.0","id":5,"method":"get","caller":{"who":1}}', 5, -32600],
    ['{"jsonrpc":"2.0","id":5,"method":"toString"}', 5, -32601],
    ['{"jsonrpc":"2.0","id":5,"method":"get","params":{"surely_no_field":1}}', 5, -32602],
  ])('%s', async (line, id, code) => {
    const pipe = await openedPipe()
    pipe.write(`${line}\n`)
    expect(await pipe.next(message => message.error !== undefined)).toMatchObject({ id, error: { code } })
    expect((await pipe.ask('list_branches')).result).toBeDefined()
  })

  test('a line that is too long is dropped, and the next one is read', async () => {
    const pipe = await openedPipe({ lineBytes: 1000 })
    pipe.write('x'.repeat(700))
    pipe.write(`${'y'.repeat(700)}\n`)
    const { id, error } = await pipe.next(message => message.error !== undefined)
    expect([id, error!.code, error!.data.code]).toEqual([null, -32600, 'body-too-large'])
    expect((await pipe.ask('set', write)).result).toBeDefined()
  })

  test('a notification that fails is not answered', async () => {
    const pipe = await openedPipe()
    pipe.send({ method: 'nothing' })
    pipe.send({ method: 'get', params: { path: '/nothing/here' } })
    expect((await pipe.ask('set', write)).result).toBeDefined()
    expect(pipe.messages).toEqual([])
  })
})

describe('streams', () => {
  it('send as many items as were asked for, then more, then an end when they are cancelled', async () => {
    const pipe = await openedPipe({ streamItems: 2 })
    pipe.send({ id: 'w', method: 'watch', params: { path: '/a', after: 0 } })
    expect((await pipe.next(({ id }) => id === 'w')).result).toEqual({ stream: 'w' })
    for (let value = 0; value < 5; value++) await pipe.ask('set', { ...write, value })
    const seqs: unknown[] = []
    const take = async (): Promise<void> => {
      const { params } = await pipe.next(({ method }) => method === 'item')
      seqs.push((params!['item'] as { seq: number }).seq)
    }
    await take()
    await take()
    await pipe.ask('get')
    expect(pipe.messages).toEqual([])
    pipe.send({ method: 'more', params: { id: 'w', items: 1 } })
    await take()
    expect(seqs).toEqual(seqs.toSorted())
    expect((await pipe.ask('cancel', { id: 'w' })).result).toEqual({ cancelled: true })
    expect((await pipe.next(({ method }) => method === 'end')).params).toEqual({ id: 'w' })
    expect((await pipe.ask('cancel', { id: 'w' })).result).toEqual({ cancelled: false })
  })

  it('have a limit of their number, and a failure before the first item is the answer', async () => {
    const pipe = await openedPipe({ streams: 1 })
    pipe.send({ id: 'w', method: 'watch' })
    await pipe.next(({ id }) => id === 'w')
    expect((await pipe.ask('watch')).error!.data.code).toBe('too-many-at-once')
    expect((await pipe.ask('export_epoch', { id: 'nothing' })).error).toBeDefined()
  })

  it.each(['export', 'export_epoch'])('of lines end by themselves: %s', async name => {
    const pipe = await openedPipe({ streamItems: 1000 })
    await pipe.ask('create_epoch', { id: 'e1', description: 'All' })
    await pipe.ask('set', write)
    await pipe.ask('seal_epoch', { id: 'e1', summary: 'Done' })
    pipe.send({ id: 'x', method: name, params: name === 'export' ? {} : { id: 'e1' } })
    expect((await pipe.next(({ id }) => id === 'x')).result).toEqual({ stream: 'x' })
    expect((await pipe.next(({ method }) => method === 'end')).params).toEqual({ id: 'x' })
    const lines = pipe.messages.map(({ params }) => String(params!['item']))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('are ended with an error when the process ends, so that a part is not taken for the whole', async () => {
    const pipe = await openedPipe()
    pipe.send({ id: 'w', method: 'watch' })
    await pipe.next(({ id }) => id === 'w')
    pipe.input.end()
    const { params } = await pipe.next(({ method }) => method === 'end')
    expect(params).toMatchObject({ id: 'w', error: { data: { code: 'shutting-down' } } })
  })
})

test('with as many requests as are allowed, no further line is read, and nothing is lost', async () => {
  const pipe = await openedPipe({ requests: 3, heldBytes: 2000 })
  const answers = Array.from({ length: 200 }, (_, at) => pipe.ask('set', { ...write, path: `/n/${at}` }))
  expect((await Promise.all(answers)).every(({ result }) => result !== undefined)).toBe(true)
  const { result } = await pipe.ask('get', { path: '/n' })
  expect(Object.keys((result as { value: object }).value)).toHaveLength(200)
})

test('answers that are not read hold up the lines behind them', async () => {
  const pipe = await openedPipe({ heldBytes: 10_000 })
  await pipe.ask('set', { ...write, value: 'x'.repeat(5000) })
  pipe.output.pause()
  const answers = Array.from({ length: 100 }, () => pipe.ask('get', { path: '/a' }))
  const set = pipe.ask('set', { ...write, path: '/late' })
  pipe.output.resume()
  expect((await Promise.all(answers)).every(({ result }) => result !== undefined)).toBe(true)
  expect((await set).result).toBeDefined()
})

test('an answer that is longer than a line is refused; that of a write is not', async () => {
  const pipe = await openedPipe({ lineBytes: 2000 })
  const words = 'x'.repeat(1000)
  for (const path of ['/a/b', '/a/c']) await pipe.ask('set', { ...write, path, value: words })
  expect((await pipe.ask('get', { path: '/a' })).error!.data.code).toBe('too-costly')
  const { result } = await pipe.ask('set', { ...write, path: '/a/d', description: words, reasoning: words.slice(200) })
  expect(JSON.stringify(result).length).toBeGreaterThan(2000)
})

test('stores have a limit of their number, and one that was closed makes room', async () => {
  const pipe = await openedPipe({ stores: 2 })
  expect((await pipe.ask('open', {}, { store: 'b' })).result).toEqual({})
  expect((await pipe.ask('open', {}, { store: 'c' })).error!.data.code).toBe('too-many-at-once')
  await pipe.ask('close', {}, { store: 'b' })
  expect((await pipe.ask('open', {}, { store: 'c' })).result).toEqual({})
})
