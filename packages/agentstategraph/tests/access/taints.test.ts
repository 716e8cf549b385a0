/** Taints: what they stop, what they ask for, and who may take them away. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { START, StateGraph } from '../../src/graph/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import { codeOf, person, worker } from './support/people.ts'

let now: number
let repo: Repository
let writer: Repository
let warden: Repository

beforeEach(async () => {
  now = Date.parse('2026-04-11T09:00:00Z')
  repo = await open(undefined, { clock: () => new Date(now) })
  writer = await person(repo, 'agent/writer', { capabilities: [...worker, 'tag', 'delete-branch'] })
  warden = await person(repo, 'human/warden', { capabilities: ['read', 'taint', 'release', 'approve'] })
  await writer.commit('Begin', tx => {
    tx.set('/cluster/network', { cni: 'flannel', mtu: 1450 }).set('/cluster/nodes', ['a', 'b']).set('/other', 1)
  })
})

afterEach(() => repo.close())

describe('a mark that blocks', () => {
  const marked = (): Promise<{ id: string }> =>
    access(warden).taint({ path: '/cluster/network', effect: 'block', reason: 'It looks forged', severity: 'high' })

  const ways: readonly (readonly [string, (by: Repository) => Promise<unknown>])[] = [
    ['a write to the place', by => by.set('/cluster/network', {}, 'x')],
    ['a write to what is in it', by => by.set('/cluster/network/mtu', 9000, 'x')],
    ['a new key in it', by => by.set('/cluster/network/new/deep', 1, 'x')],
    ['a write to what it is in', by => by.set('/cluster', { nodes: [] }, 'x')],
    ['a write to the root', by => by.set('/', {}, 'x')],
    ['a deletion', by => by.delete('/cluster/network', 'x')],
    ['a deletion of what it is in', by => by.delete('/cluster', 'x')],
    ['a transaction', by => by.commit('x', tx => tx.set('/other', 2).delete('/cluster/network/mtu'))],
    [
      'a merge',
      async by => {
        await by.on('before').set('/free', 1, 'x')
        await by.merge('before')
      },
    ],
    ['a revert', async by => by.revert((await by.log())[0]!)],
    ['a rollback', async by => by.rollback('empty', 'x')],
    ['an undo', by => by.undo()],
    [
      'a write in a speculation',
      async by => {
        await using trial = await by.speculate()
        await trial.set('/cluster/network/cni', 'calico')
      },
    ],
    ['a cherry-pick', by => by.cherryPick('side')],
    ['a fast-forward', by => by.merge('side', { description: 'x', fastForward: true })],
  ]

  it.each(ways)('stops %s', async (_name, way) => {
    await repo.branch('before')
    await repo.on('before').set('/cluster/network/mtu', 1, 'Before the mark')
    await repo.branch('side')
    await repo.on('side').set('/cluster/network/mtu', 2, 'Before the mark')
    await repo.branch('empty')
    await repo.on('empty').set('/', {}, 'Nothing is left')
    await marked()
    const before = await repo.get('/')
    const code = await codeOf(() => way(writer))
    expect(code).toBe('tainted')
    expect(await repo.get('/')).toEqual(before)
  })

  it('stops the operator too, and lets what it does not touch pass', async () => {
    const { id } = await marked()
    const error = await repo.set('/cluster/network/mtu', 1, 'x').catch((e: unknown) => e)
    expect(isStateError(error, 'tainted') && error.data).toEqual({
      taint: id,
      path: '/cluster/network/mtu',
      reason: 'It looks forged',
    })
    expect(JSON.stringify(error)).not.toContain('1450')
    await writer.set('/cluster/nodes', ['c'], 'Elsewhere')
    expect(await writer.get('/cluster/network')).toEqual({ cni: 'flannel', mtu: 1450 })
  })

  it('stops what was speculated before it, when that lands', async () => {
    await using trial = await writer.speculate()
    await trial.set('/cluster/network/cni', 'calico')
    await marked()
    expect(await codeOf(() => trial.commit('Adopt calico'))).toBe('tainted')
  })

  it('holds for steps of graphs and checkpoints of memory', async () => {
    await access(warden).taint({ path: '/count', effect: 'block', reason: 'It counts wrong' })
    await access(warden).taint({ path: '/helper/notes', effect: 'block', reason: 'They were planted' })
    const graph = new StateGraph({ state: { count: 0 } })
      .addNode('up', ({ count }) => ({ count: count + 1 }))
      .addEdge(START, 'up')
      .compile({ name: 'counter', repo: writer })
    expect(await codeOf(() => graph.run({ count: 1 }))).toBe('tainted')
    const memory = await Versioned.open(writer)
    const helper = agent('helper', { state: { notes: [] as string[] } })
    ;(await memory.of(helper)).notes.push('x')
    expect(await codeOf(() => memory.checkpoint())).toBe('tainted')
  })

  it('holds only on the branches that it names', async () => {
    await repo.branch('lab')
    await access(warden).taint({ path: '/**', effect: 'block', reason: 'Closed', branches: ['main', 'release/*'] })
    expect(await codeOf(() => writer.set('/other', 2, 'x'))).toBe('tainted')
    expect(await codeOf(() => writer.on('lab').set('/other', 2, 'x'))).toBe('done')
    expect(await codeOf(() => writer.merge('lab'))).toBe('tainted')
  })

  it('ends when its time is over', async () => {
    await access(warden).taint({
      path: '/other',
      effect: 'block',
      reason: 'For an hour',
      expires: '2026-04-11T10:00:00Z',
    })
    expect(await codeOf(() => writer.set('/other', 2, 'x'))).toBe('tainted')
    now += 3_600_000
    expect(await codeOf(() => writer.set('/other', 2, 'x'))).toBe('done')
    expect(await access(warden).taints()).toEqual([])
    expect(await access(warden).taints({ status: 'released' })).toHaveLength(1)
  })
})

describe('other effects', () => {
  it('review makes a proposal of it, however sure the writer is', async () => {
    const { id } = await access(warden).taint({ path: '/other', effect: 'review', reason: 'Look twice' })
    const error = await writer.set('/other', 2, { description: 'x', confidence: 1 }).catch((e: unknown) => e)
    if (!isStateError(error, 'approval-required')) throw error
    expect(error.data.rule).toBe(`taint ${id}`)
    expect(await repo.get('/other')).toBe(1)
    expect(await codeOf(() => access(writer).approve(error.data.proposal, 'Mine'))).not.toBe('done')
    await access(warden).approve(error.data.proposal, 'It is right')
    expect(await repo.get('/other')).toBe(2)
  })

  it('isolate lets only those write and read who may release it', async () => {
    const { id } = await access(warden).taint({ path: '/other', effect: 'isolate', reason: 'Keep apart' })
    expect(await codeOf(() => writer.set('/other', 2, 'x'))).toBe('tainted')
    const error = await writer.get('/other').catch((e: unknown) => e)
    expect(isStateError(error, 'quarantined') && error.data).toEqual({ taint: id, path: '/other' })
    expect(await writer.get('/')).not.toHaveProperty('other')
    expect(await warden.get('/other')).toBe(1)
    await access(repo).grant('human/warden', { capabilities: ['commit'] })
    expect(await codeOf(() => warden.set('/other', 2, 'Repaired'))).toBe('done')
  })

  it('warn writes the warning into the commit, beside those of schemas', async () => {
    await access(warden).taint({ path: '/other', effect: 'warn', reason: 'Mind the unit' })
    const { warnings } = await writer.set('/other', 2, 'x')
    expect(warnings).toEqual([{ path: '/other', rule: 'taint', message: 'Mind the unit', pattern: '/other' }])
    expect((await repo.head()).warnings).toEqual(warnings)
    expect((await writer.set('/free', 2, 'x')).warnings).toBeUndefined()
  })

  it('quarantine hides what may still be written', async () => {
    await access(warden).taint({ path: '/other', effect: 'warn', reason: 'Hidden', quarantine: true })
    expect(await codeOf(() => writer.find('/other'))).toBe('quarantined')
    expect(await codeOf(() => writer.set('/other', 'new', 'x'))).toBe('done')
    expect(await access(repo).refusals()).toContainEqual(
      expect.objectContaining({ principal: 'agent/writer', count: 1 }),
    )
  })
})

describe('taking a mark away', () => {
  it('takes the capability, a reason, and somebody who did not write what it is on', async () => {
    await access(repo).grant('agent/writer', { capabilities: ['release'] })
    const { id, authors } = await access(warden).taint({ path: '/cluster', effect: 'block', reason: 'Suspect' })
    expect(authors).toEqual(['agent/writer'])
    expect(await codeOf(() => access(writer).release(id, 'All is well'))).toBe('self-released')
    const other = await person(repo, 'agent/other', { capabilities: ['read', 'taint'] })
    expect(await codeOf(() => access(other).release(id, 'All is well'))).toBe('access-denied')
    expect(await codeOf(() => access(warden).release(id, ' '))).toBe('option-invalid')
    expect(await codeOf(() => access(warden).release('none', 'x'))).toBe('taint-unknown')
    expect(await codeOf(() => writer.set('/cluster/x', 1, 'x'))).toBe('tainted')
    await access(warden).release(id, 'It was a false alarm')
    expect(await codeOf(() => writer.set('/cluster/x', 1, 'x'))).toBe('done')
    expect(await codeOf(() => access(warden).release(id, 'again'))).toBe('taint-released')
    const [ended] = await access(warden).taints({ status: 'released' })
    expect(ended?.released).toMatchObject({ by: 'human/warden', reason: 'It was a false alarm' })
  })

  it('counts whoever wrote a part of it, or drafted what another landed', async () => {
    const second = await person(repo, 'agent/second', { capabilities: [...worker, 'release'] })
    await using trial = await second.speculate()
    await trial.set('/cluster/network/mtu', 9000)
    await repo.as('agent/boss').commitSpeculation(trial.id, 'Adopt')
    const { authors } = await access(warden).taint({ path: '/*/network', effect: 'block', reason: 'x' })
    expect(authors).toEqual(['agent/boss', 'agent/second', 'agent/writer'])
  })

  it('refuses the operator under the name that wrote it', async () => {
    await repo.as('me').set('/mine', 1, 'x')
    const { id } = await access(warden).taint({ path: '/mine', effect: 'block', reason: 'x' })
    expect(await codeOf(() => access(repo.as('me')).release(id, 'x'))).toBe('self-released')
    expect(await codeOf(() => access(repo.as('another')).release(id, 'x'))).toBe('done')
  })
})

