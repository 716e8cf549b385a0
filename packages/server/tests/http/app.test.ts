/** What HTTP adds to the table: conditions, repetition, pages, names, numbers and doors. */
import { access } from 'agentstategraph/access'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeApp } from '../../src/http/app.ts'
import type { Mount } from '../../src/http/app-options.ts'
import { operations } from '../../src/operations/table.ts'
import { answerOf, openApp, requestTo, setting, type TestApp, token } from './support/open-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await openApp()
})
afterEach(() => app.close())

const set = (path: string, value: unknown, headers: Record<string, string> = {}) =>
  app.ask('POST', '/api/state/main/set', setting(path, value), headers)
const get = (path: string, headers: Record<string, string> = {}) =>
  app.ask('GET', `/api/state/main?path=${encodeURIComponent(path)}`, undefined, headers)

describe('conditions', () => {
  test('a write and a read of the same state have the same ETag: its commit', async () => {
    const written = await set('/a', 1)
    const read = await get('/a')
    expect(written.headers.get('etag')).toBe(`"${written.body['id']}"`)
    expect(read.headers.get('etag')).toBe(written.headers.get('etag'))
    expect(read.body['value']).toBe(1)
  })

  test('what a client has is not sent again until it changes', async () => {
    const etag = (await set('/a', 1)).headers.get('etag')!
    const same = await get('/a', { 'if-none-match': `"other", W/${etag}` })
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
    await set('/b', 2)
    expect((await get('/a', { 'if-none-match': etag })).status).toBe(200)
  })

  test('of two writes that rely on one commit, the second is refused', async () => {
    const etag = (await set('/a', 1)).headers.get('etag')!
    const answers = await Promise.all([set('/a', 2, { 'if-match': etag }), set('/a', 3, { 'if-match': etag })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('HEAD answers like GET, without the body', async () => {
    const { headers } = await set('/a', 1)
    const head = await app.ask('HEAD', '/api/state/main')
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')])
    expect((await app.ask('HEAD', '/api/watch')).status).toBe(405)
  })
})

describe('repetition', () => {
  test('the same request with the same key gives the first commit again', async () => {
    const key = { 'idempotency-key': 'k1' }
    const first = await set('/a', 1, key)
    await set('/a', 2)
    const again = await set('/a', 1, key)
    expect(again.body['id']).toBe(first.body['id'])
    expect((await get('/a')).body['value']).toBe(2)
  })

  test('another request with that key is refused, also by a server that was started later', async () => {
    const key = { 'idempotency-key': 'k1' }
    await set('/a', 1, key)
    expect((await set('/a', 2, key)).body['code']).toBe('idempotency-mismatch')
    expect((await set('/b', 1, key)).body['code']).toBe('idempotency-mismatch')
    expect((await get('/a')).body['value']).toBe(1)
  })
})

test('branches with slashes are written as they are, or encoded', async () => {
  await set('/a', 1)
  await app.ask('POST', '/api/branches', { name: 'feature/net/v2' })
  await app.ask('POST', '/api/state/feature/net/v2/set', setting('/a', 2))
  for (const ref of ['feature/net/v2', 'feature%2Fnet%2Fv2', 'feature/net%2Fv2']) {
    expect((await app.ask('GET', `/api/state/${ref}?path=/a`)).body).toMatchObject({ ref: 'feature/net/v2', value: 2 })
  }
})

test('any key of any value is ordinary data', async () => {
  const text = '{"path":"/x","description":"w","value":{"__proto__":{"polluted":1},"constructor":1,"":2,"a/b~c":3}}'
  await app.ask('POST', '/api/state/main/set', text)
  const { text: found } = await get('/x')
  expect(found).toContain('"value":{"":2,"__proto__":{"polluted":1},"a/b~c":3,"constructor":1}')
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect((await get('/x/a~1b~0c')).body['value']).toBe(3)
})

test('a listing says where its next page is, and the pages are the whole', async () => {
  await set('/a', 1)
  for (const name of ['a', 'b', 'c', 'd']) await app.ask('POST', '/api/branches', { name })
  const names: string[] = []
  let path: string | undefined = '/api/branches?limit=2'
  while (path !== undefined) {
    const { body, headers } = await app.ask('GET', path)
    names.push(...(body['items'] as unknown as { name: string }[]).map(({ name }) => name))
    path = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  expect(names).toEqual(['a', 'b', 'c', 'd', 'main'])
})

test('namespaces are strictly apart, and one that was deleted is gone', async () => {
  await set('/a', 'default')
  const { storeAdmin } = app.host.context({})
  await storeAdmin.createNamespace('tenant')
  await app.ask('POST', '/api/state/main/set', setting('/a', 'tenant', { namespace: 'tenant' }))
  expect((await get('/a')).body['value']).toBe('default')
  expect((await app.ask('GET', '/api/state/main?path=/a&namespace=tenant')).body['value']).toBe('tenant')
  await expect(storeAdmin.createNamespace('tenant')).rejects.toMatchObject({ code: 'namespace-exists' })
  await storeAdmin.deleteNamespace('tenant')
  expect((await app.ask('GET', '/api/state/main?path=/a&namespace=tenant')).status).toBe(404)
  await expect(storeAdmin.deleteNamespace('default')).rejects.toMatchObject({ code: 'namespace-kept' })
  expect((await get('/a')).body['value']).toBe('default')
})

test('a commit names the client and the trace of its request', async () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { body } = await set('/a', 1, { 'user-agent': 'robot/2.1 (test)', traceparent: trace })
  expect(body).toMatchObject({ agent: 'operator', trace, intent: { tags: ['client:robot/2.1'] } })
})

test('a key may do over HTTP what it was granted, and is told what it was not', async () => {
  await set('/a/b', 1)
  const control = access(await app.host.context({}).repo())
  const { key } = await control.addPrincipal('agent/bob', 'agent')
  await control.grant('agent/bob', { capabilities: ['read', 'commit'], paths: ['/a/b'] })
  const asBob = { authorization: `Bearer ${key}` }
  expect((await set('/a/b', 2, asBob)).body).toMatchObject({ agent: 'agent/bob', principal: 'agent/bob' })
  for (const path of ['/a/b-secret', '/a', '/']) {
    const { status, body } = await set(path, { c: 3 }, asBob)
    expect([path, status, body['code']]).toEqual([path, 403, 'access-denied'])
  }
  const body = { name: 'x' }
  expect((await app.ask('POST', '/api/branches', body, asBob)).status).toBe(403)
  expect((await get('/a/b')).body['value']).toBe(2)
})

describe('rates and room', () => {
  test('a key that asks too often is told when to come back; others are not held up', async () => {
    let now = 0
    const limits = { writesPerSecond: 0.2, readsPerSecond: 1 }
    const limited = await openApp({ now: () => now, limits })
    const write = () => limited.ask('POST', '/api/state/main/set', setting('/a', 1))
    expect([(await write()).status, (await write()).status]).toEqual([200, 200])
    const refused = await write()
    expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
      429,
      'rate-limited',
      '5',
    ])
    expect((await limited.ask('GET', '/api/state/main')).status).toBe(200)
    now += 5000
    expect((await write()).status).toBe(200)
    await limited.close()
  })

  test('a peer that fails too often is told to wait before its key is looked for; one that was good still comes in', async () => {
    const { host, close } = await openApp()
    let lookups = 0
    const identify: typeof host.identify = caller => {
      lookups++
      return host.identify(caller)
    }
    const guarded = makeApp({ ...host, identify }, { limits: { failuresPerMinute: 2 } })
    const fail = async () => {
      const headers = { authorization: 'Bearer no' }
      return (await guarded.fetch(requestTo('GET', '/api/state/main', undefined, headers))).status
    }
    expect([await fail(), await fail(), await fail(), await fail()]).toEqual([401, 401, 429, 429])
    expect(lookups).toBe(2)
    expect((await guarded.fetch(requestTo('GET', '/openapi.json'))).status).toBe(200)
    await close()
  })

  test('wrong keys that come at once count one by one, and right ones at once are all taken', async () => {
    const { host, close } = await openApp()
    let lookups = 0
    const identify: typeof host.identify = async caller => {
      lookups++
      await new Promise(setImmediate)
      return host.identify(caller)
    }
    const guarded = makeApp({ ...host, identify }, { limits: { failuresPerMinute: 3 } })
    const good = Array.from({ length: 10 }, () => guarded.fetch(requestTo('GET', '/openapi.json')))
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    lookups = 0
    const wrong = Array.from({ length: 20 }, (_, n) => {
      const headers = { authorization: `Bearer no-${n}` }
      return guarded.fetch(requestTo('GET', '/api/state/main', undefined, headers))
    })
    const statuses = (await Promise.all(wrong)).map(({ status }) => status)
    expect(statuses).toEqual([...Array(3).fill(401), ...Array(17).fill(429)])
    expect(lookups).toBe(3)
    await close()
  })

  const slowBody = (value: number) => {
    let finish = (): void => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => {
          controller.enqueue(new TextEncoder().encode(JSON.stringify(setting('/a', value))))
          controller.close()
        }
      },
    })
    const { url, method, headers } = requestTo('POST', '/api/state/main/set', '')
    return { request: new Request(url, { method, headers, body, duplex: 'half' } as RequestInit), finish }
  }

  test('more requests at once than a key may have are refused, and room comes back when one ends', async () => {
    const small = await openApp({ limits: { requests: 1 } })
    const { request, finish } = slowBody(1)
    const answer = small.fetch(request)
    await new Promise(resolve => setImmediate(resolve))
    const refused = await small.ask('GET', '/api/state/main')
    expect(refused.body).toMatchObject({ code: 'too-many-at-once', data: { limit: 1, what: 'requests' } })
    finish()
    expect((await answer).status).toBe(200)
    expect((await small.ask('GET', '/api/state/main')).status).toBe(200)
    await small.close()
  })

  test('streams do not count as requests: with many watchers, their key still reads and writes', async () => {
    const small = await openApp({ limits: { requests: 1, streams: 40 } })
    await small.ask('POST', '/api/state/main/set', setting('/a', 1))
    const warnings: Error[] = []
    const warned = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warned)
    const open = () => small.fetch(requestTo('GET', '/api/watch?after=0'))
    const streams = await Promise.all(Array.from({ length: 40 }, open))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await small.ask('GET', '/api/state/main')).status).toBe(200)
    expect((await small.ask('POST', '/api/state/main/set', setting('/a', 2))).status).toBe(200)
    const refused = await answerOf(await open())
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(refused.body).toMatchObject({ code: 'too-many-at-once', data: { limit: 40, what: 'streams' } })
    await streams[0]!.body?.cancel()
    expect((await open()).status).toBe(200)
    process.off('warning', warned)
    expect(warnings).toEqual([])
    await small.close()
  })

  test('events of a mount count as a stream until they end, other answers of it as a request', async () => {
    let end = (): void => {}
    const events = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          end = () => controller.close()
        },
      })
    const mount: Mount = {
      path: '/other',
      opensStream: request => request.url.endsWith('/listen'),
      fetch: async () => new Response(events(), { headers: { 'Content-Type': 'text/event-stream' } }),
    }
    const small = await openApp({ mounts: [mount], limits: { requests: 1, streams: 1 } })
    const code = async (path: string) => (await small.ask('GET', path)).body?.['code']
    const listening = await small.fetch(requestTo('GET', '/other/listen'))
    expect([await code('/other/listen'), await code('/api/branches')]).toEqual(['too-many-at-once', undefined])
    end()
    await listening.text()
    const calling = await small.fetch(requestTo('GET', '/other/call'))
    expect(await code('/api/branches')).toBe('too-many-at-once')
    end()
    await calling.text()
    expect(await code('/api/branches')).toBeUndefined()
    await small.close()
  })
})

