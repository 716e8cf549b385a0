/** Read limits: what may not be read is unknown, stays where it is, and is told by no error. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { activity, exportRepository, push, stats, verify } from '../../src/maintenance/index.ts'
import { Versioned } from '../../src/memory/index.ts'
import { isStateError, open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { epochs } from '../../src/trust/index.ts'
import { limited, SECRET, told } from './support/limited-reader.ts'
import { codeOf, person } from './support/people.ts'

let repo: Repository
let reader: Repository
let hidden: string

beforeEach(async () => {
  ;({ repo, reader, hidden } = await limited())
})

afterEach(() => repo.close())

describe('what is forbidden is as unknown as what is not there', () => {
  it.each<[string, (by: Repository, name: string) => Promise<unknown>, string]>([
    ['a branch', (by, name) => by.on(name).get('/public'), 'secret/plan'],
    ['the value of a branch', (by, name) => by.on(name).find('/public'), 'secret/plan'],
    ['the log of a branch', async (by, name) => by.on(name).log(), 'secret/plan'],
    ['the head of a branch', (by, name) => by.on(name).head(), 'secret/plan'],
    ['a branch as a revision', (by, name) => by.at(name).get('/'), 'secret/plan'],
    ['a tag', (by, name) => by.at(name).get('/'), 'secret-tag'],
    ['a branch to begin at', (by, name) => by.branch('open/two', { from: name }), 'secret/plan'],
    ['a tag to begin at', (by, name) => by.tag('open/two', { from: name }), 'secret-tag'],
    ['a branch to merge', (by, name) => by.merge(name), 'secret/plan'],
    ['a branch to preview', (by, name) => by.previewMerge(name), 'secret/plan'],
    ['a commit to revert', (by, name) => by.revert(name), 'secret/plan'],
    ['a commit to roll back to', (by, name) => by.rollback(name, 'x'), 'secret/plan'],
    ['a commit to pick', (by, name) => by.cherryPick(name), 'secret/plan'],
    ['a commit to observe', (by, name) => by.observe(name, { held: true }), 'secret/plan'],
  ])('%s', async (_name, route, name) => {
    const [forbidden, unknown] = [await told(() => route(reader, name)), await told(() => route(reader, 'no/such'))]
    expect(forbidden.replaceAll(name, 'X')).toBe(unknown.replaceAll('no/such', 'X'))
    expect(forbidden.replaceAll(name, 'X')).not.toContain('secret')
  })

  it('ids of commits, whole or begun', async () => {
    const secret = await repo.on('secret/plan').head()
    const none = 'f'.repeat(64)
    for (const id of [hidden, secret.id]) {
      expect((await told(() => reader.at({ id }).get('/'))).replaceAll(id, 'X')).toBe(
        (await told(() => reader.at({ id: none }).get('/'))).replaceAll(none, 'X'),
      )
      expect(await codeOf(() => reader.at(id.slice(0, 12)).get('/'))).toBe('ref-not-found')
    }
    const [both] = await reader.log()
    expect(await reader.at(both!.id).get('/')).toEqual(await reader.get('/'))
  })

  it('speculations, open or ended', async () => {
    const { repo, reader } = await limited()
    const known = async (id: string) => (await told(() => reader.getSpeculation(id))).replaceAll(id, 'id')
    const unknown = await known('0'.repeat(26))
    const secret = repo.on('secret/plan')
    const [open, landed, dropped] = [await secret.speculate(), await secret.speculate(), await secret.speculate()]
    await landed.set('/public/greeting', 'other')
    await landed.commit('Land')
    await dropped.discard()
    for (const { id } of [open, landed, dropped]) expect(await known(id)).toBe(unknown)
    const own = await reader.speculate()
    await own.set('/public/greeting', 'own')
    await own.commit('Land')
    expect(await known(own.id)).toContain('committed')
    await repo.close()
  })

  it('commits that came to a branch by a merge belong to its past', async () => {
    await repo.on('secret/plan').set('/public/late', 'now open', 'Prepared in secret')
    const { id } = await repo.on('secret/plan').head()
    await repo.merge('secret/plan', { description: 'Publish', resolutions: {} })
    expect((await reader.log()).map(one => one.intent.description)).toContain('Prepared in secret')
    expect(await reader.at({ id }).get('/public/late')).toBe('now open')
    expect(await codeOf(() => reader.at({ id }).get('/private'))).toBe('access-denied')
  })
})

describe('nothing is shown by bringing it elsewhere', () => {
  it('a branch or tag shows no more than what it is made of', async () => {
    await access(repo).grant('agent/reader', {
      capabilities: ['read', 'commit', 'branch', 'tag', 'merge'],
      branches: ['mine/*'],
    })
    expect(await codeOf(() => reader.branch('mine/copy'))).toBe('access-denied')
    expect(await codeOf(() => reader.branch('mine/copy', { from: (reader as Repository).branchName }))).toBe(
      'access-denied',
    )
    expect(await codeOf(() => reader.tag('mine/tag'))).toBe('access-denied')
    expect(await codeOf(() => reader.renameBranch('open/one', 'mine/one'))).toBe('access-denied')
    expect(await codeOf(() => reader.on('secret/plan').branch('mine/copy'))).toBe('ref-not-found')
    await repo.branch('mine/new')
    await repo.on('mine/new').set('/', { mine: 1 }, 'A branch of its own')
    for (const way of [
      () => reader.on('mine/new').merge('main'),
      () => reader.on('mine/new').merge('open/one', { description: 'x', fastForward: true }),
      () => reader.on('mine/new').previewMerge('main'),
      () => reader.on('mine/new').cherryPick('main'),
      () => reader.on('mine/new').rollback('open/one', 'x'),
    ]) {
      expect(await codeOf(way)).toBe('access-denied')
    }
    expect(await reader.branch('open/two', { from: 'open/one' }).then(one => one.get('/'))).not.toHaveProperty(
      'private',
    )
    expect(await codeOf(() => reader.merge('open/two'))).toBe('access-denied')
    expect(JSON.stringify(await reader.branches())).not.toContain('copy')
  })

  it('a copy does not lead out of quarantine', async () => {
    await access(repo).taint({
      path: '/public/greeting',
      effect: 'warn',
      reason: 'x',
      quarantine: true,
      branches: ['main'],
    })
    expect(await codeOf(() => reader.get('/public/greeting'))).toBe('quarantined')
    expect(await codeOf(() => reader.branch('open/copy'))).toBe('access-denied')
    expect(await reader.get('/public')).toEqual({ list: [{ open: 1 }, 2] })
    expect((await reader.log()).map(one => one.intent.description)).toEqual(['Both', 'Greet'])
    expect(await reader.search('hello')).toEqual([])
  })
})

describe('errors', () => {
  it('tell nothing of places that may not be read', async () => {
    await access(repo).grant('agent/reader', { capabilities: ['commit', 'merge'] })
    expect(await codeOf(() => reader.set('/private/token', 1, { description: 'x', onlyIf: { value: 'guess' } }))).toBe(
      'access-denied',
    )
    await schemas(repo).attach('/private/list', { type: 'array', items: { type: 'string' }, maxItems: 1 }, {}, 'Shape')
    const broken = await told(() => reader.set('/private/list', [SECRET.length, 2], 'Break it'))
    expect(broken).toContain('schema-violation')
    expect(broken).not.toContain('/private')
    await repo.on('open/one').set('/private/list', [`${SECRET}-a`], 'One way')
    await repo.set('/private/list', [`${SECRET}-b`], 'Another way')
    const conflict = await told(() => reader.merge('open/one'))
    expect(conflict).toContain('merge-conflict')
    const preview = await told(() => reader.previewMerge('open/one'))
    for (const text of [conflict, preview]) {
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain('/private')
    }
    const unchanged = await told(() => reader.delete('/private/nothing', 'x'))
    expect(unchanged).not.toContain(SECRET)
  })

  it('a write that changed nothing shows no commit that may not be seen', async () => {
    await access(repo).grant('agent/reader', { capabilities: ['commit'] })
    await repo.set('/private/token', 1, {
      description: SECRET,
      reasoning: SECRET,
      tags: [SECRET],
      idempotencyKey: 'theirs',
    })
    const same = await reader.set('/public/greeting', 'hello', 'Nothing new')
    expect(same.changed).toBe(false)
    expect(JSON.stringify(same)).not.toContain(SECRET)
    expect(JSON.stringify(await reader.set('/x', 1, { description: 'x', idempotencyKey: 'theirs' }))).not.toContain(
      SECRET,
    )
  })

  it('who may read nothing knows of nothing', async () => {
    const blind = await person(repo, 'agent/blind', { capabilities: ['commit'] })
    expect(await told(() => blind.on('other').get('/public'))).not.toContain('main')
    expect(await blind.find('/public')).toBeUndefined()
    expect(await blind.branches()).toEqual([])
    expect(await blind.log()).toEqual([])
    expect(await blind.query({})).toEqual([])
    expect(await codeOf(() => blind.head())).toBe('ref-not-found')
    await blind.set('/public/blind', 1, 'Written without looking')
    expect(await repo.get('/public/blind')).toBe(1)
    await epochs(repo).create('2026-04', SECRET)
    expect(await epochs(blind).list()).toEqual([])
    expect(await epochs(blind).find('2026-04')).toBeUndefined()
    expect(await told(() => epochs(blind).get('2026-04'))).not.toContain(SECRET)
    expect(await codeOf(() => blind.query({ epoch: '2026-04' }))).toBe('epoch-not-found')
  })
})

describe('what shows everything', () => {
  it('is for those who may read everything', async () => {
    await access(repo).grant('agent/reader', { capabilities: ['export', 'seal'] })
    await epochs(repo).create('april', 'Spring')
    await epochs(repo).seal('april', 'Over')
    const lines = async (from: AsyncIterable<string>): Promise<string> => {
      let text = ''
      for await (const line of from) text += line
      return text
    }
    const target = await open()
    for (const way of [
      () => lines(exportRepository(reader)),
      () => push(reader, target),
      () => verify(reader),
      () => stats(reader),
      () => activity(reader),
      () => lines(epochs(reader).export('april')),
      () => Versioned.open(reader),
    ]) {
      expect(await codeOf(way)).toBe('access-denied')
    }
    expect(await lines(epochs(reader).export('april', { profile: 'redacted' }))).not.toContain(SECRET)
    expect(JSON.stringify(await epochs(reader).list())).not.toContain('secret/plan')
    await access(repo).grant('agent/reader', { capabilities: ['read'] })
    expect(await codeOf(() => verify(reader))).toBe('done')
    expect(await lines(exportRepository(reader))).toContain(SECRET)
    await target.close()
  })

  it('threads of graphs are for those who may read all of them', async () => {
    const graphIn = (by: Repository) =>
      new StateGraph({ state: { word: '' } })
        .addNode('say', ({ word }) => ({ word: `${word}!` }))
        .addEdge(START, 'say')
        .addEdge('say', END)
        .compile({ name: 'talk', repo: by })
    await graphIn(repo).thread('one').run({ word: SECRET })
    await graphIn(repo).thread('two').run({ word: 'free' })
    await access(repo).grant('agent/reader', { capabilities: ['read', 'commit'], branches: ['thread/talk/two'] })
    const app = graphIn(reader)
    expect(await told(() => app.thread('one').state())).toBe(
      (await told(() => app.thread('none').state())).replaceAll('none', 'one'),
    )
    expect(await codeOf(() => app.thread('one').run({ word: 'x' }))).toBe('access-denied')
    expect(await codeOf(async () => app.thread('one').history())).toBe('access-denied')
    expect((await app.threads()).map(({ id }) => id)).toEqual(['two'])
    expect((await app.thread('two').run({ word: 'mine' })).status).toBe('done')
    const { seq } = await repo.on('thread/talk/one').head()
    expect(
      await codeOf(() =>
        app
          .thread('two')
          .history()
          .page({ limit: 3, after: `1.${seq}` }),
      ),
    ).toBe('option-invalid')
    expect(await told(() => app.run({ word: 'x' }))).toContain('access-denied')
  })
})

describe('when rights change', () => {
  it('a handle that is open reads by what holds now', async () => {
    const snapshot = reader.at('main')
    expect(await snapshot.get('/public/greeting')).toBe('hello')
    const [grant] = await access(repo).grants({ principal: 'agent/reader' })
    await access(repo).revoke(grant!.id, 'Enough')
    expect(await codeOf(() => snapshot.get('/public/greeting'))).toBe('ref-not-found')
    expect(await codeOf(() => reader.get('/public/greeting'))).toBe('ref-not-found')
    await access(repo).freeze({ principal: 'agent/reader' }, 'Wait')
    expect(await codeOf(() => reader.find('/public'))).toBe('principal-frozen')
  })

  it('a grant that expires stops showing', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    await using timed = await open(undefined, { clock: () => new Date(now) })
    await timed.set('/a', 1, 'x')
    const guest = await person(timed, 'human/guest', { capabilities: ['read'], expires: '2026-01-01T01:00:00Z' })
    expect(await guest.get('/a')).toBe(1)
    now += 3_600_000
    const error = await guest.get('/a').catch((e: unknown) => e)
    expect(isStateError(error, 'ref-not-found')).toBe(true)
  })
})
