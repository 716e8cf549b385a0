/** A bundle tells whether the principal of each commit held the right to make it, and by which chain of names. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { type ExportOptions, epochs, openBundle, verifyBundle } from '../../src/trust/index.ts'
import { allSay } from '../verifiers/support/all-three.ts'
import { type AnyRecord, ended, lineOf, linesOf, recordOf } from './support/bundle-lines.ts'
import { counter } from './support/clock.ts'

async function withPrincipal(repo: Repository, id: string): Promise<Repository> {
  return access(repo).authenticate((await access(repo).addPrincipal(id, 'agent')).key)
}

/** The status of the level, and what is said of it; the same by the library and both verifiers. */
async function authorised(lines: readonly string[]): Promise<string> {
  return (await allSay(lines))['authorised']!
}

async function sealed(repo: Repository, options?: ExportOptions): Promise<string[]> {
  await epochs(repo).seal('e', 'Done')
  return linesOf(repo, 'e', options)
}

describe('a bundle of work under grants', () => {
  it('is authorised by the chains in force, which it names', async () => {
    await using repo = await open(undefined, { clock: counter() })
    await repo.set('/cluster', { n1: 'up', n2: 'up' }, 'Begin')
    const [lead, helper] = [await withPrincipal(repo, 'agent/lead'), await withPrincipal(repo, 'agent/helper')]
    const capabilities = ['read', 'commit', 'grant', 'merge', 'branch'] as const
    await access(repo).grant('agent/lead', { capabilities, paths: ['/cluster'], depth: 2 })
    await epochs(repo).create('e', 'Work')
    await lead.set('/cluster/n1', 'down', 'Drain')
    await access(lead).grant('agent/helper', { capabilities: ['commit'], paths: ['/cluster/*'], branches: ['main'] })
    await helper.set('/cluster/n2', 'down', 'Drain')
    await using session = await access(lead).openSession({
      agent: 'agent/lead/night',
      branch: 'night',
      intent: 'watch',
    })
    await session.repo.set('/cluster/n1', 'up', 'Restart')
    await session.end({ outcome: 'fulfilled', summary: 'up again' })
    await lead.merge('night', { description: 'Merge' })
    await repo.set('/dns', '1.1.1.1', 'By the operator')
    const lines = await sealed(repo)
    const whole = [lines, await linesOf(repo, 'e', { profile: 'log' }), await linesOf(repo, 'e', { paths: ['/dns'] })]
    for (const bundle of whole) {
      expect(await authorised(bundle)).toBe('passed')
      expect((await verifyBundle(bundle)).inventory?.chains).toEqual({
        'operator → agent/lead': 2,
        'operator → agent/lead → agent/helper': 1,
        'operator → agent/lead → agent/lead/night': 1,
        operator: 1,
      })
    }
    expect(await authorised(await linesOf(repo, 'e', { profile: 'redacted' }))).toBe('not-checked')
    await using bundle = await openBundle(lines)
    expect(await bundle.get('/cluster')).toEqual({ n1: 'up', n2: 'down' })
  })

  it('is authorised where drafts, proposals and their approvals are', async () => {
    await using repo = await open(undefined, { clock: counter() })
    await repo.set('/a', 1, 'Begin')
    const [maker, judge] = [await withPrincipal(repo, 'agent/maker'), await withPrincipal(repo, 'human/judge')]
    await access(repo).grant('agent/maker', { capabilities: ['read', 'propose', 'commit'], paths: ['/b'] })
    await access(repo).grant('agent/maker', { capabilities: ['read', 'propose'] })
    await access(repo).grant('human/judge', { capabilities: ['read', 'approve'] })
    await epochs(repo).create('e', 'Work')
    await maker.set('/a', 2, 'Ask').catch(() => undefined)
    const [proposal] = await access(judge).proposals({ status: 'open' })
    await access(judge).approve(proposal!.id, 'Good')
    await using draft = await maker.speculate({ label: 'try' })
    await draft.set('/b', 3)
    await draft.commit('Keep')
    const lines = await sealed(repo)
    expect(await repo.get('/')).toEqual({ a: 2, b: 3 })
    expect(await authorised(lines)).toBe('passed')
  })

  it('says in a plain word that a store without access control is open', async () => {
    await using repo = await open(undefined, { clock: counter() })
    await epochs(repo).create('e', 'Work')
    await repo.set('/a', 1, 'One')
    const lines = await sealed(repo)
    expect(await authorised(lines)).toBe('not-checked')
    const { checks } = await verifyBundle(lines)
    expect(checks.at(-1)?.detail).toBe('Open: no access control was in force.')
  })

  it('leaves unchecked what it cannot tell: many places, of which each was granted and not what they are in', async () => {
    await using repo = await open(undefined, { clock: counter() })
    await repo.set('/', { rows: {}, other: 1 }, 'Begin')
    const agent = await withPrincipal(repo, 'agent/a')
    await access(repo).grant('agent/a', { capabilities: ['commit'], paths: ['/rows/*'] })
    await epochs(repo).create('e', 'Work')
    await agent.commit('Fill', tx => {
      for (let i = 0; i < 80; i++) tx.set(`/rows/r${i}`, i)
    })
    expect(await authorised(await sealed(repo))).toBe('not-checked')
  })
})

