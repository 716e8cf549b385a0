/** An editor offers the paths of a typed state where a path is written, and shows signatures that can be read. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

interface LanguageServer {
  request(method: string, params: object): Promise<unknown>
  notify(method: string, params: object): void
  stop(): void
}

const end = '\r\n\r\n'

function startServer(): LanguageServer {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const server = spawn(process.execPath, [tsc, '--lsp', '-stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let requests = 0

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}${end}${body}`)
  }

  function take(): Message | undefined {
    const start = received.indexOf(end) + end.length
    const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1'))?.[1])
    if (start < end.length || received.length < start + length) return undefined
    const body = received.subarray(start, start + length).toString()
    received = received.subarray(start + length)
    return JSON.parse(body) as Message
  }

  server.stdout.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    for (let message = take(); message !== undefined; message = take()) {
      const { id, method, result } = message
      if (id === undefined) continue
      // What the server asks in its turn, such as settings, has no answer here.
      if (method === undefined) waiting.get(id)?.(result)
      else send({ id, result: null })
    }
  })
  return {
    request: (method, params) =>
      new Promise(resolve => {
        waiting.set(++requests, resolve)
        send({ id: requests, method, params })
      }),
    notify: (method, params) => send({ method, params }),
    stop: () => server.kill(),
  }
}

/** Where `|` stands, an editor is asked what it offers; where `^` stands, what it shows. */
const program = `import { open } from 'agentstategraph'
interface Cluster { cluster: { replicas: number; 'a/b': boolean; nodes: { status: 'up' | 'down' }[] } }
const repo = await open<Cluster>()
await repo.get('/|')
await repo.at('v1').find('/|')
await repo.set('/|', 3, 'Scale')
await repo.delete('/|', 'Forget')
await repo.blame('/|')
await repo.commit('Scale', tx => tx.set('/|', 3))
await (await repo.speculate()).get('/|')
await repo.^get('/cluster/replicas')
await repo.^set('/cluster/a~1b', true, 'Turn on')
await repo.^commit('Scale', tx => tx.^set('/cluster/replicas', 3))
`

const shown = [
  'Reader<Cluster>.get<never, "/cluster/replicas">(path: "/cluster/replicas"): Promise<number>',
  'BranchWriter<Cluster>.set<"/cluster/a~1b">(path: "/cluster/a~1b", value: boolean, why: Why<WriteOptions>): Promise<Written>',
  'BranchWriter<Cluster>.commit(given: Why<WriteOptions>, edit: (tx: Transaction<Cluster>) => unknown): Promise<Written>',
  'Transaction<Cluster>.set<"/cluster/replicas">(path: "/cluster/replicas", value: number): Transaction<Cluster>',
]

interface Asked {
  readonly mark: string
  readonly line: number
  readonly character: number
}

function questions(): readonly Asked[] {
  return program.split('\n').flatMap((text, line) => {
    // A mark is not part of the program, so those before it in the line do not count.
    return [...text.matchAll(/(?<=')\/\||\^/g)].map(({ 0: mark, index }, before) => ({
      mark: mark.slice(-1),
      line,
      character: index + mark.length - 1 - before,
    }))
  })
}

it('completes paths and shows short signatures', async () => {
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist', 'completion-'))
  const server = startServer()
  try {
    const settings = { compilerOptions: { target: 'es2023', module: 'nodenext', strict: true, types: ['node'] } }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const file = pathToFileURL(join(folder, 'main.ts')).href
    await server.request('initialize', { processId: process.pid, rootUri: null, capabilities: {} })
    server.notify('initialized', {})
    const text = program.replaceAll(/\/\|'/g, "/'").replaceAll('^', '')
    const textDocument = { uri: file, languageId: 'typescript', version: 1, text }
    server.notify('textDocument/didOpen', { textDocument })
    const hovers: string[] = []
    for (const { mark, ...position } of questions()) {
      const at = { textDocument: { uri: file }, position }
      if (mark === '^') hovers.push(JSON.stringify(await server.request('textDocument/hover', at)))
      else {
        const offered = JSON.stringify(await server.request('textDocument/completion', at))
        for (const path of ['/cluster', '/cluster/replicas', '/cluster/nodes', '/cluster/a~1b']) {
          expect(offered, `line ${position.line + 1}`).toContain(`"label":"${path}"`)
        }
      }
    }
    expect(hovers).toHaveLength(shown.length)
    for (const [k, hover] of hovers.entries()) expect(hover).toContain(JSON.stringify(shown[k]).slice(1, -1))
  } finally {
    server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
