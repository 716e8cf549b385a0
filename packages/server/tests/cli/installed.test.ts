/** `asg` as users have it: the packages in a folder of their own, without the workspace around them, and a folder with nothing in it. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, it } from 'vitest'

const root = new URL('../../../../', import.meta.url).pathname

/** What the packages contain, and the driver that they may load. */
const installed = {
  'packages/agentstategraph': ['package.json', 'lib'],
  'packages/server': ['package.json', 'bin', 'lib', 'commands.json', 'explorer', 'verifiers'],
}
const drivers = ['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build']

const app = `
import { END, START, StateGraph } from 'agentstategraph/graph'
import { agent } from 'agentstategraph/memory'
const review = new StateGraph({ state: { draft: '', approved: false } })
  .addNode('ask', async (state, { interrupt }) => ({ approved: await interrupt('Send ' + state.draft + '?') }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)
const counter = agent('counter', { state: { total: 0 } })
const add = counter.task('add', (by, { state }) => (state.total += by))
export const graphs = { review: repo => review.compile({ repo, name: 'review' }) }
export const agents = { counter: { add } }
export const migrations = [{ from: 0, to: 1, name: 'add owner', migrate: tx => tx.set('/owner', 'ops') }]
`

let project: string
let empty: string
let program: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'asg-installed-'))
  empty = join(project, 'empty')
  mkdirSync(empty)
  const modules = join(project, 'node_modules')
  for (const [folder, parts] of Object.entries(installed)) {
    const name = folder.endsWith('server') ? '@agentstategraph/server' : 'agentstategraph'
    for (const part of parts) cpSync(join(root, folder, part), join(modules, name, part), { recursive: true })
  }
  for (const name of drivers.filter(name => existsSync(join(root, 'node_modules', name)))) {
    cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  }
  writeFileSync(join(project, 'app.mjs'), app)
  program = join(modules, '@agentstategraph/server/bin/asg.mjs')
})

function asg(args: readonly string[], input = ''): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [program, ...args], { cwd: empty, input, encoding: 'utf8' })
}

it('writes the viewer of bundles, byte for byte, into a folder with nothing in it, and over no file', () => {
  const viewer = readFileSync(join(root, 'packages/server/verifiers/viewer.html'))
  const { status, stdout, stderr } = asg(['bundle', 'viewer'])
  const file = join(empty, 'viewer.html')
  expect([status, stdout]).toEqual([0, `Wrote ${file}: ${viewer.length} bytes\n`])
  expect(stderr).toMatch(/^ {5}Open it by a double click.*\n {5}Drop a bundle on it.*\n$/)
  expect(readdirSync(empty)).toEqual(['viewer.html'])
  expect(readFileSync(file).equals(viewer)).toBe(true)
  writeFileSync(file, 'kept')
  expect(asg(['bundle', 'viewer', '--json'])).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('file-exists'),
  })
  expect(readFileSync(file, 'utf8')).toBe('kept')
  const other = join(project, 'other.html')
  expect(JSON.parse(asg(['bundle', 'viewer', '--out', other, '--json']).stdout)).toEqual({
    file: other,
    bytes: viewer.length,
  })
  expect(readFileSync(other).equals(viewer)).toBe(true)
})

it('finds its parts for doctor, rpc and mcp', () => {
  const { status, stdout } = asg(['doctor'])
  expect([status, stdout]).toEqual([0, expect.stringContaining('0 lost')])
  const hello = { jsonrpc: '2.0', id: 1, method: 'hello', params: { protocol: 1 } }
  expect(JSON.parse(asg(['rpc'], `${JSON.stringify(hello)}\n`).stdout)).toMatchObject({ result: { protocol: 1 } })
  const clientInfo = { name: 'test', version: '1' }
  const asked = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ].map(message => JSON.stringify({ jsonrpc: '2.0', ...message }))
  expect(asg(['mcp', '--store', 'mcp.db'], `${asked.join('\n')}\n`).stdout).toContain('agentstategraph_get')
})

it('serves, with the Explorer', async () => {
  const args = [program, 'serve', '--port', '0', '--json', '--store', 'served.db']
  const server = spawn(process.execPath, args, { cwd: empty, stdio: ['ignore', 'pipe', 'ignore'] })
  const line = await new Promise<string>(resolve => createInterface(server.stdout).once('line', resolve))
  const { url, token } = JSON.parse(line)
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/api/verify`, { headers })).status).toBe(200)
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<script')
  const ended = new Promise(resolve => server.once('close', resolve))
  server.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('runs an app with its own copy of the library: an interrupt, the memory of an agent, a migration', () => {
  const run = (...args: readonly string[]): unknown => {
    const { status, stdout, stderr } = asg([...args, '--json', '--store', 'app.db', '--app', '../app.mjs'])
    expect([status, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  asg(['set', '/a', '1', '-m', 'Begin', '--store', 'app.db'])
  expect(run('thread', 'run', 'review', 't1', '{"draft":"Hi"}')).toMatchObject({ status: 'paused' })
  expect(run('thread', 'resume', 'review', 't1', '--answers', '{"value":true}')).toMatchObject({ status: 'done' })
  expect(run('agent', 'run', 'counter', 'add', '5')).toMatchObject({ result: 5 })
  expect(run('agent', 'run', 'counter', 'add', '5')).toMatchObject({ result: 10 })
  run('migrate', 'run')
  expect(run('get', '/owner')).toMatchObject({ value: 'ops' })
})
