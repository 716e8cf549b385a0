/** A story that the tests of the Explorer and its pictures show. */
import { access } from 'agentstategraph/access'

/** What happened at two in the morning, and who had been given the right to act then. */
export async function tellIncident(repo) {
  const mira = await principal(repo, 'mira', 'human', { capabilities: ['read', 'commit', 'grant'], depth: 1 })
  const ofCluster = { capabilities: ['read', 'commit'], paths: ['/cluster'] }
  const monitor = await principal(repo, 'agent/monitor', 'agent', ofCluster)
  const repair = await principal(repo, 'agent/repair', 'agent', ofCluster, mira)
  await repo
    .as('operator')
    .set('/cluster', nodes('ready'), { description: 'Set up the cluster', category: 'Checkpoint' })
  await monitor.set('/cluster/node-3/status', 'not-ready', {
    description: 'Node 3 stopped answering',
    category: 'Fix',
    reasoning: 'Three health checks failed within a minute',
    confidence: 0.97,
  })
  await repair.set('/cluster/node-3/status', 'draining', {
    description: 'Drain node 3',
    category: 'Fix',
    reasoning: 'Its disk is failing; pods move to node 1',
    confidence: 0.45,
    alternatives: [{ label: 'restart the node', whyNot: 'The disk would fail again' }],
    expects: [{ path: '/cluster/node-3/status', equals: 'drained' }],
  })
}

/** A repository with the rights of somebody new, whom `from` grants them. */
async function principal(repo, id, kind, rights, from = repo) {
  const { key } = await access(repo).addPrincipal(id, kind)
  await access(from).grant(id, rights)
  return access(repo).authenticate(key)
}

function nodes(status) {
  return Object.fromEntries([1, 2, 3].map(n => [`node-${n}`, { status, cpu: n * 10 }]))
}
