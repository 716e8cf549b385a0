/** Erasing a subject: what becomes unreadable, what stays, and what says so. */
import { beforeEach, describe, expect, it } from 'vitest'
import { exportRepository, verify } from '../../src/maintenance/index.ts'
import { EncryptedValue, open, type Repository } from '../../src/repository/index.ts'
import { readEntries } from '../../src/store/index.ts'
import { erase, erasures, protect, subjectKeyFolder } from '../../src/trust/index.ts'
import { newFolder, openProtected, protection, storeFile } from './support/protected-store.ts'

const secret = 'xq7-secret'
const profile = '/users/ann/profile'
const erased = expect.objectContaining({ isErased: true })

let folder: string
let repo: Repository
beforeEach(async () => {
  folder = newFolder()
  repo = await openProtected(folder)
  await repo.set('/users', { ann: { profile: { mail: secret }, since: 2020 }, bob: { profile: 'bob' } }, 'Begin')
  return async () => repo.close()
})

async function sealedText(from: Repository, path: string): Promise<string> {
  await using unopened = await open(storeFile(folder))
  const value = await unopened.on(from.handle.branch).get(path)
  expect(value).toBeInstanceOf(EncryptedValue)
  return (value as EncryptedValue).data
}

describe('what was erased', () => {
  beforeEach(async () => {
    await erase(repo, 'ann', 'Asked on 2 May')
  })

  it('reads as a sealed value that says so, here and in everything that is open elsewhere', async () => {
    expect(await repo.get(profile)).toBeInstanceOf(EncryptedValue)
    const whole = { users: { ann: { profile: erased, since: 2020 }, bob: { profile: 'bob' } } }
    expect(await repo.get('/')).toEqual(whole)
    await using other = await openProtected(folder)
    expect(await other.get('/')).toEqual(whole)
  })

  it('is a value without parts', async () => {
    expect(await repo.find(`${profile}/mail`)).toBeUndefined()
    expect(await repo.has(`${profile}/mail`)).toBe(false)
    expect(await repo.list('/users/ann')).toEqual([
      { path: profile, kind: 'value', size: 1 },
      { path: '/users/ann/since', kind: 'value', size: 1 },
    ])
  })

  it('is in no answer of anything that can be asked', async () => {
    await repo.delete(profile, 'Forget')
    const answers = [
      await repo.at('main').log(),
      await repo.search(secret),
      await repo.history('/users/ann'),
      await repo.blameTree('/'),
      await repo.query({ path: '/users/**' }),
      await repo.diff((await repo.log({ order: 'oldest' }))[0]!.id, 'main'),
      await erasures(repo),
    ]
    expect(JSON.stringify(answers)).not.toContain(secret)
    expect(answers.map(answer => answer.length)).toEqual([2, 0, 2, 2, 2, 1, 1])
  })

  it('cannot be found by its encrypted text', async () => {
    const { data } = (await repo.get(profile)) as EncryptedValue
    expect(await repo.search(data.slice(0, 20))).toEqual([])
  })

  it('leaves a history that verifies, with the keys and without', async () => {
    expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    await using unopened = await open(storeFile(folder))
    expect(await verify(unopened)).toMatchObject({ ok: true, damage: [] })
  })

  it('cannot be written into, only over', async () => {
    await expect(repo.set(`${profile}/mail`, 'new', 'Set')).rejects.toMatchObject({ code: 'value-encrypted' })
    await repo.delete(`${profile}/mail`, 'Delete')
    expect(await repo.get(profile)).toEqual(erased)
  })

  it('stays erased when the subject comes back, with a key of its own', async () => {
    const { id } = await repo.head()
    await repo.set(profile, { mail: 'again' }, 'Come back')
    expect(await repo.get(`${profile}/mail`)).toBe('again')
    expect(await repo.at(id).get(profile)).toEqual(erased)
    await repo.rollback(id, 'Back')
    expect(await repo.get(profile)).toEqual(erased)
    expect((await erase(repo, 'ann', 'Asked again')).map(({ reason }) => reason)).toEqual([
      'Asked on 2 May',
      'Asked again',
    ])
  })

  it('survives a state that is read and written back as a whole', async () => {
    const state = (await repo.get('/')) as object
    const { changed } = await repo.set('/', state, 'Write back')
    expect(changed).toBe(false)
  })

  it('is told by one entry, with who, why, whom and which key, and only by one', async () => {
    const again = await erase(repo.as('agent/clerk'), 'ann', 'Asked twice')
    const { key } = (await repo.get(profile)) as EncryptedValue
    expect(again).toEqual(await erasures(repo))
    expect(again).toMatchObject([{ subject: 'ann', reason: 'Asked on 2 May', agent: 'anonymous', key }])
    const entries = await repo.handle.journal.run(readEntries(1, 100, ['text']))
    const bodies = entries.filter(({ record }) => record.kind === 'erase').map(({ record }) => record.body)
    expect(bodies).toEqual([{ subject: 'ann', key, reason: 'Asked on 2 May' }])
  })
})

it('a key that was destroyed before its entry was written gets the entry when erasing is asked for again', async () => {
  await repo.handle.journal.context.encryption!.keys.destroy('ann', '2026-05-02T00:00:00.000Z')
  expect(await repo.get(profile)).toMatchObject({ isErased: true, erasedAt: '2026-05-02T00:00:00.000Z' })
  expect(await erasures(repo)).toEqual([])
  await erase(repo, 'ann', 'Asked')
  expect(await erasures(repo)).toMatchObject([{ subject: 'ann', reason: 'Asked' }])
})

