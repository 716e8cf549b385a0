/** The witness signs heads that go on from the last one it saw, and no others; not even when asked twice at once. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { consistencyProofAt, rootAt } from '../../src/repo/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { checkHead, epochs, findSignedHead, verifyBundle } from '../../src/trust/index.ts'
import { newSigner } from '../trust/support/signer.ts'

const witnessFile = fileURLToPath(new URL('../../../../verifiers/witness.mjs', import.meta.url))
const signer = newSigner()
const stranger = newSigner()
const origin = 'example.org/history'
let folder: string
let repo: Repository
let verifierKey: string
let options: string[]
let server: ChildProcess | undefined

const witness = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [witnessFile, ...args], { input, encoding: 'utf8' })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'))
  const key = join(folder, 'witness.key')
  verifierKey = witness(['key', key, 'example.org/witness']).stdout.trim()
  options = ['--key', key, '--state', join(folder, 'state'), '--log', origin, signer.verifierKey]
  repo = await open()
  for (let i = 0; i < 12; i++) await repo.set('/n', i, 'Count')
})

afterEach(async () => {
  server?.kill('SIGKILL')
  server = undefined
  await repo.close()
  rmSync(folder, { recursive: true, force: true })
})

async function head(
  size: number,
  { by = signer, root, of = origin }: { by?: typeof signer; root?: string; of?: string } = {},
): Promise<string> {
  const { journal } = repo.handle
  const base64 = root ?? Buffer.from(await journal.run(rootAt(journal, size))).toString('base64')
  const body = `${of}\n${size}\n${base64}\n`
  const signature = Buffer.concat([Buffer.from(by.keyId, 'hex'), await by.sign(Buffer.from(body))]).toString('base64')
  return `${body}\n\u2014 ${by.verifierKey.split('+')[0]} ${signature}\n`
}

/** A request to sign the head of a size, going on from another. */
async function request(old: number, size: number, note?: string, proof?: readonly string[]): Promise<string> {
  const { journal } = repo.handle
  const hashes = await journal.run(consistencyProofAt(journal, old, size))
  const lines = proof ?? hashes.map(hash => Buffer.from(hash).toString('base64'))
  return `old ${old}\n${lines.map(line => `${line}\n`).join('')}\n${note ?? (await head(size))}`
}

