/** Sessions: delegated work that narrows, reports and ends. */
import { describe, expect, it } from 'vitest'
import { access, type Session } from '../../src/access/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

async function started(): Promise<Repository> {
  const repo = await open()
  await repo.set('/', { cluster: { n1: 'up', n2: 'up' }, secret: 'x' }, 'Begin')
  return repo
}

async function principal(
  repo: Repository,
  id: string,
  capabilities: readonly string[],
  more = {},
): Promise<Repository> {
  const { key } = await access(repo).addPrincipal(id, 'agent')
  await access(repo).grant(id, { capabilities: capabilities as never, depth: 4, ...more })
  return access(repo).authenticate(key)
}

const done = { outcome: 'fulfilled', summary: 'done' } as const

describe('a session', () => {
  it('writes as its agent, on its branch, within its scope, and every commit says so', async () => {
    await using repo = await started()
    await using session = await access(repo).openSession({
      agent: 'agent/responder',
      branch: 'incident-7',
      scope: { paths: ['/cluster/**'] },
    })
    const written = await session.repo.set('/cluster/n1', 'drained', 'Drain')
    expect(written).toMatchObject({ agent: 'agent/responder', principal: 'agent/responder', session: session.id })
    expect(written.authority).toHaveLength(1)
    expect(await repo.get('/cluster/n1')).toBe('up')
    expect(await repo.on('incident-7').get('/cluster/n1')).toBe('drained')
    await expect(session.repo.set('/secret', 'y', 'Look')).rejects.toMatchObject({ code: 'access-denied' })
    await expect(session.repo.on('main').set('/cluster/n1', 'down', 'Jump')).rejects.toMatchObject({
      code: 'access-denied',
    })
    await expect(session.repo.as('human/ana').set('/cluster/n1', 'down', 'Claim')).rejects.toMatchObject({
      code: 'identity-claimed',
    })
  })

  it('that is handed on can do no more than the one it was handed on from', async () => {
    await using repo = await started()
    await using parent = await access(repo).openSession({
      agent: 'agent/a',
      branch: 'work',
      scope: { paths: ['/cluster'] },
    })
    await expect(parent.delegate({ agent: 'agent/a/b', scope: { paths: ['/secret'] } })).rejects.toMatchObject({
      code: 'grant-widened',
    })
    await using child = await parent.delegate({ agent: 'agent/a/b', scope: { paths: ['/cluster/n1'] } })
    const written = await child.repo.set('/cluster/n1', 'down', 'Stop')
    expect(written.authority).toHaveLength(2)
    await expect(child.repo.set('/cluster/n2', 'down', 'Stop')).rejects.toMatchObject({ code: 'access-denied' })
    expect(child.parent).toBe(parent.id)
  })

  it('that ended can do nothing more, and told its parent', async () => {
    await using repo = await started()
    await using parent = await access(repo).openSession({ agent: 'agent/a', branch: 'work' })
    const child = await parent.delegate({ agent: 'agent/a/b', intent: 'part' })
    await expect(parent.end(done)).rejects.toMatchObject({ code: 'session-busy', data: { children: [child.id] } })
    await child.repo.set('/cluster/n1', 'down', 'Stop')
    await child.end({ ...done, deviations: [{ description: 'took longer' }] })
    expect(await parent.reports()).toMatchObject([
      { session: child.id, agent: 'agent/a/b', resolution: { outcome: 'fulfilled' } },
    ])
    await expect(child.end(done)).rejects.toMatchObject({ code: 'session-ended' })
    await expect(child.repo.set('/cluster/n1', 'up', 'Start')).rejects.toMatchObject({ code: 'session-ended' })
    const {
      intents: [intent],
    } = await repo.intentTree({ intent: 'agent/a/part' })
    expect(intent).toMatchObject({ status: 'completed', session: child.id, agent: 'agent/a/b' })
    expect(intent!.resolutions[0]!.deviations).toHaveLength(1)
  })

  it('that is left without a resolution ends deferred, and so do those that were opened from it', async () => {
    await using repo = await started()
    let child: Session
    {
      await using parent = await access(repo).openSession({ agent: 'agent/a', branch: 'work', intent: 'whole' })
      child = await parent.delegate({ agent: 'agent/a/b' })
    }
    expect(await access(repo).sessions({ status: 'open' })).toEqual([])
    expect(await access(repo).sessions({ agent: 'agent/a/b' })).toMatchObject([{ id: child.id, status: 'ended' }])
    expect(await access(repo).intents.get('whole')).toMatchObject({ status: 'blocked' })
  })

  it('is nobody else’s: unknown, ended and foreign ones are told alike', async () => {
    await using repo = await started()
    const ana = await principal(repo, 'agent/ana', ['read', 'commit', 'grant', 'branch', 'propose'])
    const ben = await principal(repo, 'agent/ben', ['read', 'commit', 'grant', 'branch', 'propose'])
    const session = await access(ana).openSession({ agent: 'agent/ana/helper', branch: 'work' })
    const unknown = await access(ben)
      .resumeSession('nowhere')
      .catch((error: unknown) => error)
    const foreign = await access(ben)
      .resumeSession(session.id)
      .catch((error: unknown) => error)
    expect(foreign).toMatchObject({ code: 'session-unknown' })
    expect(String(foreign).replace(session.id, '?')).toBe(String(unknown).replace('nowhere', '?'))
    expect(await access(ben).sessions()).toEqual([])
    const again = await access(ana).resumeSession(session.id)
    expect((await again.repo.set('/cluster/n1', 'down', 'Go on')).session).toBe(session.id)
  })

  it('for somebody who has a key is worked on with that key alone', async () => {
    await using repo = await started()
    const ana = await principal(repo, 'agent/ana', ['read', 'commit', 'grant', 'branch', 'propose'])
    const ben = await principal(repo, 'agent/ben', ['read'])
    const session = await access(ana).openSession({ agent: 'agent/ben', branch: 'work' })
    expect(() => session.repo).toThrow(expect.objectContaining({ code: 'session-foreign' }))
    const his = await access(ben).resumeSession(session.id)
    expect(await his.repo.set('/cluster/n1', 'down', 'Stop')).toMatchObject({ agent: 'agent/ben', session: session.id })
  })

  it('takes an intent that was authorised, and none that was only proposed', async () => {
    await using repo = await started()
    const ana = await principal(repo, 'agent/ana', ['read', 'propose'])
    await access(ana).intents.propose({ id: 'wish', description: 'Shrink' })
    await expect(access(repo).openSession({ agent: 'agent/x', intent: 'wish' })).rejects.toMatchObject({
      code: 'intent-transition',
    })
    await access(repo).intents.authorize('wish', 'fine')
    await using session = await access(repo).openSession({ agent: 'agent/x', intent: 'wish' })
    expect(await access(repo).intents.get('wish')).toMatchObject({ status: 'in-progress', session: session.id })
  })

  it('that another process ended is over at once', async () => {
    const file = newFile()
    await using repo = await open(file)
    await repo.set('/here', true, 'Begin')
    const session = await access(repo).openSession({ agent: 'agent/a', branch: 'work', intent: 'shared' })
    await session.repo.set('/here', 1, 'Work')
    expect(await runWorkers('end-session-worker.mjs', [{ file, session: session.id }])).toEqual([['ended']])
    // What may not be read is not there.
    await expect(session.repo.get('/elsewhere')).rejects.toMatchObject({ code: 'ref-not-found' })
    await expect(session.repo.set('/here', 2, 'Work on')).rejects.toMatchObject({ code: 'session-ended' })
    expect(await repo.on('work').get('/')).toEqual({ here: 1, elsewhere: true })
    expect(await access(repo).reports()).toMatchObject([{ session: session.id, resolution: { outcome: 'fulfilled' } }])
  })
})
