/** Getting around by saying something about the work of others: that it failed, that it is done, that it is one's own. */
import { access } from '../../../src/access/index.ts'
import { plans } from '../../../src/plans/index.ts'
import type { Repository } from '../../../src/repository/index.ts'
import { type Attempt, other, type Scene, work } from './bypass.ts'

const denied = 'access-denied'
const failed = { outcome: 'failed', summary: 'Try' } as const

function after<T>(
  name: string,
  code: string,
  prepare: (scene: Scene) => Promise<T>,
  attempt: (mallory: Repository, prepared: T, scene: Scene) => unknown,
): Attempt {
  return { name, code, prepare, attempt: (scene, prepared) => attempt(scene.mallory, prepared, scene) }
}

/** A task that the operator claimed, and somebody who may write the plan and knows the claim. */
async function claimed(scene: Scene) {
  const plan = await plans(scene.repo).create('p')
  await plan.add({ title: 'Work' })
  const taken = await plan.take()
  const eve = await other(scene, 'eve', { capabilities: work, paths: ['/_plans', '/team'] })
  return { plan: await plans(eve).get('p'), task: taken!.task.id, claim: taken!.claim }
}

export const factAttempts: readonly Attempt[] = [
  after(
    'an observation of what others wrote elsewhere',
    denied,
    async ({ secretCommit }) => secretCommit,
    (m, id) => m.observe({ id }, { held: false }),
  ),
  after(
    'an observation of her own commit that tells of another place',
    denied,
    ({ mallory }) => mallory.set('/team/a', 7, 'Work'),
    (m, { id }) => m.observe({ id }, { held: true, observed: [{ path: '/secret/k', value: 's' }] }),
  ),
  after(
    'an intent of others resolved',
    denied,
    ({ repo }) => repo.set('/secret/k', 'u', { description: 'Rotate', intent: { id: 'rotate' } }),
    m => m.resolveIntent('rotate', failed),
  ),
  after(
    'an intent above the work of others resolved',
    denied,
    ({ repo }) => repo.set('/secret/k', 'u', { description: 'Rotate', intent: { parent: 'care' } }),
    m => m.resolveIntent('care', failed),
  ),
  after(
    'a delegated intent of others resolved',
    denied,
    ({ repo }) => access(repo).intents.propose({ id: 'recover', description: 'Recover' }),
    m => m.resolveIntent('recover', failed),
  ),
  after(
    'a delegated intent of others ended',
    denied,
    ({ repo }) => access(repo).openSession({ agent: 'agent/x', intent: 'recover' }),
    m => access(m).intents.complete('recover', 'Try'),
  ),
  after(
    'a delegated intent of others taken over by a session',
    denied,
    ({ repo }) => access(repo).openSession({ agent: 'agent/x', intent: 'recover' }),
    m => access(m).openSession({ agent: 'mallory/helper', intent: 'recover' }),
  ),
  after(
    'a report among those of a session of others',
    'principal-unknown',
    ({ repo }) => access(repo).openSession({ agent: 'agent/x' }),
    (m, { id }) => access(m).openSession({ agent: 'mallory/helper', reportTo: id }),
  ),
  after('a task of others completed with the id of their claim', 'lease-lost', claimed, (_, { plan, task, claim }) =>
    plan.complete(task, { kind: 'text', value: 'done' }, { claim }),
  ),
  after('a task of others given back with the id of their claim', 'lease-lost', claimed, (_, { plan, task, claim }) =>
    plan.release(task, { claim }),
  ),
  after('a task of others renewed with the id of their claim', 'lease-lost', claimed, (_, { plan, task, claim }) =>
    plan.renew(task, { claim }),
  ),
]