describe('setting a mark', () => {
  it('takes the capability for all that the pattern means, on all branches that it means', async () => {
    const limited = await person(repo, 'agent/limited', {
      capabilities: ['taint'],
      paths: ['/cluster/**'],
      branches: ['main', 'lab/*'],
    })
    const mark = (path: string, branches?: readonly string[]): Promise<string> =>
      codeOf(() => access(limited).taint({ path, effect: 'block', reason: 'x', branches }))
    expect(await mark('/cluster/nodes', ['main'])).toBe('done')
    expect(await mark('/cluster/*', ['lab/one'])).toBe('done')
    expect(await mark('/cluster/nodes')).toBe('access-denied')
    expect(await mark('/cluster/nodes', ['main', 'other'])).toBe('access-denied')
    expect(await mark('/**', ['main'])).toBe('access-denied')
    expect(await mark('/*/nodes', ['main'])).toBe('access-denied')
    expect(await codeOf(() => access(writer).taint({ path: '/other', effect: 'block', reason: 'x' }))).toBe(
      'access-denied',
    )
  })

  it.each([
    [{ effect: 'stop' }, 'taint-invalid'],
    [{ severity: 'huge' }, 'taint-invalid'],
    [{ quarantine: 'yes' }, 'taint-invalid'],
    [{ branches: [] }, 'taint-invalid'],
    [{ path: 'other' }, 'pattern-invalid'],
    [{ path: '/a*' }, 'pattern-invalid'],
    [{ path: 7 }, 'taint-invalid'],
    [{ reason: '' }, 'option-invalid'],
    [{ expires: '2026-02-30T00:00:00Z' }, 'time-invalid'],
    [{ expires: '2020-01-01T00:00:00Z' }, 'time-invalid'],
  ])('refuses %j', async (fault, code) => {
    const spec = { path: '/other', effect: 'block', reason: 'x', ...fault } as never
    expect(await codeOf(() => access(warden).taint(spec))).toBe(code)
    expect(await access(repo).taints()).toEqual([])
  })

  it('takes keys as they are: nothing is a wildcard but a whole star', async () => {
    await access(warden).taint({ path: '/a%b_', effect: 'block', reason: 'x' })
    expect(await codeOf(() => writer.set(['a%b_'], 1, 'x'))).toBe('tainted')
    for (const key of ['aXb_', 'a%bX', 'A%B_', 'a']) {
      expect(await codeOf(() => writer.set([key], 1, 'x'))).toBe('done')
    }
  })

  it('is listed by place, and explained', async () => {
    const { id } = await access(warden).taint({ path: '/cluster/*', effect: 'isolate', reason: 'Apart' })
    expect((await access(warden).taints({ path: '/cluster/network/mtu' })).map(one => one.id)).toEqual([id])
    expect((await access(warden).taints({ path: '/cluster' })).map(one => one.id)).toEqual([id])
    expect(await access(warden).taints({ path: '/other' })).toEqual([])
    const ask = { branch: 'main', path: '/cluster/network' }
    for (const capability of ['commit', 'read'] as const) {
      const explained = await access(repo).explain('agent/writer', { capability, ...ask })
      expect(explained.allowed).toBe(false)
      expect(explained.links.find(({ taint }) => taint === id)?.allowed).toBe(false)
    }
    expect((await access(repo).explain('human/warden', { capability: 'read', ...ask })).allowed).toBe(true)
  })
})
