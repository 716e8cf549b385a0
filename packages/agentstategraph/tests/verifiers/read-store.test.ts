/** The reader in Python, written from docs/format.md alone: it finds the same states in a file, and it sees damage. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { sqlite } from '../../src/backends/index.ts'
import { canonicalText, encode } from '../../src/core/index.ts'
import { compact, gc, setRetention } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { history, play } from '../maintenance/support/histories.ts'
import { writeSmallStore } from '../store/support/damage.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'

const reader = fileURLToPath(new URL('../../../../verifiers/read-store.py', import.meta.url))

function read(file: string, ...options: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr, error } = spawnSync('python3', [reader, file, ...options], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (error !== undefined) throw new Error('These tests need python3, 3.9 or newer, on the path.', { cause: error })
  return { status, stdout, stderr }
}

/** Each branch is read by both, and both see the same. */
async function expectSame(repo: Repository, file: string): Promise<void> {
  for (const { name } of await repo.branches()) {
    const text = canonicalText(encode(await repo.on(name).get('/')))
    const { id } = await repo.on(name).head()
    expect(read(file, '--branch', name)).toMatchObject({
      status: 0,
      stdout: `${text}\n`,
      stderr: expect.stringContaining(`branch ${name} at commit ${id}`),
    })
  }
}

describe('The reader in Python', () => {
  it('reads every kind of value, long or short, and a tree of every shape', async () => {
    const file = newFile()
    await using repo = await open(sqlite(file))
    const text = 'Grüße, 世界 𝄞 '.repeat(9000)
    await repo.set(
      '/',
      {
        numbers: [0, -1.5, 1e21, 1e-7, 123456789012345680000, Number.NaN, -0, 12345678901234567890n],
        text: text,
        bytes: Uint8Array.from({ length: 200_000 }, (_, n) => (n * n) % 251),
        map: new Map(Array.from({ length: 9000 }, (_, n) => [n, `value ${n}`])),
        keys: { $dollar: 1, '': 2, '\u{1d11e}': 3, '\uffee': 4, 'a/b~c': new Date(0) },
        wide: Object.fromEntries(
          Array.from({ length: 5000 }, (_, n) => [`key-${n}`, { n, list: [n, 'é'.repeat(n % 200)] }]),
        ),
        list: Array.from({ length: 5000 }, (_, n) => (n % 3 === 0 ? 'é'.repeat(80 + (n % 50)) : n)),
      },
      'Every kind',
    )
    for (let n = 0; n < 20; n++) await repo.set(['wide', `key-${n * 7}`, 'n'], -n, `Change ${n}`)
    await repo.set('/text', `${text.slice(0, 70_000)}changed${text.slice(70_000)}`, 'Change a long text')
    await expectSame(repo, file)
  })

  it('reads random histories with merges, speculations, garbage collection, retention and access control', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.boolean(), async (steps, isTidied) => {
        const file = newFile()
        await using repo = await open(sqlite(file))
        await play(repo, steps)
        await access(repo).addPrincipal('agent/reader', 'agent')
        if (isTidied) {
          await setRetention(repo, { count: 1 })
          await gc(repo, { keepNewerMs: -1 })
          await compact(repo)
        }
        await expectSame(repo, file)
      }),
      { numRuns: process.env['ASG_SOAK'] === undefined ? 6 : 300 },
    )
  })

  it.each([
    ['entries', 'leaf'],
    ['entries', 'time'],
    ['entries', 'commit_id'],
    ['entries', 'later'],
    ['entries', 'text'],
    ['entries', 'commit_text'],
    ['entries', 'part'],
    ['parts', 'first'],
    ['parts', 'bytes'],
    ['refs', 'value'],
    ['refs', 'name'],
  ])('sees a change of %s.%s', async (table, column) => {
    const file = await smallStore()
    const raw = openRaw(file)
    const changed = `CASE typeof(${column}) WHEN 'integer' THEN ${column} + 1 WHEN 'blob' THEN CAST(${column} || 'x' AS BLOB) ELSE ${column} || 'x' END`
    raw.exec(`UPDATE ${table} SET ${column} = ${changed}`)
    raw.close()
    expect(read(file)).toMatchObject({ status: 1, stderr: expect.stringContaining('damaged: ') })
  })

  it.each([
    ['a file that is no store', 'PRAGMA application_id = 1', 'is no store'],
    ['a layout that it does not know', 'PRAGMA user_version = 3', 'has layout 3'],
  ])('refuses %s', async (_, sql, reason) => {
    const file = await smallStore()
    const raw = openRaw(file)
    raw.exec(sql)
    raw.close()
    expect(read(file)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
  })
})

async function smallStore(): Promise<string> {
  const file = newFile()
  const backend = sqlite(file)
  await writeSmallStore(backend)
  await backend.close()
  return file
}
