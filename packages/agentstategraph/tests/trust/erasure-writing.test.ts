/** Nothing that is protected is stored readable, whichever way it is written. */
import { expect, it } from 'vitest'
import { encode } from '../../src/core/index.ts'
import { branchRef, getBranchHead, reasonOf } from '../../src/repo/index.ts'
import { land } from '../../src/repo/write/land.ts'
import type { Repository } from '../../src/repository/index.ts'
import type { Work } from '../../src/store/index.ts'
import { rootOf } from '../../src/tree/index.ts'
import { isInFiles, newFolder, openProtected } from './support/protected-store.ts'

const secret = 'xq7-secret'

interface Way {
  readonly name: string
  write(repo: Repository): Promise<unknown>
  /** Where the secret is afterwards; nowhere when that is what the way is for. */
  readonly at?: string
}

const profile = '/users/ann/profile'
const ways: readonly Way[] = [
  { name: 'set at the place', at: profile, write: repo => repo.set(profile, secret, 'Set') },
  {
    name: 'set above it',
    at: `${profile}/a`,
    write: repo => repo.set('/users/ann', { profile: { a: secret } }, 'Set'),
  },
  {
    name: 'set of the root',
    at: profile,
    write: repo => repo.set('/', { users: { ann: { profile: secret } } }, 'Set'),
  },
  { name: 'set below it', at: `${profile}/a/b`, write: repo => repo.set(`${profile}/a/b`, secret, 'Set') },
  { name: 'set below what is there', at: `${profile}/kept`, write: setBelow },
  { name: 'a key of its own pattern', at: '/notes/ann/1', write: repo => repo.set('/notes/ann/1', [secret], 'Set') },
  { name: 'an append', at: '/mail/ann/1', write: append },
  { name: 'a key that looks like a tag', at: `${profile}/$a`, write: repo => repo.set(profile, { $a: secret }, 'Set') },
  {
    name: 'a long value',
    at: `${profile}/long`,
    write: repo => repo.set(profile, { long: secret.repeat(9000) }, 'Set'),
  },
  {
    name: 'values beyond JSON',
    at: profile,
    write: repo => repo.set(profile, new Map([[secret, new Date(0)]]), 'Set'),
  },
  { name: 'a transaction', at: profile, write: transaction },
  { name: 'changes applied', at: `${profile}/a`, write: applied },
  { name: 'a branch that is merged', at: profile, write: merged },
  { name: 'a policy that decides', at: profile, write: decided },
  { name: 'a policy above the place', at: `${profile}/a`, write: decidedAbove },
  { name: 'a conflict that is resolved', at: profile, write: resolved },
  { name: 'a speculation', at: profile, write: speculated },
  { name: 'a cherry-pick', at: profile, write: picked },
  { name: 'a rollback', at: profile, write: rolledBack },
  { name: 'an expectation', write: expecting },
  { name: 'an observation', write: observing },
  { name: 'a state made by other means', at: profile, write: landed },
]

async function setBelow(repo: Repository): Promise<void> {
  await repo.set(profile, { kept: secret, list: [secret] }, 'Set')
  await repo.set(`${profile}/list/-`, secret, 'Append')
  await repo.delete(`${profile}/list/0`, 'Delete')
}

async function append(repo: Repository): Promise<void> {
  await repo.set('/mail/ann', [], 'Begin')
  await repo.set('/mail/ann/-', 'first', 'Append')
  await repo.set('/mail/ann/-', secret, 'Append')
}

async function transaction(repo: Repository): Promise<void> {
  await repo.commit('Change', async tx => {
    tx.set('/users/ann', { profile: { old: secret } })
    tx.set(`${profile}/new`, secret)
    expect(await tx.get(profile)).toEqual({ old: secret, new: secret })
    tx.delete(`${profile}/old`)
    tx.set(profile, [secret])
    tx.set(`${profile}/-`, secret)
  })
}

async function applied(repo: Repository): Promise<void> {
  const changes = [{ op: 'add' as const, path: `${profile}/a`, after: secret }]
  await repo.commit('Apply', tx => tx.apply(changes))
}

async function branched(repo: Repository): Promise<Repository> {
  await repo.set('/users/ann', { profile: 'first', name: 'Ann' }, 'Begin')
  return repo.branch('side')
}

