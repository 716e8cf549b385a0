/** The command line and a server, as real processes on one store: the same answers, and nothing lost. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { checkServer } from '../../src/cli/commands/doctor-checks.ts'
import { call, type Ended, ended, run, scratchFolder, start } from './support/cli-process.ts'

// Processes are slow to start on a busy machine, and nothing here waits for a time to pass.

const running: ChildProcess[] = []
const scratch: { remove(): void }[] = []
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const end = new Promise(resolve => child.once('close', resolve))
    child.kill('SIGTERM')
    await end
  }
  for (const { remove } of scratch.splice(0)) remove()
})

interface Served {
  readonly folder: string
  readonly url: string
  readonly token: string
  readonly process: ChildProcess
  /** Runs `asg` against the server, from a folder without a store. */
  remote(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
}

async function serveNew(): Promise<Served> {
  const made = scratchFolder()
  scratch.push(made)
  const { folder } = made
  const child = start(['serve', '--port', '0', '--json', '--store', 'state.db'], { folder })
  running.push(child)
  const complaint: string[] = []
  child.stderr!.setEncoding('utf8').on('data', text => complaint.push(text))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).once('line', resolve)
    child.once('close', () => reject(new Error(`The server ended: ${complaint.join('')}`)))
  })
  const { url, token } = JSON.parse(line)
  return {
    folder,
    url,
    token,
    process: child,
    remote: (args, env = {}) => call(args, { folder, env: { ASG_STORE: url, ASG_TOKEN: token, ...env } }),
  }
}

describe('asg ui', () => {
  it('shows a file in the browser, whose address holds no key, until it is stopped', async () => {
    const made = scratchFolder()
    scratch.push(made)
    const { folder } = made
    expect((await call(['set', '/a', '3', '-m', 'Begin', '--store', 'state.db'], { folder })).code).toBe(0)
    const opened = join(folder, 'opened')
    const browser = join(folder, 'browser')
    writeFileSync(browser, `#!/bin/sh\necho "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`, {
      mode: 0o755,
    })
    const child = start(['ui', 'state.db', '--json'], { folder, env: { BROWSER: browser } })
    running.push(child)
    const { url, token } = JSON.parse(
      await new Promise(resolve => createInterface(child.stdout!).once('line', resolve)),
    )
    while (!existsSync(opened)) await new Promise(setImmediate)
    expect(readFileSync(opened, 'utf8')).toBe(`${url}\n`)
    expect(url).not.toContain(token)
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
    const read = (key: string) =>
      fetch(`${url}/api/state/main?path=/a`, { headers: { authorization: `Bearer ${key}` } })
    expect(await (await read(token)).json()).toMatchObject({ value: 3 })
    expect((await read('another')).status).toBe(401)
    const end = ended(child)
    child.kill('SIGTERM')
    expect(await end).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'state.db.token'))).toBe(false)
  })

  it('shows a server by its address, and makes no store where there is none', async () => {
    const made = scratchFolder()
    scratch.push(made)
    const { folder } = made
    const env = { BROWSER: 'true' }
    expect(await run(['ui', 'http://127.0.0.1:3001/'], { folder, env })).toMatchObject({
      code: 0,
      out: 'Explorer: http://127.0.0.1:3001\n',
    })
    expect(await run(['ui', 'absent.db'], { folder, env })).toMatchObject({
      code: 5,
      err: expect.stringMatching(/store-not-found/),
    })
    expect(existsSync(join(folder, 'absent.db'))).toBe(false)
  })
})