/** The inclusion proof of a leaf in the tree of all leaves (RFC 9162). */
function proofOf(index: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length === 1) return []
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return index < half
    ? [...proofOf(index, leaves.slice(0, half)), rootOf(leaves.slice(half))]
    : [...proofOf(index - half, leaves.slice(half)), rootOf(leaves.slice(0, half))]
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return hashOf(Buffer.of(1), rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)))
}

function hashOf(...parts: readonly Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

it('does not take an older decision for the one in force, though it is in the log', async () => {
  await using repo = await open(undefined, { clock: counter() })
  await epochs(repo).create('all', 'From the beginning')
  await repo.set('/a', 1, 'Begin')
  const agent = await withPrincipal(repo, 'agent/a')
  const { id } = await access(repo).grant('agent/a', { capabilities: ['commit'] })
  await epochs(repo).create('older', 'Before the revocation')
  await agent.set('/a', 2, 'Two')
  await access(repo).revoke(id, 'Enough')
  await epochs(repo).create('e', 'After the revocation')
  await repo.set('/a', 3, 'Three')
  const lines = (await sealed(repo, { profile: 'log' })).map(recordOf)
  await epochs(repo).seal('older', 'Done')
  await epochs(repo).seal('all', 'Done')
  const all = (await linesOf(repo, 'all', { profile: 'log' })).map(recordOf)
  const leafOf = ({ entry }: AnyRecord): Buffer => hashOf(Buffer.of(0), Buffer.from(entry as string))
  const first = Buffer.from((all.find(({ type }) => type === 'prior')!['hashes'] as string[])[0]!, 'base64')
  const leaves = [first, ...all.filter(({ type }) => type === 'entry').map(leafOf)]
  const older = (await linesOf(repo, 'older', { profile: 'log' })).map(recordOf)
  const at = older.findIndex(({ type }) => type === 'access')
  const nodes = older.slice(
    at + 1,
    older.findIndex(({ type }, i) => i > at && type === 'entry'),
  )
  const seq = older[at]!['seq'] as number
  const before = (lines[0]!['from'] as number) - 1
  const proof = proofOf(seq - 1, leaves.slice(0, before)).map(hash => hash.toString('base64'))
  const own = lines.findIndex(({ type }) => type === 'access')
  const end = lines.findIndex(({ type }, i) => i > own && type === 'entry')
  const replaced = [...lines.slice(0, own), { ...older[at]!, proof }, ...nodes, ...lines.slice(end)]
  const verdict = await verifyBundle(ended(replaced.map(lineOf)))
  expect([verdict.failed, verdict.checks[0]?.detail]).toEqual(['seal', expect.stringContaining('access state')])
  expect((await allSay(ended(replaced.map(lineOf))))['failed']).toBe('seal')
})
