/** How far a handle reaches: a session's rights stay in the session, and a handle that proposes decides nothing. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'

async function started(): Promise<{ repo: Repository; bob: Repository }> {
  const repo = await open()
  await repo.set('/', { own: 1, lent: 1 }, 'Begin')
  const { key } = await access(repo).addPrincipal('agent/bob', 'agent')
  await access(repo).grant('agent/bob', { capabilities: ['read', 'commit'], paths: ['/own'] })
  return { repo, bob: await access(repo).authenticate(key) }
}

describe('what a session was given', () => {
  it('holds in that session only, and is not handed on outside it', async () => {
    const { repo, bob } = await started()
    const { id } = await access(repo).openSession({ agent: 'agent/bob', scope: { paths: ['/lent'] } })
    await expect(bob.set('/lent', 2, 'Take it')).rejects.toMatchObject({ code: 'access-denied' })
    const handOn = access(bob).grant('agent/bob', { capabilities: ['commit'], paths: ['/lent'] })
    await expect(handOn).rejects.toMatchObject({ code: 'access-denied' })
    const ask = { capability: 'commit', path: '/lent' } as const
    const { allowed, links } = await access(bob).explain('agent/bob', ask)
    expect(allowed).toBe(false)
    expect(links.at(-1)).toMatchObject({ session: id, allowed: false })
    expect(links.at(-1)!.reason).toBe(`operator gave agent/bob what it takes, in the session ${id} only.`)
    const session = await access(bob).resumeSession(id)
    expect(await access(session.repo).explain('agent/bob', ask)).toMatchObject({
      allowed: true,
      links: [{ session: id }],
    })
    expect(await session.repo.set('/lent', 2, 'Do the work')).toMatchObject({ session: id })
    await repo.close()
  })

  it('is shown to those whom it concerns, also when it is over', async () => {
    const { repo, bob } = await started()
    const { key } = await access(repo).addPrincipal('agent/eve', 'agent')
    const eve = await access(repo).authenticate(key)
    const session = await access(repo).openSession({ agent: 'agent/bob' })
    await session.end({ outcome: 'fulfilled', summary: 'Done' })
    expect(await access(bob).session(session.id)).toMatchObject({ agent: 'agent/bob', status: 'ended' })
    await expect(access(eve).session(session.id)).rejects.toMatchObject({ code: 'session-unknown' })
    await repo.close()
  })
})

describe('a handle that proposes', () => {
  it('decides nothing about access, the operator too', async () => {
    const { repo } = await started()
    const control = access(access(repo).proposing())
    const { id } = await access(repo).openSession({ agent: 'agent/bob' })
    const decisions = [
      () => control.addPrincipal('agent/new', 'agent'),
      () => control.grant('agent/bob', { capabilities: ['admin'] }),
      () => control.openSession({ agent: 'agent/new' }),
      () => control.addKey('agent/bob'),
      () => control.intents.propose({ description: 'Something' }),
      async () => (await control.resumeSession(id)).end({ outcome: 'failed', summary: 'No' }),
    ]
    for (const decide of decisions) await expect(decide()).rejects.toMatchObject({ code: 'proposal-impossible' })
    await repo.close()
  })

  it('proposes in its sessions too, and the proposal is shown to who may read it', async () => {
    const { repo, bob } = await started()
    const { id } = await access(repo).openSession({ agent: 'agent/sub' })
    const session = await access(access(repo).proposing()).resumeSession(id)
    const refused = await session.repo.set('/lent', 3, 'Change it').catch(error => error)
    expect(refused).toMatchObject({ code: 'approval-required' })
    const { proposal } = refused.data
    expect(await access(repo).proposal(proposal)).toMatchObject({ by: 'agent/sub', status: 'open' })
    await expect(access(bob).proposal(proposal)).rejects.toMatchObject({ code: 'proposal-unknown' })
    expect(await repo.get('/lent')).toBe(1)
    await repo.close()
  })
})