describe('a server as the store', () => {
  it('answers as a file does: same results, same codes, same exit codes', async () => {
    const { folder, url, token, remote } = await serveNew()
    const local = (args: readonly string[]): Promise<Ended> => call([...args, '--store', 'state.db'], { folder })
    expect((await remote(['set', '/a', '3', '-m', 'Begin', '--confidence', '0.5', '--tags', 'x'])).code).toBe(0)
    expect((await remote(['branch', 'create', 'feature/net'])).code).toBe(0)
    expect((await remote(['set', '/a', '4', '-m', 'Go on', '--ref', 'feature/net'])).code).toBe(0)
    expect((await remote(['set', '/a', '5', '-m', 'Here too'])).code).toBe(0)
    for (const args of [
      ['get', '/a', '--json'],
      ['get', '/', '--ref', 'feature/net'],
      ['log', 'feature/net', '--limit', '1', '--json'],
      ['log', '--graph'],
      ['blame', '/a', '--chain'],
      ['query', '--tags', 'x', '--confidence-min', '0.4', '--json'],
      ['diff', 'main', 'feature/net'],
      ['get', '/absent', '--json'],
      ['get', '--ref', 'absent'],
      ['merge', 'feature/net'],
      ['set', '/_meta/x', '1', '-m', 'Not mine'],
      ['verify', '--json'],
    ]) {
      const [here, there] = await Promise.all([local(args), remote(args)])
      expect(there, args.join(' ')).toEqual(here)
    }
    const refused = await remote(['get'], { ASG_TOKEN: 'wrong' })
    expect(refused).toMatchObject({ code: 4, err: expect.stringMatching(/unauthenticated/) })
    const gone = await remote(['get'], { ASG_STORE: 'http://127.0.0.1:1' })
    expect(gone).toMatchObject({ code: 1, err: expect.stringMatching(/try: asg doctor/) })
    expect(await checkServer(url, token)).toBe(`${url} answers`)
    await expect(checkServer(url, 'wrong')).rejects.toThrow('refuses this key')
  })

  it('streams what happens, and lines of a bundle as they are', async () => {
    const { folder, remote, url, token } = await serveNew()
    await remote(['epoch', 'create', 'e1', 'The first'])
    await remote(['set', '/a', '1', '-m', 'Begin'])
    await remote(['epoch', 'seal', 'e1', 'Done'])
    const [there, here] = await Promise.all([
      remote(['epoch', 'export', 'e1']),
      call(['epoch', 'export', 'e1', '--store', 'state.db'], { folder }),
    ])
    expect(there.out).toBe(here.out)
    const watcher = start(['watch', '--after', '0', '--json'], { folder, env: { ASG_STORE: url, ASG_TOKEN: token } })
    running.push(watcher)
    const kinds: string[] = []
    const end = ended(watcher)
    await new Promise<void>(resolve => {
      createInterface(watcher.stdout!).on('line', line => {
        kinds.push(JSON.parse(line).kind)
        if (kinds.length === 3) resolve()
      })
    })
    watcher.kill('SIGINT')
    expect((await end).code).toBe(0)
    expect(kinds).toEqual(['epoch', 'commit', 'epoch'])
  })
})

describe('a server that is told to end', () => {
  it('tells those who watch it why, and ends with 0', async () => {
    const { process: server, remote, url, token } = await serveNew()
    await remote(['set', '/a', '1', '-m', 'Begin'])
    // A server whose worker thread has run ends with the same code.
    await remote(['verify'])
    const watching = remote(['watch', '--after', '0'])
    for (let text = ''; !text.includes('asg_http_streams_open 1'); ) {
      text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
    }
    const end = new Promise(resolve => server.once('close', resolve))
    server.kill('SIGTERM')
    expect(await end).toBe(0)
    expect(await watching).toMatchObject({ code: 1, err: expect.stringMatching(/shutting down/) })
  })
})

interface Read {
  readonly value: Readonly<Record<string, object>>
  readonly items: readonly unknown[]
}

describe('one file, three processes', () => {
  it('two command lines and a server write at once, and nothing is lost', async () => {
    const { folder, url, token, process: server } = await serveNew()
    const EACH = 2
    const overHttp = async (): Promise<void> => {
      for (let i = 0; i < 4 * EACH; i++) {
        const response = await fetch(`${url}/api/state/main/set`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ path: `/http/${i}`, value: i, description: `http ${i}` }),
        })
        expect(response.status).toBe(200)
        await response.arrayBuffer()
      }
    }
    const byCommand = async (writer: string): Promise<void> => {
      for (let i = 0; i < EACH; i++) {
        const words = ['set', `/${writer}/${i}`, `${i}`, '-m', `${writer} ${i}`, '--store', join(folder, 'state.db')]
        expect(await run(words, { folder })).toMatchObject({ code: 0 })
      }
    }
    await Promise.all([overHttp(), byCommand('one'), byCommand('two')])
    const end = new Promise(resolve => server.once('close', resolve))
    server.kill('SIGTERM')
    expect(await end).toBe(0)
    const read = async (args: readonly string[]): Promise<Read> =>
      JSON.parse((await call([...args, '--json', '--store', 'state.db'], { folder })).out)
    const { value } = await read(['get'])
    expect(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, Object.keys(part).length]))).toEqual({
      http: 4 * EACH,
      one: EACH,
      two: EACH,
    })
    expect(await read(['verify'])).toMatchObject({ ok: true })
    const { items } = await read(['log', '--limit', '100'])
    expect(items.length).toBeGreaterThanOrEqual(6 * EACH)
  })
})
