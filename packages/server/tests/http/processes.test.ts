/** Two server processes over one file, and clients of both at once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { verify } from 'agentstategraph/maintenance'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHost } from '../../src/host/store-host.ts'
import { setting } from './support/open-app.ts'
import { eventsIn } from './support/server-events.ts'

const script = fileURLToPath(new URL('./support/serve-process.mjs', import.meta.url))
const token = 'a-token-of-our-own'
const authorization = `Bearer ${token}`

interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** The lines it says after its address. */
  line(): Promise<string | undefined>
}

let folder: string
let store: string
const children = new Set<ChildProcess>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'asg-http-processes-'))
  store = join(folder, 'state.db')
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, JSON.stringify({ store, token })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string | undefined> => (await lines.next()).value
  return { url: (await line())!, child, line }
}

function write(url: string, path: string, value: unknown): Promise<Response> {
  return fetch(`${url}/api/state/main/set`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(setting(path, value)),
  })
}

test('nothing is lost, and who watches one server sees what the other wrote', async () => {
  const servers = await Promise.all([start(), start()])
  const { seq } = (await (await write(servers[0].url, '/n', {})).json()) as { seq: number }
  const watching = await fetch(`${servers[0].url}/api/watch?after=${seq}&path=/n/**`, { headers: { authorization } })
  const events = eventsIn(watching)
  const count = 40
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, n) => (await write(servers[n % 2]!.url, `/n/${n}`, n)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  const seen: number[] = []
  while (seen.length < count) seen.push(Number((await events.next()).data['changes']?.[0]?.['after']))
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n))
  await events.leave()
})

test('what a process acknowledged before it was told to end is there, and the file is whole', async () => {
  const { url, child, line } = await start()
  const acknowledged: number[] = []
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = writer; ; n += 4) {
      const status = await write(url, `/n${n}`, n).then(
        response => response.status,
        () => 0,
      )
      if (status !== 200) return
      acknowledged.push(n)
      if (acknowledged.length === 20) child.kill('SIGTERM')
    }
  })
  await Promise.all(writers)
  expect(await line()).toBe('closed')
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  const host = await openHost(store)
  const repo = await host.context({}).repo()
  const state = (await repo.get('/')) as Record<string, number>
  for (const n of acknowledged) expect(state[`n${n}`]).toBe(n)
  expect((await verify(repo)).damage).toEqual([])
  await host.close()
})