describe('doors', () => {
  test('health and the welcome are public, and say nothing of the state', async () => {
    await set('/secret', 'hush')
    for (const path of ['/healthz', '/api/health', '/']) {
      const { status, text } = await answerOf(await app.fetch(new Request(`http://localhost${path}`)))
      expect(status).toBe(200)
      expect(text).not.toContain('hush')
    }
  })

  test('a page that is allowed gets its headers; nobody else gets any', async () => {
    const open = await openApp({ origins: ['https://app.example'] })
    const origin = { origin: 'https://app.example' }
    const preflight = await open.ask('OPTIONS', '/api/state/main', undefined, {
      ...origin,
      'access-control-request-method': 'POST',
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('If-Match')
    await open.ask('POST', '/api/state/main/set', setting('/a', 1))
    const read = await open.ask('GET', '/api/state/main', undefined, origin)
    expect(read.headers.get('access-control-allow-origin')).toBe('https://app.example')
    const own = await open.ask('GET', '/api/state/main', undefined, { origin: 'http://localhost' })
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null])
    await open.close()
  })

  test('what is mounted gets requests of known callers only, with the whole body', async () => {
    const seen: string[] = []
    const mount = {
      path: '/mcp',
      async fetch(request: Request, caller: { readonly key?: string | undefined }): Promise<Response> {
        seen.push(`${request.method} ${caller.key === token} ${await request.text()}`)
        return new Response('mounted')
      },
    }
    const mounted = await openApp({ mounts: [mount], limits: { bodyBytes: 10 } })
    expect((await mounted.ask('POST', '/mcp', '{"a":1}')).text).toBe('mounted')
    expect((await mounted.ask('POST', '/mcp', '{"a":1234567}')).status).toBe(413)
    expect((await mounted.ask('POST', '/mcp', '{}', { authorization: 'Bearer no' })).status).toBe(401)
    expect(seen).toEqual(['POST true {"a":1}'])
    await mounted.close()
  })

  test('read-only is read-only', async () => {
    await using shut = { app: await openApp({ mode: 'read-only' }), [Symbol.asyncDispose]: () => shut.app.close() }
    const { status, body } = await shut.app.ask('POST', '/api/state/main/set', setting('/a', 1))
    expect([status, body['code']]).toEqual([403, 'read-only'])
  })

  test('without authentication every commit says so', async () => {
    const open = await openApp({ authentication: 'none' })
    const { body } = await open.ask('POST', '/api/state/main/set', setting('/a', 1))
    expect(body['agent']).toBe('local/unauthenticated')
    await open.close()
  })
})

