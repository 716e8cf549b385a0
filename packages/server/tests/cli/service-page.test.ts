/** docs/guides/service.md: what it gives to systemd, nginx and containers works as it stands there, on other ports and folders. */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { listBlocks } from '../../../../scripts/pages/page-blocks.mjs'
import { type Ended, ended, scratchFolder, start } from './support/cli-process.ts'

const page = 'docs/guides/service.md'
const text = readFileSync(fileURLToPath(new URL(`../../../../${page}`, import.meta.url)), 'utf8')

function blockOf(language: string): string {
  return listBlocks(page, text).find(block => block.language === language)!.code
}

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function newFolder(): string {
  const { folder, remove } = scratchFolder()
  endings.push(remove)
  return folder
}

/** The words of an instruction of the Dockerfile, in its form of a list. */
function listIn(instruction: string): readonly string[] {
  return JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(blockOf('dockerfile'))![1]!)
}

/** The container's command, on a free port and a folder of its own; which port that is. */
async function startContainer(): Promise<number> {
  const folder = newFolder()
  const [name, ...args] = listIn('CMD').map(word => word.replace('/data', folder))
  expect(name).toBe('asg')
  const child = start([...args, '--port', '0'], { folder })
  const end: Promise<Ended> = ended(child)
  endings.push(async () => {
    child.kill('SIGTERM')
    expect(await end).toMatchObject({ code: 0 })
  })
  let said = ''
  for await (const [piece] of on(child.stdout!)) {
    said += piece
    const port = /http:\/\/[\w.]+:(\d+)/.exec(said)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error(`It ended: ${said}`)
}

async function* on(stream: NodeJS.ReadableStream): AsyncGenerator<unknown[]> {
  for (;;) yield await once(stream, 'data')
}

const isThere = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** A program that a machine of a developer may lack, and CI must not. */
function needs(program: string): boolean {
  const found = isThere(program)
  if (!found && process.env['CI']) throw new Error(`install ${program}: CI has to run these tests`)
  return found
}

it.runIf(needs('systemd-analyze'))('the unit is one that systemd takes', () => {
  const unit = join(newFolder(), 'asg.service')
  writeFileSync(unit, blockOf('ini'))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  expect(verified.stderr.split('\n').filter(line => line.includes('asg.service'))).toEqual([])
  expect(verified.status).toBe(0)
})

describe('the container', () => {
  it('has instructions that there are, and installs the package of the server', () => {
    const lines = blockOf('dockerfile').trimEnd().split('\n')
    expect(lines.map(line => line.split(' ', 1)[0])).toEqual([
      'FROM',
      'RUN',
      'RUN',
      'USER',
      'VOLUME',
      'EXPOSE',
      'HEALTHCHECK',
      'CMD',
    ])
    const { name } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(lines).toContain(`RUN npm install --global ${name}`)
    // A volume that is not there before belongs to root.
    const user = lines.findIndex(line => line === 'USER node')
    expect(lines.slice(0, user)).toContain('RUN install -d -o node -g node /data')
  })

  it('is healthy, and nginx serves it over TLS', async () => {
    const port = await startContainer()
    const check = /^HEALTHCHECK CMD (.*)$/m.exec(blockOf('dockerfile'))![1]!
    execFileSync('sh', ['-c', check.replace('3001', `${port}`).replace(/^node/, process.execPath)])
    if (!needs('nginx')) return
    const secured = await startNginx(port)
    expect(await answerOf(secured, 'state.example.org')).toMatchObject({ status: 200 })
    expect(await answerOf(secured, 'other.example.org')).toMatchObject({ status: 403 })
  })
})

/** nginx with the block of the page in front of a port, with a certificate of its own; its port. */
async function startNginx(behind: number): Promise<number> {
  const folder = newFolder()
  const secured = await freePort()
  const names = ['-keyout', 'key.pem', '-out', 'certificate.pem', '-subj', '/CN=state.example.org']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync('openssl', ['req', '-x509', '-nodes', ...curve, ...names], { cwd: folder, stdio: 'pipe' })
  mkdirSync(join(folder, 'temporary'))
  const block = blockOf('nginx')
    .replace('listen 443', `listen 127.0.0.1:${secured}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${behind}`)
    .replaceAll(/\/etc\/ssl\/[\w.]*\/(\w+\.pem)/g, (_, name: string) => join(folder, name))
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path temporary/${name};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} pid nginx.pid; error_log error.log; events {} http { access_log off; ${places.join(' ')}\n${block}}`,
  )
  const nginx = ['-p', folder, '-c', 'nginx.conf']
  // It returns when it listens.
  execFileSync('nginx', nginx, { stdio: 'pipe' })
  endings.push(() => execFileSync('nginx', [...nginx, '-s', 'quit'], { stdio: 'pipe' }))
  return secured
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function answerOf(port: number, host: string): Promise<{ readonly status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const options = { port, path: '/healthz', headers: { host }, rejectUnauthorized: false, agent: false } as const
    get(options, response => resolve({ status: response.resume().statusCode })).once('error', reject)
  })
}