async function merged(repo: Repository): Promise<void> {
  const side = await branched(repo)
  await side.set(profile, secret, 'Side')
  await repo.set('/users/ann/name', 'Anna', 'Main')
  await repo.merge('side')
}

async function decided(repo: Repository): Promise<void> {
  const side = await branched(repo)
  await side.set(profile, 'theirs', 'Side')
  await repo.set(profile, 'ours', 'Main')
  const policy = (base: unknown, ours: unknown, theirs: unknown): string => `${base} ${ours} ${theirs} ${secret}`
  await repo.merge('side', { description: 'Merge', policies: { [profile]: policy } })
  expect(await repo.get(profile)).toBe(`first ours theirs ${secret}`)
}

async function decidedAbove(repo: Repository): Promise<void> {
  const side = await branched(repo)
  await side.set('/users/ann/profile', 'theirs', 'Side')
  await repo.set('/users/ann/profile', 'ours', 'Main')
  const policies = { '/users/ann': () => ({ profile: { a: secret } }) }
  await repo.merge('side', { description: 'Merge', policies })
}

async function resolved(repo: Repository): Promise<void> {
  const side = await branched(repo)
  await side.set(profile, 'theirs', 'Side')
  await repo.set(profile, 'ours', 'Main')
  const preview = await repo.previewMerge('side')
  expect(preview).toMatchObject({ conflicts: [{ path: profile, base: 'first', ours: 'ours', theirs: 'theirs' }] })
  await repo.merge('side', { description: 'Merge', resolutions: { [profile]: { value: secret } } })
}

async function speculated(repo: Repository): Promise<void> {
  await branched(repo)
  const speculation = await repo.speculate({ label: 'try' })
  await speculation.set(profile, { a: secret })
  await speculation.set(`${profile}/b`, secret)
  await speculation.commit('Land')
}

async function picked(repo: Repository): Promise<void> {
  const side = await branched(repo)
  const { id } = await side.set(profile, secret, 'Side')
  await repo.cherryPick(id, 'Pick')
}

async function rolledBack(repo: Repository): Promise<void> {
  const { id } = await repo.set(profile, secret, 'Set')
  await repo.set('/users', {}, 'Empty')
  await repo.rollback(id, 'Back')
}

async function expecting(repo: Repository): Promise<void> {
  const expects = [
    { path: profile, equals: secret },
    { path: `${profile}/a`, text: secret },
    { path: '/users/ann', equals: { profile: secret } },
  ]
  await repo.set('/plain', 1, { description: 'Set', expects })
  expect((await repo.head()).expects).toEqual(expects)
}

async function observing(repo: Repository): Promise<void> {
  await repo.set('/plain', 1, 'Set')
  const observed = [
    { path: profile, value: secret },
    { path: '/', value: { users: { ann: { profile: secret } } } },
  ]
  await repo.observe('main', { held: true, observed })
  expect((await repo.blame('/plain', { chain: true })).observed).toMatchObject([{ held: true, observed }])
}

/** As a part of the library might that makes trees by itself. */
async function landed({ handle }: Repository): Promise<void> {
  const { journal } = handle
  await journal.run(
    (function* (): Work<void> {
      const head = yield* getBranchHead(handle)
      const tree = rootOf(journal.context, encode({ users: { ann: { profile: secret } } }), 0)
      const { info } = reasonOf(handle, 'Land', 'Refine')
      yield* land(handle, { ref: branchRef('main'), head, tree, system: head.system, info })
    })(),
  )
}

it.each(ways)('no file holds what was protected after $name', async ({ write, at }) => {
  const folder = newFolder()
  const repo = await openProtected(folder)
  await repo.set('/begun', true, 'Begin')
  await write(repo)
  if (at !== undefined) expect(JSON.stringify(shown(await repo.get(at)))).toContain(secret)
  expect(isInFiles(folder, secret)).toBe(false)
  await repo.close()
  expect(isInFiles(folder, secret)).toBe(false)
})

function shown(value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}

it('files hold what was not protected, so that the others could have been found', async () => {
  const folder = newFolder()
  const repo = await openProtected(folder)
  await repo.set('/users/ann/name', secret, 'Set')
  expect(isInFiles(folder, secret)).toBe(true)
  await repo.close()
})
