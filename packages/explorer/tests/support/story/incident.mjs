/** A story that the tests of the Explorer and its pictures show. */

/** What happened at two in the morning. */
export async function tellIncident(repo) {
  await repo
    .as('operator')
    .set('/cluster', nodes('ready'), { description: 'Set up the cluster', category: 'Checkpoint' })
  await repo.as('agent/monitor').set('/cluster/node-3/status', 'not-ready', {
    description: 'Node 3 stopped answering',
    category: 'Fix',
    reasoning: 'Three health checks failed within a minute',
    confidence: 0.97,
  })
  await repo.as('agent/repair').set('/cluster/node-3/status', 'draining', {
    description: 'Drain node 3',
    category: 'Fix',
    reasoning: 'Its disk is failing; pods move to node 1',
    confidence: 0.45,
    alternatives: [{ label: 'restart the node', whyNot: 'The disk would fail again' }],
    expects: [{ path: '/cluster/node-3/status', equals: 'drained' }],
  })
}

function nodes(status) {
  return Object.fromEntries([1, 2, 3].map(n => [`node-${n}`, { status, cpu: n * 10 }]))
}
