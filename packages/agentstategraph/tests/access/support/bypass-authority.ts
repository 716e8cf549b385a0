/** Getting around by being somebody else, by handing more on than one has, and by going on after the end. */
import { access, type GrantSpec } from '../../../src/access/index.ts'
import { endedSession } from '../../../src/access/sessions/session-decisions.ts'
import { accessValue, currentAccess } from '../../../src/repo/index.ts'
import type { Repository } from '../../../src/repository/index.ts'
import { type Attempt, grantOf, other, type Scene, work } from './bypass.ts'

const denied = 'access-denied'

function by(name: string, code: string, attempt: (mallory: Repository, scene: Scene) => unknown): Attempt {
  return { name, code, attempt: scene => attempt(scene.mallory, scene) }
}

function after<T>(
  name: string,
  code: string,
  prepare: (scene: Scene) => Promise<T>,
  attempt: (mallory: Repository, prepared: T, scene: Scene) => unknown,
): Attempt {
  return { name, code, prepare, attempt: (scene, prepared) => attempt(scene.mallory, prepared, scene) }
}

/** Mallory tries to hand this on to somebody who is there. */
function widened(name: string, spec: Partial<GrantSpec>): Attempt {
  return after(
    name,
    'grant-widened',
    scene => other(scene, 'eve'),
    m => access(m).grant('eve', { capabilities: ['commit'], ...spec }),
  )
}

