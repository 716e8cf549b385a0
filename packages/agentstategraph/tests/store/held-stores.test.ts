/** The stores of fixtures/stores open, answer as they did when they were written, and are whole, here and for the reader in Python. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { access } from '../../src/access/index.ts'
import { kvBackend, sqlite } from '../../src/backends/index.ts'
import { canonicalText, encode, isStateError, type Stored } from '../../src/core/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { epochs, openBundle } from '../../src/trust/index.ts'

interface Branch {
  readonly head: string
  readonly commits: number
  readonly state: Stored
  readonly first: Stored
  readonly blame: { readonly id: string; readonly agent: string }
}

interface Held {
  readonly branches: Readonly<Record<string, Branch>>
  readonly key?: string
  readonly bundle?: string
  readonly epoch?: string
}

const folder = fileURLToPath(new URL('../../../../fixtures/stores/', import.meta.url))
const reader = fileURLToPath(new URL('../../../../verifiers/read-store.py', import.meta.url))
const index: Readonly<Record<string, Held>> = JSON.parse(readFileSync(`${folder}index.json`, 'utf8'))
const files = Object.keys(index).filter(name => name.endsWith('.db'))

/** A copy with its marks: to open a store may write beside it. */
function copyOf(name: string): string {
  const to = mkdtempSync(join(tmpdir(), 'asg-held-'))
  onTestFinished(() => rmSync(to, { recursive: true }))
  for (const file of readdirSync(folder)) if (file.startsWith(name)) copyFileSync(`${folder}${file}`, join(to, file))
  return join(to, name)
}

async function expectHeld(repo: Repository, { branches }: Held): Promise<void> {
  expect((await repo.branches()).map(({ name }) => name)).toEqual(Object.keys(branches))
  for (const [name, held] of Object.entries(branches)) {
    const on = repo.on(name)
    const ids = (await on.log({ limit: held.commits + 1 })).map(({ id }) => id)
    expect([ids[0], ids.length]).toEqual([held.head, held.commits])
    expect(encode(await on.get('/'))).toEqual(held.state)
    expect(await stateOrCode(on, ids.at(-1)!)).toEqual(held.first)
    expect(await on.blame('/cluster/replicas')).toMatchObject(held.blame)
  }
  expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
}

async function stateOrCode(repo: Repository, id: string): Promise<unknown> {
  try {
    return encode(await repo.at({ id }).get('/'))
  } catch (error) {
    if (!isStateError(error)) throw error
    return error.code
  }
}

describe('A held store', () => {
  it.each(files)('%s answers as it did, is whole, and takes a commit', async name => {
    const file = copyOf(name)
    await using repo = await open(sqlite(file))
    await expectHeld(repo, index[name]!)
    await repo.set('/later', true, 'A later version writes')
    expect(await repo.get('/later')).toBe(true)
    expect(await verify(repo)).toMatchObject({ ok: true })
  })

  it.each(files)('%s is read by the reader in Python', name => {
    for (const [branch, { state, head }] of Object.entries(index[name]!.branches)) {
      const { status, stdout, stderr } = spawnSync('python3', [reader, copyOf(name), '--branch', branch], {
        encoding: 'utf8',
      })
      expect({ status, stdout }).toEqual({ status: 0, stdout: `${canonicalText(state)}\n` })
      expect(stderr).toContain(`branch ${branch} at commit ${head}`)
    }
  })

  it('key-value.json answers as it did, and is whole', async () => {
    const dump: Readonly<Record<string, string>> = JSON.parse(readFileSync(`${folder}key-value.json`, 'utf8'))
    const content = new Map(
      Object.entries(dump).map(([key, text]) => [key, new Uint8Array(Buffer.from(text, 'base64'))]),
    )
    await using repo = await open(kvBackend(memoryKV(content)))
    await expectHeld(repo, index['key-value.json']!)
  })

  it('has lost what retention trimmed, and nothing else', () => {
    const [whole, trimmed] = ['deltas.db', 'trimmed.db'].map(name => index[name]!.branches['main']!)
    expect(trimmed).toEqual({ ...whole, first: 'state-trimmed' })
  })

  it('knows the key of its principal', async () => {
    await using repo = await open(sqlite(copyOf('access.db')))
    const scaler = await access(repo).authenticate(index['access.db']!.key!)
    expect(await scaler.get('/')).toEqual({ cluster: { name: 'prod', replicas: 5 } })
  })

  it('exports the bundle of its epoch as it did, and the bundle opens', async () => {
    const { bundle, epoch, key } = index['epochs.db']!
    const text = readFileSync(`${folder}${bundle}`, 'utf8')
    await using repo = await open(sqlite(copyOf('epochs.db')))
    let exported = ''
    for await (const line of epochs(repo).export(epoch!)) exported += line
    expect(exported).toBe(text)
    await using opened = await openBundle(text.split('\n').slice(0, -1), { keys: [key!] })
    expect(opened.verdict.ok).toBe(true)
  })
})