describe('numbers and notes', () => {
  test('metrics count by operation and status, and never by what a caller sent', async () => {
    await set('/a', 1)
    await get('/a')
    await get('/nothing')
    await app.ask('GET', '/api/state/private-name')
    const { text } = await app.ask('GET', '/metrics')
    expect(text).toContain('asg_http_requests_total{operation="set",status="200"} 1')
    expect(text).toContain('asg_http_requests_total{operation="get",status="404"} 2')
    expect(text).toContain('asg_http_request_duration_seconds_bucket{operation="set",le="+Inf"} 1')
    expect(text).toContain('asg_http_streams_open 0')
    expect(text).not.toContain('private-name')
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+)$/)
  })

  test('notes name operation, status and principal, and no key, path or value', async () => {
    const notes: string[] = []
    const noted = await openApp({ log: entry => notes.push(JSON.stringify(entry)) })
    await noted.ask('POST', '/api/state/main/set', setting('/private', 'hush'))
    await noted.ask('GET', '/api/state/main?path=/private&key=sesame')
    expect(notes).toHaveLength(2)
    expect(JSON.parse(notes[0]!)).toMatchObject({
      event: 'request',
      operation: 'set',
      status: 200,
      principal: 'operator',
    })
    expect(notes.join()).not.toMatch(/private|hush|sesame|asg_operator/)
    await noted.close()
  })

  test('what nobody expected is told with an id and nothing else, and noted whole', async () => {
    const notes: { readonly [field: string]: unknown }[] = []
    const failing = operations.map(operation => ({
      ...operation,
      run: () => Promise.reject(new RangeError('the secret inside')),
    }))
    const broken = await openApp({ log: entry => notes.push(entry), operations: failing })
    const { status, body, text } = await broken.ask('GET', '/api/branches')
    expect([status, body['code']]).toEqual([500, 'internal'])
    expect(text).not.toContain('secret')
    const note = notes.find(({ event }) => event === 'fault')
    expect(note).toMatchObject({ id: body['data']?.['id'], what: expect.stringContaining('the secret inside') })
    await broken.close()
  })
})
