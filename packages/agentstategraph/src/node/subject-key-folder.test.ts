import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { SubjectKey, SubjectKeys } from '../core/index.ts'
import { openSubjectKeyFolder } from './subject-key-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'subject-keys-'))
afterAll(() => rmSync(base, { recursive: true }))

let folder: string
let keys: SubjectKeys
beforeEach(() => {
  folder = join(mkdtempSync(join(base, 'test-')), 'keys')
  keys = openSubjectKeyFolder(folder)
})

const at = '2026-05-02T00:00:00.000Z'
const plain = new TextEncoder().encode('"text"')

it('makes a key on first use, and finds it again by subject and by id, also when opened anew', () => {
  const { id } = keys.current('ann')
  const encrypted = keys.current('ann').encrypt(plain, '/{subject}')
  const again = openSubjectKeyFolder(folder)
  expect(again.current('ann').id).toBe(id)
  expect(new Uint8Array((again.find(id) as SubjectKey).decrypt(encrypted, '/{subject}')!)).toEqual(plain)
  expect(keys.current('bob').id).not.toBe(id)
})

it('lets nobody else read, and leaves nothing behind but one file for each key', async () => {
  keys.current('ann')
  keys.current('../../etc/passwd')
  await keys.destroy('ann', at)
  keys.current('ann')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const files = readdirSync(folder)
  expect(files).toHaveLength(3)
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
})

it('destroys a key for everybody who has the folder open, and says when', async () => {
  const other = openSubjectKeyFolder(folder)
  const { id } = other.current('ann')
  const secret = (JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')) as { secret: string }).secret
  const destroyed = [{ id, subject: 'ann', erasedAt: at }]
  expect(await keys.destroy('ann', at)).toEqual(destroyed)
  expect(other.find(id)).toEqual(destroyed[0])
  expect(
    readdirSync(folder)
      .map(file => readFileSync(join(folder, file), 'utf8'))
      .join(),
  ).not.toContain(secret)
  expect(await other.destroy('ann', '2027-01-01T00:00:00.000Z')).toEqual(destroyed)
})

it('gives a subject that comes back another key', async () => {
  const { id } = keys.current('ann')
  await keys.destroy('ann', at)
  const next = keys.current('ann').id
  expect(next).not.toBe(id)
  expect(keys.find(id)).toHaveProperty('erasedAt', at)
  expect((await keys.destroy('ann', at)).map(key => key.id)).toEqual([id, next])
})

it('knows neither subjects nor ids that never were', async () => {
  expect(await keys.destroy('ann', at)).toEqual([])
  const { id } = keys.current('ann')
  for (const unknown of ['', '../x', `${id.slice(0, -8)}00000000`, `${'0'.repeat(24)}.1.00000000`]) {
    expect(keys.find(unknown)).toBeUndefined()
  }
})

it('says which file it cannot read', () => {
  const { id } = keys.current('ann')
  const file = join(folder, readdirSync(folder)[0]!)
  writeFileSync(file, '{"id"')
  expect(() => keys.find(id)).toThrow(expect.objectContaining({ code: 'subject-key-damaged', data: { file } }))
})