describe('what is not erased', () => {
  it('of a subject that nobody knows, an error says', async () => {
    await expect(erase(repo, 'carl', 'Asked')).rejects.toMatchObject({ code: 'subject-unknown' })
    expect(await erasures(repo)).toEqual([])
  })

  it('with no reason, or in a repository that may not be written', async () => {
    await expect(erase(repo, 'ann', ' ')).rejects.toMatchObject({ code: 'option-invalid' })
    await using reader = await open(storeFile(folder), { readOnly: true, protect: await protection(folder) })
    await expect(erase(reader, 'ann', 'Asked')).rejects.toMatchObject({ code: 'read-only' })
    await using unprotected = await open(storeFile(folder))
    await expect(erase(unprotected, 'ann', 'Asked')).rejects.toMatchObject({ code: 'protection-missing' })
    expect(await repo.get(`${profile}/mail`)).toBe(secret)
  })
})

describe('sealed text', () => {
  it('is the same for an equal value of one subject under one pattern, and another for others', async () => {
    const before = await sealedText(repo, profile)
    expect((await repo.set(profile, { mail: secret }, 'Again')).changed).toBe(false)
    await repo.set('/users/bob/profile', { mail: secret }, 'Same for Bob')
    await repo.set('/mail/ann', { mail: secret }, 'Same elsewhere')
    expect(await sealedText(repo, '/mail/ann')).not.toBe(before)
    expect(await sealedText(repo, '/users/bob/profile')).not.toBe(before)
  })

  it('is diffed, merged and exported without a key', async () => {
    await using unopened = await open(storeFile(folder))
    const side = await unopened.branch('side')
    const sealed = await side.get<EncryptedValue>(profile)
    await side.set('/users/ann/since', 2021, 'Since')
    await unopened.set('/users/dora', { since: 2022 }, 'Another')
    expect(await unopened.diff('side', 'main')).toHaveLength(2)
    await unopened.merge('side')
    expect(await unopened.get(profile)).toEqual(sealed)
    expect(await repo.get(profile)).toEqual({ mail: secret })
    const lines: string[] = []
    for await (const line of exportRepository(repo)) lines.push(String(line))
    expect(lines.join('')).not.toContain(secret)
  })

  it('is written back where it is, and refused everywhere else', async () => {
    await using unopened = await open(storeFile(folder))
    const users = await unopened.get<{ ann: { profile: EncryptedValue } }>('/users')
    await unopened.set('/users', { ...users, note: 'added' }, 'Write back')
    expect(await repo.get(profile)).toEqual({ mail: secret })
    const { profile: sealed } = users.ann
    const trial = await unopened.speculate()
    for (const attempt of [
      () => unopened.set('/copy', sealed, 'Copy'),
      () => unopened.set('/users/bob/profile', sealed, 'Copy'),
      () => unopened.set('/users', { ...users, dora: { profile: sealed } }, 'Copy'),
      () => unopened.set('/copy', new Map([['k', sealed]]), 'Copy'),
      () => unopened.set(profile, new EncryptedValue(sealed.key, sealed.pattern, `${sealed.data}A`), 'Another text'),
      () => unopened.commit('Copy', tx => tx.set('/copy', { deep: [sealed] })),
      () => trial.set('/copy', sealed),
    ]) {
      await expect((async () => attempt())()).rejects.toMatchObject({ code: 'value-refused' })
    }
    expect(await repo.find('/copy')).toBeUndefined()
  })

  it('keeps what onlyIf compares and blame tells the same as without', async () => {
    const onlyIf = { value: { mail: secret } }
    const { id } = await repo.set(profile, { mail: 'new', old: secret }, { description: 'Change', onlyIf })
    await repo.set('/users/bob/profile', 'Bob', 'Other')
    await expect(repo.set(profile, 1, { description: 'Change', onlyIf })).rejects.toMatchObject({
      code: 'precondition-failed',
      data: { actual: { mail: 'new', old: secret } },
    })
    expect(await repo.blame(`${profile}/old`)).toMatchObject({ id, value: secret })
    expect(await repo.blameTree('/users/ann')).toMatchObject([
      { path: `${profile}/mail`, id, value: 'new' },
      { path: `${profile}/old`, id, value: secret },
      { path: '/users/ann/since' },
    ])
  })
})

describe('patterns', () => {
  it.each([
    ['/users/profile', 'no segment'],
    ['/{subject}/{subject}', 'more than one'],
    ['/**/{subject}', 'could be any'],
    ['users/{subject}', 'begin with'],
  ])('such as %s are refused', async (pattern, reason) => {
    const keys = await subjectKeyFolder(folder)
    expect(() => protect({ patterns: [pattern], keys })).toThrow(reason)
  })

  it('that come later seal what was stored before as soon as it is written', async () => {
    await using plain = await open(storeFile(folder))
    await plain.set('/mail/eve', { a: 1, b: 2 }, 'Before')
    expect(await repo.get('/mail/eve')).toEqual({ a: 1, b: 2 })
    await repo.set('/mail/eve/a', 3, 'After')
    expect(await repo.get('/mail/eve')).toEqual({ a: 3, b: 2 })
    await sealedText(repo, '/mail/eve')
  })
})
