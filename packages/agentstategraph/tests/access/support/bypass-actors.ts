/** Getting around by being two: a puppet that one opened a session for, or gave a grant to, is no second opinion. */
import { access, type Capability, type Session } from '../../../src/access/index.ts'
import type { Repository } from '../../../src/repository/index.ts'
import { type Attempt, other, type Scene } from './bypass.ts'
import { proposalOf } from './office.ts'

const all: readonly Capability[] = ['read', 'propose', 'commit', 'grant', 'approve', 'policy', 'release', 'taint']

interface Puppeteer {
  readonly eve: Repository
  /** A session of hers, in which a puppet without a key acts. */
  readonly sock: Session
}

async function puppeteer(scene: Scene, name = 'eve/sock', eve?: Repository): Promise<Puppeteer> {
  const maker = eve ?? (await other(scene, 'eve', { capabilities: all, depth: 4 }))
  return { eve: maker, sock: await access(maker).openSession({ agent: name, scope: { capabilities: all } }) }
}

function attempt<T>(
  name: string,
  code: string,
  prepare: (scene: Scene) => Promise<T>,
  made: (prepared: T) => unknown,
): Attempt {
  return { name, code, prepare, attempt: (_, prepared) => made(prepared) }
}

const proposed = (repo: Repository): Promise<string> =>
  proposalOf(access(repo).proposing().set('/secret/k', 'proposed', 'Propose'))

/** Puts a rule in force that denies what an agent does. */
async function denied(scene: Scene, agent: string): Promise<void> {
  const { id } = await access(scene.repo).proposePolicy({ name: 'no', effect: 'deny', when: { agents: [agent] } })
  const judge = await other(scene, 'judge', { capabilities: ['policy'] })
  await access(judge).ratifyPolicy(id, 'Agreed')
}

export const actorAttempts: readonly Attempt[] = [
  attempt(
    'a proposal of a puppet, approved by its maker,',
    'self-approved',
    async scene => {
      const { eve, sock } = await puppeteer(scene)
      return { eve, id: await proposed(sock.repo) }
    },
    ({ eve, id }) => access(eve).approve(id, 'Try'),
  ),
  attempt(
    'a proposal of a puppet, approved by another of the same maker,',
    'self-approved',
    async scene => {
      const { eve, sock } = await puppeteer(scene)
      const { sock: second } = await puppeteer(scene, 'eve/second', eve)
      return { second, id: await proposed(sock.repo) }
    },
    ({ second, id }) => access(second.repo).approve(id, 'Try'),
  ),
  attempt(
    "a proposal of a puppet's puppet, approved by the first maker,",
    'self-approved',
    async scene => {
      const { eve, sock } = await puppeteer(scene)
      const second = await sock.delegate({ agent: 'eve/sock/second', scope: { capabilities: ['read', 'propose'] } })
      return { eve, id: await proposed(second.repo) }
    },
    ({ eve, id }) => access(eve).approve(id, 'Try'),
  ),
  attempt(
    'a proposal under a grant, approved by the giver,',
    'self-approved',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: all, depth: 4 })
      const holder = await other(scene, 'holder')
      await access(eve).grant('holder', { capabilities: ['read', 'propose'] })
      return { eve, id: await proposed(holder) }
    },
    ({ eve, id }) => access(eve).approve(id, 'Try'),
  ),
  attempt(
    'a proposal in a session of the operator, approved by the operator,',
    'self-approved',
    async ({ repo }) => {
      const sock = await access(repo).openSession({ agent: 'sock' })
      return { repo, id: await proposed(sock.repo) }
    },
    ({ repo, id }) => access(repo).approve(id, 'Try'),
  ),
  attempt(
    'a rule proposed by somebody who has it from her',
    'self-ratified',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: all, depth: 4 })
      const holder = await other(scene, 'holder')
      await access(eve).grant('holder', { capabilities: ['policy'] })
      return { eve, rule: await access(holder).proposePolicy({ name: 'free', effect: 'allow', when: {} }) }
    },
    ({ eve, rule }) => access(eve).ratifyPolicy(rule.id, 'Try'),
  ),
  attempt(
    'a mark on what a puppet wrote, released by its maker,',
    'self-released',
    async scene => {
      const { eve, sock } = await puppeteer(scene)
      await sock.repo.set('/planted', 1, 'Plant')
      return { eve, mark: await access(scene.repo).taint({ path: '/planted', effect: 'block', reason: 'Suspect' }) }
    },
    ({ eve, mark }) => access(eve).release(mark.id, 'Try'),
  ),
  attempt(
    'an intent of a puppet, authorised by its maker,',
    'self-authorized',
    async scene => {
      const { eve, sock } = await puppeteer(scene)
      await access(sock.repo).intents.propose({ id: 'mine', description: 'Mine' })
      return eve
    },
    eve => access(eve).intents.authorize('mine', 'Try'),
  ),
  attempt(
    'a session under a name that a rule does not mean',
    'principal-invalid',
    scene => other(scene, 'eve', { capabilities: all, depth: 4 }),
    eve => access(eve).openSession({ agent: 'human/bob' }),
  ),
  attempt(
    "a session under a name below somebody else's",
    'principal-invalid',
    scene => other(scene, 'eve', { capabilities: all, depth: 4 }),
    eve => access(eve).openSession({ agent: 'mallory/helper' }),
  ),
  attempt(
    "a principal below somebody else's name",
    'principal-invalid',
    scene => other(scene, 'eve', { capabilities: ['admin'] }),
    eve => access(eve).addPrincipal('mallory/helper', 'agent'),
  ),
  attempt(
    "a principal above somebody else's name",
    'principal-invalid',
    async scene => {
      await other(scene, 'human/bob')
      return other(scene, 'eve', { capabilities: ['admin'] })
    },
    eve => access(eve).addPrincipal('human', 'human'),
  ),
  attempt(
    'a change that a rule denies, made by a puppet,',
    'rule-denied',
    async scene => {
      const { sock } = await puppeteer(scene)
      await denied(scene, 'eve')
      return sock
    },
    sock => sock.repo.set('/secret/k', 'x', 'Try'),
  ),
  attempt(
    'a change that a rule denies, made by a holder of her grant,',
    'rule-denied',
    async scene => {
      const eve = await other(scene, 'eve', { capabilities: all, depth: 4 })
      const holder = await other(scene, 'holder')
      await access(eve).grant('holder', { capabilities: ['commit'] })
      await denied(scene, 'eve')
      return holder
    },
    holder => holder.set('/secret/k', 'x', 'Try'),
  ),
]
