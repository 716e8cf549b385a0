/** `repair` makes again what is derived from a whole journal, tells what was wrong, and leaves a store that `verify` accepts. */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { kvBackend } from '../../src/backends/kv/kv-backend.ts'
import { nameBytes } from '../../src/backends/sqlite/cells/row-form.ts'
import { repair, verify } from '../../src/maintenance/index.ts'
import { open, type Signer, type Warning } from '../../src/repository/index.ts'
import type { Backend } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'
import { newSigner } from '../trust/support/signer.ts'
import { answersOf, writeHistory } from './support/questions.ts'

const commits = 80

/** Repairs a damaged store, and returns what was wrong. */
async function repaired(store: Backend): Promise<readonly string[]> {
  await using repo = await open(store)
  expect((await verify(repo)).ok).toBe(false)
  const { changed } = await repair(repo)
  expect((await verify(repo)).damage).toEqual([])
  expect((await repair(repo)).changed).toEqual([])
  return changed.map(({ kind, name, from }) => `${kind} ${name}: ${typeof from === 'number' ? 'elsewhere' : from}`)
}

describe('in a SQLite store', () => {
  const nameOf = (name: string): string => `x'${Buffer.from(nameBytes(name)).toString('hex')}'`
  const [main, aside] = [nameOf('branch/main'), nameOf('branch/aside')]

  async function damagedStore(sql: string): Promise<string> {
    const file = newFile()
    const backend = sqlite(file)
    await writeHistory(backend, commits)
    await backend.close()
    const repo = await open(file)
    await repo.set('/more', 1, 'Leave a mark beside the store')
    await repo.close()
    expect(existsSync(`${file}.tail`)).toBe(true)
    const raw = openRaw(file)
    raw.exec(sql)
    raw.close()
    return file
  }

  it.each([
    ['a ref that leads elsewhere', `UPDATE refs SET value = 5 WHERE name = ${main}`, ['ref branch/main: unreadable']],
    ['a ref that is gone', `DELETE FROM refs WHERE name = ${aside}`, ['ref branch/aside: null']],
    [
      'a ref with another name',
      `UPDATE refs SET name = ${nameOf('branch/asidf')} WHERE name = ${aside}`,
      ['ref branch/aside: null', 'ref branch/asidf: unreadable'],
    ],
    ['where the journal ends', "UPDATE refs SET value = value - 1 WHERE name = x'00'", []],
    ['a count', 'UPDATE counts SET value = value + 1', []],
    ['a term', 'UPDATE terms SET places = zeroblob(length(places))', []],
  ])('%s', async (_, sql, wrong) => {
    const file = await damagedStore(sql)
    expect(await repaired(sqlite(file))).toEqual(wrong)
  })

  it('all keys, after which a repeated request is answered as before', async () => {
    const file = await damagedStore('UPDATE keys SET value = value + 1')
    const wrong = await repaired(sqlite(file))
    expect(wrong.length).toBe(Math.floor(commits / 3))
    expect(wrong.every(line => line.startsWith('key ') && line.endsWith(': unreadable'))).toBe(true)
    expect((await answersOf(() => sqlite(file))).get('a repeated request')).toMatch(/^"[0-9a-f]+"$/)
  })

  it('no entry: damage of the journal is named, and nothing is changed', async () => {
    const file = await damagedStore(`
      UPDATE entries SET text = replace(text, 'agent/3', 'agent/4'); UPDATE refs SET value = 5 WHERE name = ${main}`)
    await using repo = await open(sqlite(file))
    await expect(repair(repo)).rejects.toMatchObject({ code: 'object-corrupt' })
    await expect(repo.get('/')).rejects.toMatchObject({ code: 'derived-corrupt' })
  })
})

describe('in a signed store whose end is damaged', () => {
  const damaged = "UPDATE refs SET value = value - 1 WHERE name = x'00'"

  async function signedStore(signer: Signer): Promise<string> {
    const file = newFile()
    await using repo = await open(file, { signer })
    for (let n = 0; n < 5; n++) await repo.set('/n', n, 'Write')
    return file
  }
  function damage(file: string): void {
    const raw = openRaw(file)
    raw.exec(damaged)
    raw.close()
  }

  it.each(['with the key', 'without it'])(
    '%s nothing is written before a repair, and everything after it',
    async who => {
      const signer = newSigner()
      const file = await signedStore(signer)
      damage(file)
      const warnings: string[] = []
      const options = {
        onWarning: ({ code }: Warning) => warnings.push(code),
        ...(who === 'with the key' ? { signer } : {}),
      }
      await using repo = await open(file, options)
      expect(warnings).toEqual(['history-forked'])
      await expect(repo.set('/n', 9, 'Too early')).rejects.toMatchObject({ code: 'history-forked' })
      await repair(repo)
      await repo.set('/n', 5, 'Go on')
      expect((await verify(repo)).damage).toEqual([])
    },
  )

  it('an older copy of it is repaired, and then refused to every writer as it was before', async () => {
    const signer = newSigner()
    const file = await signedStore(signer)
    copyFileSync(file, `${file}.older`)
    {
      await using repo = await open(file, { signer })
      await repo.set('/n', 6, 'Later')
    }
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
    renameSync(`${file}.older`, file)
    damage(file)
    await using repo = await open(file, { signer })
    await repair(repo)
    await expect(repo.set('/n', 7, 'On an older copy')).rejects.toMatchObject({ code: 'history-short' })
    expect(await repo.get('/n')).toBe(4)
  })
})

describe('in a key-value store', () => {
  it.each(['n/', 'r/', 'k/', 'i/', 't/', 'g/'])('a value that begins with %s', async kind => {
    const content = new Map<string, Uint8Array>()
    await writeHistory(kvBackend(memoryKV(content)), commits)
    const key = [...content.keys()].find(name => name.startsWith(kind))!
    const value = content.get(key)!.slice()
    value[value.length - 1]! ^= 1
    content.set(key, value)
    const wrong = await repaired(kvBackend(memoryKV(content)))
    expect(wrong.length).toBe(kind === 'r/' || kind === 'k/' ? 1 : 0)
  })

  it('a commit that is not found by its id', async () => {
    const content = new Map<string, Uint8Array>()
    await writeHistory(kvBackend(memoryKV(content)), commits)
    content.delete([...content.keys()].find(name => name.startsWith('c/'))!)
    expect(await repaired(kvBackend(memoryKV(content)))).toEqual([expect.stringMatching(/^commit /)])
  })
})
