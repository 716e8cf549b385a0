/** A row that is rewritten behind the library's back is noticed, and named, on reading or by verify. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nameBytes, spaceOf, sumOfEntry } from '../../src/backends/sqlite/cells/row-form.ts'
import type { SqliteDatabase } from '../../src/backends/sqlite/module.ts'
import { reindex, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { appendEntries, leafOfEntry } from '../../src/store/index.ts'
import { checkHead, epochs, findSignedHead } from '../../src/trust/index.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'
import { newSigner } from './support/signer.ts'

/** More than two runs of 256 leaves, so that there are hashes above hashes. */
const MANY = 520
const FEW = 40
const SEQ = 'id & 0xfffffffff'

const made = new Map<number, Uint8Array>()

/** A store with a sealed epoch, closed. */
async function sealedStore(count: number): Promise<string> {
  const file = newFile()
  const bytes = made.get(count)
  if (bytes === undefined) {
    await makeStore(file, count)
    made.set(count, readFileSync(file))
  } else writeFileSync(file, bytes)
  return file
}

async function makeStore(file: string, count: number): Promise<void> {
  await using repo = await open(file, { agent: 'agent/a', durability: 'normal' })
  await epochs(repo).create('audit', 'All of it')
  await repo.set('/map', Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key-${i}`, i])), 'Import')
  await repo.set('/long', 'x'.repeat(300), 'A node of its own')
  for (let i = 0; i < FEW; i++) await repo.as(`agent/${i % 2}`).set('/n', i, { description: `Count ${i}` })
  const { journal } = repo.handle
  for (let i = FEW; i < count; i++) await journal.run(appendEntries(journal, [{ kind: 'event', agent: 'agent/0' }]))
  await epochs(repo).seal('audit', 'Done')
  await reindex(repo)
}

function behind(file: string, change: (database: SqliteDatabase) => void): void {
  const raw = openRaw(file)
  change(raw)
  raw.close()
}

async function damageOf(file: string): Promise<readonly string[]> {
  await using repo = await open(file)
  return (await verify(repo)).damage.map(({ where, what }) => `${where}: ${what}`)
}

/** A name as it is in the store, in SQL. */
function blobOf(name: string): string {
  return `x'${Buffer.from(nameBytes(name)).toString('hex')}'`
}

const rewritten: Readonly<Record<string, { readonly sql: string; readonly names: RegExp }>> = {
  'the text of a commit': {
    sql: `UPDATE entries SET commit_text = replace(commit_text, 'Count 7"', 'Count 8"') WHERE ${SEQ} = 12`,
    names: /^entry 12: /,
  },
  'the id of a commit': {
    sql: `UPDATE entries SET commit_id = substr(commit_id, 2) || substr(commit_id, 1, 1) WHERE ${SEQ} = 12`,
    names: /^entry 12: /,
  },
  'a node of a tree, its pointers and its writers': {
    sql: `UPDATE entries SET part = zeroblob(length(part)) WHERE ${SEQ} = 3`,
    names: /^entry 3: /,
  },
  'the last byte of a pack': {
    sql: `UPDATE entries SET part = CAST(substr(part, 1, length(part) - 1) ||
      CASE WHEN substr(part, -1) = x'ff' THEN x'00' ELSE x'ff' END AS BLOB) WHERE ${SEQ} = 20`,
    names: /^entry 20: /,
  },
  'where a ref is': {
    sql: `UPDATE refs SET value = 10 WHERE name = ${blobOf('branch/main')}`,
    names: /^list of refs: "branch\/main" /,
  },
  'where an epoch is': {
    sql: `UPDATE refs SET value = 2 WHERE name = ${blobOf('system/epoch/audit')}`,
    names: /^list of refs: "system\/epoch\/audit" /,
  },
  'an entry of an epoch': {
    sql: `UPDATE entries SET text = replace(text, 'All of it', 'Part of it') WHERE ${SEQ} = 2`,
    names: /^entry 2: /,
  },
  'the leaf of an entry': {
    sql: `UPDATE entries SET leaf = (SELECT leaf FROM entries WHERE ${SEQ} = 31) WHERE ${SEQ} = 30`,
    names: /^entry 30: /,
  },
  'the time of an entry': { sql: `UPDATE entries SET time = time + 1 WHERE ${SEQ} = 30`, names: /^entry 30: / },
  'the end of the journal': {
    sql: `DELETE FROM entries WHERE ${SEQ} > ${FEW}`,
    names: /^entry \d+: the entry is missing/,
  },
}

describe('noticed and named is', () => {
  it('nothing in a store that nobody touched', async () => {
    expect(await damageOf(await sealedStore(FEW))).toEqual([])
  })

  it.each(Object.entries(rewritten))('%s', async (_, { sql, names }) => {
    const file = await sealedStore(FEW)
    behind(file, raw => raw.exec(sql))
    let damage: readonly string[]
    try {
      damage = await damageOf(file)
    } catch (error) {
      damage = [`entry ${(error as { data: { seq: number } }).data.seq}: ${(error as Error).message}`]
    }
    expect(
      damage.some(line => names.test(line)),
      damage.join('\n'),
    ).toBe(true)
  })

  it('an entry that was rewritten with its leaf, by the hashes above it, and once those are made anew by the seal', async () => {
    const file = await sealedStore(MANY)
    behind(file, raw => {
      const row = raw.prepare(`SELECT text, time FROM entries WHERE ${SEQ} = 2`).get() as { text: string; time: number }
      const text = row.text.replace('All of it', 'Any of it')
      const cells = { leaf: leafOfEntry(text), time: row.time, commitId: null, later: null, hasPart: false }
      raw
        .prepare(`UPDATE entries SET text = ?, leaf = ?, checksum = ? WHERE ${SEQ} = 2`)
        .run(text, cells.leaf, sumOfEntry(spaceOf('default'), 2, cells))
    })
    expect(await damageOf(file)).toEqual([
      expect.stringMatching(/^Merkle log: hash 0 of level 8 /),
      expect.stringMatching(/^Merkle log: hash 0 of level 9 /),
    ])
    {
      await using repo = await open(file)
      await reindex(repo)
    }
    expect(await damageOf(file)).toEqual([expect.stringMatching(/^epoch audit: the entries up to \d+ are not those/)])
  })

  it('what is derived, which reindex repairs', async () => {
    const file = await sealedStore(MANY)
    await using repo = await open(file)
    for (const [sql, where] of [
      [`UPDATE hashes SET hash = zeroblob(32) WHERE level = 8 AND place = 1`, /^Merkle log: hash 1 of level 8 /],
      [`DELETE FROM hashes WHERE level = 9`, /^Merkle log: hash 0 of level 9 /],
      [`DELETE FROM terms WHERE term = ${blobOf('agent agent/1')}`, /^query index: /],
      [`UPDATE counts SET value = value + 1`, /^query index: /],
    ] as const) {
      behind(file, raw => raw.exec(sql))
      expect(await damageOf(file)).toEqual([expect.stringMatching(where)])
      await reindex(repo)
    }
    expect(await damageOf(file)).toEqual([])
  })
})

it('a history that is rewritten to its end with other content does not get the signature of the first', async () => {
  const signer = newSigner()
  const file = newFile()
  await using repo = await open(file, { signer })
  await epochs(repo).create('audit', 'All of it')
  const sealed = await epochs(repo).seal('audit', 'Done')
  const head = findSignedHead(sealed.signature!)!
  const forged = { ...head, text: head.text.replace(head.root, 'A'.repeat(43).concat('=')) }
  expect((await checkHead(forged, [signer.verifierKey])).good).toEqual([])
})