export const authorityAttempts: readonly Attempt[] = [
  by('a write as somebody else', 'identity-claimed', m => m.as('human/boss').set('/team/a', 9, 'Try')),
  by('a write as the operator', 'identity-claimed', m => m.as('operator').set('/team/a', 9, 'Try')),
  by('an agent in the reason', 'identity-claimed', m =>
    m.set('/team/a', 9, { description: 'Try', agent: 'human/boss' }),
  ),
  by('a branch as somebody else', 'identity-claimed', m => m.as('human/boss').branch('feature/b')),
  by('a decision as somebody else', 'identity-claimed', m => access(m.as('human/boss')).addPrincipal('x', 'agent')),
  by('an observation as somebody else', 'identity-claimed', (m, { secretCommit }) =>
    m.as('human/boss').observe(secretCommit, { held: true }),
  ),
  by('half a key', 'key-refused', m => access(m).authenticate('asg_000000000000_')),
  after(
    'the hash in place of the secret',
    'key-refused',
    async ({ repo }) => {
      const { journal } = repo.handle
      const state = (await journal.run(currentAccess(repo.handle)))!
      const keys = (await journal.run(accessValue<Record<string, { hash: string }>>(state, ['keys'])))!
      const [id, { hash }] = Object.entries(keys)[0]!
      return `asg_${id}_${hash}AAAAAA`
    },
    (m, key) => access(m).authenticate(key),
  ),
  after(
    'a handle whose key was revoked',
    'key-ended',
    async ({ repo }) => {
      const [key] = await access(repo).keys({ principal: 'mallory' })
      await access(repo).revokeKey(key!.id, 'Leaked', { descendants: false })
    },
    m => m.set('/team/a', 9, 'Try'),
  ),
  after(
    'a session that was opened with a key that was revoked',
    'key-ended',
    async ({ repo, mallory }) => {
      const session = await access(mallory).openSession({ agent: 'mallory/helper' })
      const [key] = await access(repo).keys({ principal: 'mallory' })
      await access(repo).revokeKey(key!.id, 'Leaked', { descendants: false })
      return session
    },
    (_, session) => session.repo.set('/team/a', 9, 'Try'),
  ),
  after(
    'what is hers, listed with a key that was revoked',
    'key-ended',
    async ({ repo }) => {
      const [key] = await access(repo).keys({ principal: 'mallory' })
      await access(repo).revokeKey(key!.id, 'Leaked', { descendants: false })
    },
    m => access(m).grants(),
  ),
  by('a session for somebody whose name looks like another', 'principal-invalid', m =>
    access(m).openSession({ agent: 'human/boss\u200b' }),
  ),
  after(
    'an approval by somebody whom she made',
    'self-approved',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: ['read', 'propose', 'approve', 'grant'], depth: 1 })
      const sock = await access(eve).openSession({ agent: 'eve/sock', scope: { capabilities: ['read', 'approve'] } })
      await eve.set('/secret/k', 'proposed', 'Propose').catch(() => {})
      return { sock, proposal: (await access(eve).proposals())[0]!.id }
    },
    (_, { sock, proposal }) => access(sock.repo).approve(proposal, 'Try'),
  ),
  after(
    'a rule ratified by somebody who has it from her',
    'self-ratified',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: ['policy', 'grant'], depth: 1 })
      const sock = await other(scene, 'sock')
      await access(eve).grant('sock', { capabilities: ['policy'] })
      const { id } = await access(eve).proposePolicy({ name: 'free', effect: 'allow', when: {} })
      return { sock, id }
    },
    (_, { sock, id }) => access(sock).ratifyPolicy(id, 'Try'),
  ),
  after(
    'a mark released by somebody who has it from the author',
    'self-released',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: ['commit', 'release', 'grant'], depth: 1 })
      const sock = await other(scene, 'sock')
      await access(eve).grant('sock', { capabilities: ['release'] })
      await eve.set('/planted', 1, 'Plant')
      return { sock, mark: await access(scene.repo).taint({ path: '/planted', effect: 'block', reason: 'Suspect' }) }
    },
    (_, { sock, mark }) => access(sock).release(mark.id, 'Try'),
  ),
  after(
    'a mark released that may not be known',
    'taint-unknown',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: ['read'], paths: ['/team'] })
      const { id } = await access(scene.repo).taint({ path: '/secret', effect: 'block', reason: 'Suspect' })
      return { eve, id }
    },
    (_, { eve, id }) => access(eve).release(id, 'Try'),
  ),
  by('a principal more', denied, m => access(m).addPrincipal('eve', 'agent')),
  after(
    'a key for somebody else',
    'key-foreign',
    scene => other(scene, 'eve'),
    m => access(m).addKey('eve'),
  ),
  after(
    "somebody else's key revoked",
    denied,
    async scene => {
      await other(scene, 'eve')
      return (await access(scene.repo).keys({ principal: 'eve' }))[0]!.id
    },
    (m, id) => access(m).revokeKey(id, 'Try', { descendants: false }),
  ),
  after(
    'a key that was made with a leaked key, after both were revoked',
    'key-refused',
    async ({ repo, mallory }) => {
      const [leaked] = await access(repo).keys({ principal: 'mallory' })
      const second = await access(mallory).addKey('mallory')
      const third = await access(await access(repo).authenticate(second.key)).addKey('mallory')
      await access(repo).revokeKey(leaked!.id, 'Leaked', { descendants: true })
      return third.key
    },
    (m, key) => access(m).authenticate(key),
  ),
  after(
    'a key that was made with a leaked key, after its owner rotated that one',
    'key-refused',
    async ({ repo, mallory }) => {
      const [leaked] = await access(repo).keys({ principal: 'mallory' })
      const second = await access(mallory).addKey('mallory')
      const { key } = await access(mallory).rotateKey(leaked!.id, 'Leaked', { descendants: true })
      await (await access(repo).authenticate(key)).set('/team/a', 1, { description: 'Work', allowEmpty: true })
      return second.key
    },
    (m, key) => access(m).authenticate(key),
  ),
  after(
    "somebody else's key rotated",
    'key-unknown',
    async scene => {
      await other(scene, 'eve')
      return (await access(scene.repo).keys({ principal: 'eve' }))[0]!.id
    },
    (m, id) => access(m).rotateKey(id, 'Try', { descendants: false }),
  ),
  by('a grant to herself', 'grant-to-self', m => access(m).grant('mallory', { capabilities: ['commit'] })),
  widened('a capability more', { capabilities: ['admin'] }),
  widened('everything', { paths: ['/**'] }),
  widened('a place more', { paths: ['/team/a', '/secret'] }),
  widened('a place that begins alike', { paths: ['/team-x'] }),
  widened('what the system keeps', { paths: ['/_meta'] }),
  widened('a branch more', { branches: ['*'] }),
  widened('branches below', { branches: ['feature/**'] }),
  widened('more depth', { depth: 2 }),
  after(
    'a grant back to where it came from',
    'grant-circular',
    async scene => {
      const eve = await other(scene, 'eve')
      await access(scene.mallory).grant('eve', { capabilities: ['grant', 'commit'], depth: 1 })
      return eve
    },
    (_, eve) => access(eve).grant('mallory', { capabilities: ['commit'] }),
  ),
  after(
    'a grant without the right to give',
    denied,
    scene => other(scene, 'eve', { capabilities: ['commit'], depth: 3 }),
    (_, eve) => access(eve).grant('mallory', { capabilities: ['commit'] }),
  ),
  after(
    'a grant that cannot be handed on any more',
    'grant-widened',
    scene => other(scene, 'eve', { capabilities: ['commit', 'grant'] }),
    (_, eve) => access(eve).grant('mallory', { capabilities: ['commit'] }),
  ),
  after(
    "somebody else's grant revoked",
    'grant-unknown',
    async scene => {
      await other(scene, 'eve', { capabilities: ['commit'] })
      return grantOf(scene, 'eve')
    },
    (m, id) => access(m).revoke(id, 'Try'),
  ),
  after(
    'her own grant revoked from below',
    denied,
    scene => grantOf(scene, 'mallory'),
    (m, id) => access(m).revoke(id, 'Try'),
  ),
  after(
    'a write after the grant was revoked',
    'grant-revoked',
    async scene => access(scene.repo).revoke(await grantOf(scene, 'mallory'), 'Over'),
    m => m.set('/team/a', 9, 'Try'),
  ),
  after(
    'a write under a chain with a revoked link',
    'grant-revoked',
    async scene => {
      const eve = await other(scene, 'eve')
      await access(scene.mallory).grant('eve', { capabilities: ['commit'], depth: 1 })
      await access(scene.repo).revoke(await grantOf(scene, 'mallory'), 'Over')
      return eve
    },
    (_, eve) => eve.set('/team/a', 9, 'Try'),
  ),
  after(
    'a write after the time was over',
    'grant-expired',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: work, expires: '2026-04-01T12:10:00Z' })
      scene.clock.now += 600_000
      return eve
    },
    (_, eve) => eve.set('/team/a', 9, 'Try'),
  ),
  after(
    'a write of a frozen principal',
    'principal-frozen',
    ({ repo }) => access(repo).freeze({ principal: 'mallory' }, 'Stop'),
    m => m.set('/team/a', 9, 'Try'),
  ),
  after(
    'a grant handed on by a frozen principal',
    'principal-frozen',
    async scene => {
      await other(scene, 'eve')
      await access(scene.repo).freeze({ principal: 'mallory' }, 'Stop')
    },
    m => access(m).grant('eve', { capabilities: ['commit'] }),
  ),
  after(
    'an intent moved by a frozen principal',
    'principal-frozen',
    async ({ repo, mallory }) => {
      const { id } = await access(mallory).intents.propose({ description: 'Work' })
      await access(repo).intents.authorize(id, 'Agreed')
      await access(repo).freeze({ principal: 'mallory' }, 'Stop')
      return id
    },
    (m, id) => access(m).intents.start(id, 'Try'),
  ),
  after(
    'a session ended by a frozen principal',
    'principal-frozen',
    async ({ repo, mallory }) => {
      const session = await access(mallory).openSession({ agent: 'mallory/helper' })
      await access(repo).freeze({ principal: 'mallory' }, 'Stop')
      return (await access(mallory).resumeSession(session.id)).id
    },
    (m, id) => m.handle.journal.run(endedSession(m.handle, id, { outcome: 'fulfilled', summary: 'Try' })),
  ),
  after(
    "somebody else's intent, by its name",
    'intent-unknown',
    async scene => {
      await access(scene.repo).intents.propose({ id: 'recover', description: 'Recover' })
      return other(scene, 'eve', { capabilities: ['read'], paths: ['/team'] })
    },
    (_, eve) => access(eve).intents.get('recover'),
  ),
  after(
    'a frozen principal that thaws itself',
    'principal-frozen',
    ({ repo }) => access(repo).freeze({ principal: 'mallory' }, 'Stop'),
    m => access(m).thaw({ principal: 'mallory' }, 'Try'),
  ),
  after(
    'a write under a grant of a frozen principal',
    denied,
    async scene => {
      const eve = await other(scene, 'eve')
      await access(scene.mallory).grant('eve', { capabilities: ['commit'], depth: 1 })
      await access(scene.repo).freeze({ principal: 'mallory' }, 'Stop')
      return eve
    },
    (_, eve) => eve.set('/team/a', 9, 'Try'),
  ),
  after(
    'a write on a frozen branch, by the operator',
    'branch-frozen',
    ({ repo }) => access(repo).freeze({ branch: 'main' }, 'Release'),
    (_, __, { repo }) => repo.set('/team/a', 9, 'Try'),
  ),
  after(
    'a frozen branch deleted',
    'branch-frozen',
    ({ repo }) => access(repo).freeze({ branch: 'feature/x' }, 'Evidence'),
    m => m.deleteBranch('feature/x'),
  ),
  after(
    'a frozen branch renamed',
    'branch-frozen',
    ({ repo }) => access(repo).freeze({ branch: 'feature/x' }, 'Evidence'),
    m => m.renameBranch('feature/x', 'feature/y'),
  ),
  by('a freeze without the right', denied, m => access(m).freeze({ branch: 'main' }, 'Try')),
]
