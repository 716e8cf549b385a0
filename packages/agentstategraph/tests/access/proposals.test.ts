/** What needs an approval waits for it, lands as it was shown, and never by the hand that made it. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { exportRepository, gc, importRepository, verify } from '../../src/maintenance/index.ts'
import { agent as memoryAgent, Versioned } from '../../src/memory/index.ts'
import { plans } from '../../src/plans/index.ts'
import { open } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { type Office, office, proposalOf } from './support/office.ts'

const guarded = { name: 'production', effect: 'require-approval', when: { paths: ['/prod'] } } as const

async function withRule(): Promise<Office> {
  const made = await office()
  await made.rule(guarded)
  return made
}

describe('a proposal', () => {
  it('holds what would have changed, and changes nothing', async () => {
    await using at = await withRule()
    const before = await at.repo.log({ limit: 1 })
    const id = await proposalOf(
      at.agent.set('/prod/replicas', 9, { description: 'Scale', reasoning: 'Traffic', confidence: 0.4 }),
    )
    expect(await at.repo.get('/prod/replicas')).toBe(3)
    expect(await at.repo.log({ limit: 1 })).toEqual(before)
    expect(await at.repo.query({ text: 'Scale' })).toEqual([])
    const [proposal, ...others] = await access(at.ann).proposals()
    expect(others).toEqual([])
    expect(proposal).toMatchObject({
      id,
      by: 'agent/scaler',
      into: 'main',
      description: 'Scale',
      reasoning: 'Traffic',
      confidence: 0.4,
      changes: [{ op: 'change', path: '/prod/replicas', before: 3, after: 9 }],
      rule: 'production',
      status: 'open',
    })
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('lands by the approval of another, and says who let it', async () => {
    await using at = await withRule()
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    const written = await access(at.ann).approve(id, 'The numbers are right')
    expect(written).toMatchObject({
      agent: 'agent/scaler',
      principal: 'agent/scaler',
      changed: true,
      approval: { by: 'human/ann', reason: 'The numbers are right', proposal: id },
      intent: { description: 'Scale' },
    })
    expect(written.authority).toHaveLength(1)
    expect(await at.repo.get('/prod')).toEqual({ image: 'v1', replicas: 9 })
    const blame = await at.repo.blame('/prod/replicas')
    expect(blame).toMatchObject({ id: written.id, agent: 'agent/scaler', approval: { by: 'human/ann' } })
    expect((await at.repo.log({ limit: 1 }))[0]?.approval?.proposal).toBe(id)
    expect((await at.repo.query({ text: 'Scale' })).map(commit => commit.id)).toEqual([written.id])
    expect(await access(at.ben).proposals({ status: 'open' })).toEqual([])
    expect((await access(at.ben).proposals())[0]).toMatchObject({
      status: 'approved',
      decision: { by: 'human/ann', reason: 'The numbers are right', commit: written.id },
    })
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('is decided once: of two approvals at once one wins', async () => {
    await using at = await withRule()
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    const both = await Promise.allSettled([access(at.ann).approve(id, 'Yes'), access(at.ben).approve(id, 'Yes')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(access(at.ben).approve(id, 'Again')).rejects.toMatchObject({ code: 'proposal-decided' })
    await expect(access(at.ben).reject(id, 'No')).rejects.toMatchObject({ code: 'proposal-decided' })
    expect(await at.repo.log({ limit: 9 })).toHaveLength(2)
  })

  it('is approved neither by whoever made it nor by whoever may not, nor when it is unknown', async () => {
    await using at = await withRule()
    const id = await proposalOf(at.ann.set('/prod/replicas', 9, 'Scale'))
    await expect(access(at.ann).approve(id, 'Mine')).rejects.toMatchObject({ code: 'self-approved' })
    await expect(access(at.agent).approve(id, 'Sure')).rejects.toMatchObject({
      code: 'access-denied',
      data: { capability: 'approve' },
    })
    await expect(access(at.ben).approve('nothing', 'Sure')).rejects.toMatchObject({ code: 'proposal-unknown' })
    await expect(access(at.ben).approve(id, '')).rejects.toMatchObject({ code: 'option-invalid' })
    const blind = await at.add('human/blind', ['approve'])
    await expect(access(blind).approve(id, 'Unseen')).rejects.toMatchObject({ code: 'proposal-unknown' })
    expect(await access(blind).proposals()).toEqual([])
    expect(await at.repo.get('/prod/replicas')).toBe(3)
    await access(at.ben).approve(id, 'Fine')
  })

  it('is approved only by those whom the rules name, all of them', async () => {
    await using at = await office()
    await at.rule({ ...guarded, approvers: ['human/ann'] })
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    await expect(access(at.ben).approve(id, 'Yes')).rejects.toMatchObject({ code: 'approver-unnamed' })
    await at.rule({ ...guarded, name: 'late', approvers: ['human/ben'] })
    // Judged by the rules as they are now: nobody is named by both.
    await expect(access(at.ann).approve(id, 'Yes')).rejects.toMatchObject({ code: 'approver-unnamed' })
    await at.rule({ ...guarded, name: 'late', effect: 'allow' })
    expect((await access(at.ann).approve(id, 'Yes')).approval?.by).toBe('human/ann')
  })

  it('lapses when the branch moves', async () => {
    await using at = await withRule()
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    await at.agent.set('/notes', 'x', 'Elsewhere')
    expect((await access(at.ann).proposals())[0]?.status).toBe('lapsed')
    await expect(access(at.ann).approve(id, 'Yes')).rejects.toMatchObject({ code: 'proposal-lapsed' })
    await access(at.ann).reject(id, 'Too late')
    expect((await access(at.ann).proposals())[0]).toMatchObject({
      status: 'rejected',
      decision: { by: 'human/ann', reason: 'Too late' },
    })
  })

  it('can be rejected by whoever could approve it, and taken back by whoever made it', async () => {
    await using at = await withRule()
    const mine = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    await access(at.agent).reject(mine, 'I was wrong')
    const other = await proposalOf(at.agent.set('/prod/replicas', 8, 'Scale'))
    const stranger = await at.add('human/guest', ['read'])
    await expect(access(stranger).reject(other, 'No')).rejects.toMatchObject({ code: 'access-denied' })
    await access(at.ben).reject(other, 'Not today')
    expect((await access(at.repo).proposals()).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await at.repo.get('/prod/replicas')).toBe(3)
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('lands under what its maker may do by then, and never against a rule that denies', async () => {
    await using at = await withRule()
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale'))
    await at.rule({ name: 'closed', effect: 'deny', when: { branches: ['main'] } })
    await expect(access(at.ann).approve(id, 'Yes')).rejects.toMatchObject({ code: 'rule-denied' })
    await at.rule({ name: 'closed', effect: 'allow', when: {} })
    const [grant] = await access(at.repo).grants({ principal: 'agent/scaler' })
    await access(at.repo).revoke(grant!.id, 'It left')
    await expect(access(at.ann).approve(id, 'Yes')).rejects.toMatchObject({ code: 'grant-revoked' })
    expect(await at.repo.get('/prod/replicas')).toBe(3)
  })

  it('made in a session lands as long as the session goes on', async () => {
    await using at = await withRule()
    const session = await access(at.repo).openSession({
      agent: 'agent/scaler',
      scope: { capabilities: ['commit', 'read'] },
    })
    const first = await proposalOf(session.repo.set('/prod/replicas', 9, 'Scale'))
    expect(await access(at.ann).approve(first, 'Yes')).toMatchObject({ session: session.id, agent: 'agent/scaler' })
    const second = await proposalOf(session.repo.set('/prod/replicas', 10, 'Scale'))
    await session.end({ outcome: 'fulfilled', summary: 'Done' })
    await expect(access(at.ann).approve(second, 'Yes')).rejects.toMatchObject({ code: 'session-ended' })
  })

  it('is what all writes become for whoever may only propose', async () => {
    await using at = await office()
    const junior = await at.add('agent/junior', ['read', 'propose'])
    const id = await proposalOf(junior.set('/prod/image', 'v2', 'Try'))
    expect((await access(at.ann).proposals())[0]?.rule).toBeUndefined()
    await expect(junior.branch('mine')).rejects.toMatchObject({ code: 'access-denied' })
    await access(at.ann).approve(id, 'Good')
    expect(await at.repo.get('/prod/image')).toBe('v2')
  })

  it('is what all commits become on a proposing handle, which does nothing else', async () => {
    await using at = await office()
    const proposing = access(at.agent).proposing()
    const id = await proposalOf(proposing.set('/notes', 'x', 'Note'))
    await expect(proposing.branch('mine')).rejects.toMatchObject({ code: 'proposal-impossible' })
    await expect(proposing.tag('v1')).rejects.toMatchObject({ code: 'access-denied' })
    await expect(access(access(at.ann).proposing()).approve(id, 'Yes')).rejects.toMatchObject({
      code: 'proposal-impossible',
    })
    await expect(access(access(at.repo).proposing()).addPrincipal('agent/x', 'agent')).rejects.toMatchObject({
      code: 'proposal-impossible',
    })
    await access(at.ann).approve(id, 'Yes')
    expect(await at.repo.get('/notes')).toBe('x')
  })

  it('is made where nobody decided anything about access yet', async () => {
    await using repo = await open()
    await repo.set('/a', 1, 'Begin')
    const id = await proposalOf(access(repo).proposing().set('/a', 2, 'Change'))
    expect(await repo.get('/a')).toBe(1)
    await expect(access(repo).approve(id, 'Mine')).rejects.toMatchObject({ code: 'self-approved' })
    const { key } = await access(repo).addPrincipal('human/ann', 'human')
    await access(repo).grant('human/ann', { capabilities: ['read', 'approve'] })
    await access(await access(repo).authenticate(key)).approve(id, 'Fine')
    expect(await repo.get('/a')).toBe(2)
  })

  it('is one, however often the write is repeated with its key', async () => {
    await using at = await withRule()
    const why = { description: 'Scale', idempotencyKey: 'scale-1' }
    const id = await proposalOf(at.agent.set('/prod/replicas', 9, why))
    expect(await proposalOf(at.agent.set('/prod/replicas', 9, why))).toBe(id)
    expect(await access(at.ann).proposals()).toHaveLength(1)
    const written = await access(at.ann).approve(id, 'Yes')
    expect(await at.agent.set('/prod/replicas', 9, why)).toMatchObject({ id: written.id, changed: false })
    const other = { description: 'Scale', idempotencyKey: 'scale-2' }
    const rejected = await proposalOf(at.agent.set('/prod/replicas', 10, other))
    await access(at.ann).reject(rejected, 'No')
    await expect(at.agent.set('/prod/replicas', 10, other)).rejects.toMatchObject({ code: 'proposal-decided' })
    const third = { description: 'Scale', idempotencyKey: 'scale-3' }
    await proposalOf(at.agent.set('/prod/replicas', 10, third))
    await at.agent.set('/notes', 'x', 'Elsewhere')
    await expect(at.agent.set('/prod/replicas', 10, third)).rejects.toMatchObject({ code: 'proposal-lapsed' })
  })

  it('comes in pages', async () => {
    await using at = await withRule()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift(await proposalOf(at.agent.set('/prod/replicas', 10 + i, 'Scale')))
    const first = await access(at.ann).proposals().page({ limit: 2 })
    const rest = await access(at.ann).proposals().page({ limit: 9, after: first.next })
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids)
    await expect(access(at.ann).proposals().page({ limit: 1, after: 'x' })).rejects.toMatchObject({
      code: 'option-invalid',
    })
  })
})

describe('every way of writing', () => {
  it('proposes a merge with both parents, and blame passes through it', async () => {
    await using at = await withRule()
    const feature = await at.agent.branch('feature')
    await feature.set('/notes', 'far', 'Aside')
    await at.rule({ ...guarded, when: { paths: ['/prod', '/notes'], branches: ['main'] } })
    await at.repo.set('/other', 1, 'Move on')
    const id = await proposalOf(at.agent.merge('feature', 'Bring it in'))
    const written = await access(at.ann).approve(id, 'Yes')
    expect(written.parents).toHaveLength(2)
    expect((await at.repo.blame('/notes')).intent.description).toBe('Aside')
    expect((await at.repo.previewMerge('feature')).kind).toBe('up-to-date')
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('does not move a branch without a commit where an approval is needed', async () => {
    await using at = await office()
    const feature = await at.agent.branch('feature')
    await feature.set('/prod/image', 'v2', 'Aside')
    await at.rule({ ...guarded, when: { branches: ['main'] } })
    const merge = at.agent.merge('feature', { description: 'Forward', fastForward: true })
    await expect(merge).rejects.toMatchObject({ code: 'proposal-impossible', data: { rule: 'production' } })
    expect(await at.repo.get('/prod/image')).toBe('v1')
  })

  it('leaves a speculation open, and ends it when its landing is approved', async () => {
    await using at = await withRule()
    const tried = await at.agent.speculate({ label: 'more' })
    await tried.set('/prod/replicas', 9)
    await tried.set('/prod/image', 'v2')
    const id = await proposalOf(tried.commit('Take it'))
    expect(await at.agent.speculations()).toHaveLength(1)
    await access(at.ann).approve(id, 'Yes')
    expect(await at.repo.get('/prod')).toEqual({ image: 'v2', replicas: 9 })
    expect(await at.agent.speculations()).toEqual([])
    expect(await at.repo.blame('/prod/image')).toMatchObject({
      approval: { by: 'human/ann' },
      draft: { label: 'more' },
    })
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('keeps a speculation that went on after it was proposed', async () => {
    await using at = await withRule()
    const tried = await at.agent.speculate()
    await tried.set('/prod/replicas', 9)
    const id = await proposalOf(tried.commit('Take it'))
    await tried.set('/prod/replicas', 10)
    await access(at.ann).approve(id, 'Yes')
    expect(await at.agent.speculations()).toHaveLength(1)
    expect(await at.repo.get('/prod/replicas')).toBe(9)
  })

  it('fails a run at the step that needs an approval, and goes on from there when it has one', async () => {
    await using at = await office()
    await at.rule({ name: 'drafts', effect: 'require-approval', when: { paths: ['/draft'], branches: ['thread/**'] } })
    let written = 0
    const app = new StateGraph({ state: { draft: '', sent: false } })
      .addNode('write', () => ({ draft: `Dear all${'!'.repeat(written++)}` }))
      .addNode('send', () => ({ sent: true }))
      .addEdge(START, 'write')
      .addEdge('write', 'send')
      .addEdge('send', END)
      .compile({ repo: at.agent, name: 'mail' })
    // Where it begins is a step as well.
    await access(at.ann).approve(await proposalOf(app.thread('t').run({})), 'Begin')
    const id = await proposalOf(app.thread('t').resume())
    expect((await access(at.ann).proposals({ status: 'open' }))[0]).toMatchObject({
      id,
      into: 'thread/mail/t',
      changes: [{ op: 'change', path: '/draft', before: '', after: 'Dear all' }],
    })
    await access(at.ann).approve(id, 'Well said')
    expect(await app.thread('t').resume()).toMatchObject({ status: 'done', output: { draft: 'Dear all', sent: true } })
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('proposes a change of the schemas, which holds when it is approved', async () => {
    await using at = await office()
    await at.rule({ name: 'schemas', effect: 'require-approval', when: { change: ['schema'] } })
    const attach = schemas(at.agent).attach('/prod/replicas', { type: 'number', maximum: 5 }, {}, 'No more than five')
    const id = await proposalOf(attach)
    expect((await access(at.ann).proposals())[0]?.changes.map(({ path }) => path.split('/')[1])).toEqual(['_meta'])
    await access(at.ann).approve(id, 'Yes')
    await expect(at.agent.set('/prod/replicas', 6, 'Scale')).rejects.toMatchObject({ code: 'schema-violation' })
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('proposes what plans and memories write, whole', async () => {
    await using at = await office()
    await at.rule({ name: 'plans', effect: 'require-approval', when: { paths: ['/_plans', '/helper'] } })
    const plan = await proposalOf(plans(at.agent).create('move', 'Move house'))
    expect(await plans(at.agent).find('move')).toBeUndefined()
    await access(at.ann).approve(plan, 'Yes')
    expect((await plans(at.agent).get('move')).name).toBe('move')
    const helper = memoryAgent('helper', { state: { count: 0 } })
    const count = helper.task('count', (_: undefined, { state }) => {
      state.count++
    })
    const memory = await Versioned.open(await at.add('helper', ['read', 'commit']))
    const id = await proposalOf(Promise.resolve(count(undefined, { state: memory })))
    expect(await at.repo.find('/helper/count')).toBeUndefined()
    await access(at.ann).approve(id, 'Yes')
    expect(await at.repo.get('/helper/count')).toBe(1)
    await access(at.ann).approve(await proposalOf(Promise.resolve(count(undefined, { state: memory }))), 'Again')
    expect(await at.repo.get('/helper/count')).toBe(2)
    expect((await verify(at.repo)).ok).toBe(true)
  })
})

describe('garbage collection and export', () => {
  it('keep what is open, and let go of what is decided', async () => {
    let now = Date.parse('2026-04-06T08:00:00Z')
    await using at = await office(undefined, { clock: () => new Date(now) })
    await at.rule(guarded)
    const long = 'word '.repeat(200)
    const kept = await proposalOf(at.agent.set('/prod/image', `${long}open`, 'Open'))
    const gone = await proposalOf(at.agent.set('/prod/image', `${long}gone`, 'Gone'))
    await access(at.ann).reject(gone, 'No')
    now += 365 * 24 * 3600 * 1000
    expect((await gc(at.repo)).removed).toBe(1)
    const listed = await access(at.ann).proposals()
    expect(listed.find(({ id }) => id === gone)).toMatchObject({ status: 'rejected', changes: [] })
    await access(at.ann).approve(kept, 'Yes')
    now += 365 * 24 * 3600 * 1000
    expect((await gc(at.repo)).removed).toBe(1)
    expect(await at.repo.get('/prod/image')).toBe(`${long}open`)
    expect((await verify(at.repo)).ok).toBe(true)
  })

  it('carries what was approved with the name of who did it, and nothing that was only proposed', async () => {
    await using at = await withRule()
    await access(at.ann).approve(await proposalOf(at.agent.set('/prod/replicas', 9, 'Scale')), 'Yes')
    await proposalOf(at.agent.set('/prod/replicas', 99, 'Secret wish'))
    let text = ''
    for await (const line of exportRepository(at.repo)) text += line
    expect(text).not.toContain('Secret wish')
    await using other = await open()
    await importRepository(other, text.split(/(?<=\n)/))
    expect(await other.blame('/prod/replicas')).toMatchObject({ approval: { by: 'human/ann', reason: 'Yes' } })
    expect((await verify(other)).ok).toBe(true)
  })
})