async function startServer(): Promise<string> {
  server = spawn(process.execPath, [witnessFile, 'serve', ...options, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>(resolve =>
    server!.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  )
  return `${/http:\S+/.exec(said)![0]}/add-checkpoint`
}

it('keeps its key to itself', () => {
  expect(statSync(join(folder, 'witness.key')).mode & 0o777).toBe(0o600)
  expect(witness(['key', join(folder, 'witness.key'), 'again']).status).toBe(2)
  expect(readFileSync(join(folder, 'witness.key'), 'utf8')).not.toContain(verifierKey.split('+').slice(2).join('+'))
})

it('signs what goes on from the last head, with the time, and says which size it has otherwise', async () => {
  const url = await startServer()
  const post = async (body: string): Promise<[number, string, string | null]> => {
    const response = await fetch(url, { method: 'POST', body })
    return [response.status, await response.text(), response.headers.get('content-type')]
  }
  for (const [old, size] of [
    [0, 5],
    [5, 5],
    [5, 8],
    [8, 13],
  ] as const) {
    const [status, lines] = await post(await request(old, size))
    expect(status).toBe(200)
    const signed = findSignedHead((await head(size)) + lines)!
    expect(await checkHead(signed, [verifierKey])).toEqual({ good: [verifierKey], wrong: [] })
  }
  expect(await post(await request(5, 13))).toEqual([409, '13\n', 'text/x.tlog.size'])
  expect(await post(await request(0, 5))).toEqual([409, '13\n', 'text/x.tlog.size'])
  expect((await fetch(url)).status).toBe(405)
  expect((await fetch(url.replace('add-checkpoint', ''))).status).toBe(404)
  expect((await post('x'.repeat(100_000)))[0]).toBe(413)
})

it('refuses what the protocol says it must, and stays where it was', async () => {
  const zeros = Buffer.alloc(32).toString('base64')
  const add = (text: string) => witness(['add', ...options, '-'], text)
  expect(add(await request(0, 5)).status).toBe(0)
  const refused: [status: number, text: string][] = [
    [400, 'hello'],
    [400, (await request(5, 8)).replace('old 5', 'old 05')],
    [400, (await request(5, 8)).slice(0, -1)],
    [400, await request(5, 4, await head(4), [])],
    [403, await request(5, 8, await head(8, { by: stranger }))],
    [403, (await request(5, 8)).replace(/(\u2014 \S+ \S{20})(.)/, (_, start, at) => start + (at === 'A' ? 'B' : 'A'))],
    [404, await request(5, 8, await head(8, { of: 'example.org/unknown' }))],
    [409, await request(0, 8)],
    [409, await request(5, 5, await head(5, { root: zeros }))],
    [422, await request(5, 8, await head(8, { root: zeros }))],
    [422, await request(5, 8, undefined, [])],
    [422, await request(5, 8, undefined, [zeros, zeros])],
    [422, await request(5, 5, undefined, [zeros])],
  ]
  for (const [status, text] of refused) expect(add(text).stderr).toMatch(new RegExp(`^${status}:`))
  expect(add(await request(5, 8)).status).toBe(0)
})

it('signs nothing when what it kept is damaged', async () => {
  expect(witness(['add', ...options, '-'], await request(0, 5)).status).toBe(0)
  const [place] = readdirSync(join(folder, 'state'))
  writeFileSync(join(folder, 'state', place!, '1'), '')
  const { status, stdout, stderr } = witness(['add', ...options, '-'], await request(0, 8))
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain('damaged')
})

it('of several that go on from the same head at once, in several processes, signs one', async () => {
  const sizes = [6, 7, 8, 9, 10, 11]
  expect(witness(['add', ...options, '-'], await request(0, 5)).status).toBe(0)
  const exits = await Promise.all(
    sizes.map(async size => {
      const file = join(folder, `request-${size}`)
      writeFileSync(file, await request(5, size))
      const child = spawn(process.execPath, [witnessFile, 'add', ...options, file], { stdio: 'ignore' })
      return new Promise<number | null>(resolve => child.once('exit', resolve))
    }),
  )
  expect(exits.filter(exit => exit === 0)).toHaveLength(1)
  expect(exits.filter(exit => exit === 1)).toHaveLength(sizes.length - 1)
})

/** What epochs that a key has signed look like to a witness that watches their log. */
async function watched(): Promise<{ log: Repository; url: string }> {
  const log = await open(undefined, { signer })
  for (const id of ['q1', 'q2']) {
    await epochs(log).create(id, 'A quarter')
    await log.set('/limit', id, 'Settle the limit')
    await epochs(log).seal(id, 'Done')
  }
  const name = findSignedHead(await epochs(log).witnessRequest('q1', 0).then(noteIn))!.origin
  options = [...options.slice(0, 4), '--log', name, signer.verifierKey]
  return { log, url: await startServer() }
}

const noteIn = (text: string): string => text.slice(text.indexOf('\n\n') + 2)
const post = async (url: string, body: string): Promise<string> => (await fetch(url, { method: 'POST', body })).text()

it('signs the epochs of a repository, and bundles carry it to both verifiers', async () => {
  const { log, url } = await watched()
  await using _ = log
  const { toSeq } = await epochs(log).cosign(
    'q1',
    await post(url, await epochs(log).witnessRequest('q1', 0)),
    verifierKey,
  )
  expect(await post(url, await epochs(log).witnessRequest('q2', 0))).toBe(`${toSeq}\n`)
  const answer = await post(url, await epochs(log).witnessRequest('q2', toSeq))
  await epochs(log).archive('q2')
  expect(await epochs(log).cosign('q2', answer, verifierKey)).toMatchObject({ status: 'archived' })
  const { seq: kept } = await log.handle.journal.log.head()
  await epochs(log).cosign('q2', answer, verifierKey)
  expect((await log.handle.journal.log.head()).seq).toBe(kept)

  for (const id of ['q1', 'q2']) {
    const lines: string[] = []
    for await (const line of epochs(log).export(id)) lines.push(line)
    const keys = [signer.verifierKey, verifierKey]
    expect((await verifyBundle(lines, { keys })).checks.map(({ name, status }) => [name, status])).toContainEqual([
      'witnessed',
      'passed',
    ])
    const file = join(folder, `${id}.jsonl`)
    writeFileSync(file, lines.join(''))
    for (const [program, verifier] of [
      [process.execPath, 'verify.mjs'],
      ['python3', 'verify.py'],
    ] as const) {
      const place = join(witnessFile, '..', verifier)
      const args = [place, file, '--key', signer.verifierKey, '--witness', verifierKey, '--require', 'signed,witnessed']
      const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
      expect([status, stdout]).toEqual([0, expect.stringContaining('witnessed: passed')])
    }
  }
})

it('signs for one head, and its answer is kept for no other', async () => {
  const { log, url } = await watched()
  await using _ = log
  const answer = await post(url, await epochs(log).witnessRequest('q1', 0))
  const wrong = { code: 'cosignature-wrong' }
  await expect(epochs(log).cosign('q2', answer, verifierKey)).rejects.toMatchObject(wrong)
  await expect(epochs(log).cosign('q1', answer, stranger.verifierKey)).rejects.toMatchObject(wrong)
  await expect(epochs(log).cosign('q1', 'hello', verifierKey)).rejects.toMatchObject(wrong)
  await expect(epochs(log).cosign('q1', '', verifierKey)).rejects.toMatchObject(wrong)
  await expect(epochs(log).cosign('q1', answer, 'hello')).rejects.toMatchObject({ code: 'key-invalid' })
  await expect(epochs(log).witnessRequest('q1', 1000)).rejects.toMatchObject({ code: 'witness-ahead' })
  await epochs(repo).create('q1', 'Without a key')
  await expect(epochs(repo).witnessRequest('q1', 0)).rejects.toMatchObject({ code: 'epoch-open' })
  await epochs(repo).seal('q1', 'Done')
  await expect(epochs(repo).witnessRequest('q1', 0)).rejects.toMatchObject({ code: 'epoch-unsigned' })
})
