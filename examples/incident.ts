/**
 * Incident response with delegation.
 *
 * A person opens a session for an incident commander, which delegates work to two sub-agents, each with its own scope. One
 * of them writes outside its scope and is refused. Each ends with a report. The intents form one tree, and blame names the
 * authority behind a value.
 *
 *   npm start once, then: node examples/dist/incident.js
 */
import assert from 'node:assert/strict'
import { type IntentNode, isStateError, open } from 'agentstategraph'
import { access } from 'agentstategraph/access'

await using repo = await open()
await repo
  .as('agent/provisioner')
  .set('/', { cluster: { node3: { status: 'up' } }, network: { dns: '1.1.1.1' } }, 'Day 0')

const { key } = await access(repo).addPrincipal('human/ana', 'human')
await access(repo).grant('human/ana', {
  capabilities: ['read', 'propose', 'commit', 'merge', 'branch', 'grant'],
  branches: ['main', 'incident/**'],
  depth: 4,
})
const ana = await access(repo).authenticate(key)

await using commander = await access(ana).openSession({
  agent: 'human/ana/commander',
  branch: 'incident/7',
  intent: 'recover-node3',
})
await using network = await commander.delegate({
  agent: 'human/ana/commander/network',
  intent: 'check-network',
  scope: { paths: ['/network'] },
})
await using storage = await commander.delegate({
  agent: 'human/ana/commander/storage',
  intent: 'drain-node3',
  scope: { paths: ['/cluster/node3'] },
})

await network.repo.set('/network/dns', '9.9.9.9', { description: 'Use the second resolver', confidence: 0.8 })
await storage.repo.set('/cluster/node3/status', 'drained', { description: 'Drain before restart', confidence: 0.9 })

const refused = await network.repo
  .set('/cluster/node3/status', 'up', 'It answers again')
  .catch((error: unknown) => error)
assert.ok(isStateError(refused, 'access-denied'))
console.log(`refused: ${refused.message}`)

await network.end({ outcome: 'fulfilled', summary: 'names resolve again' })
await storage.end({
  outcome: 'partial',
  summary: 'drained, one volume stays',
  deviations: [{ description: 'volume v7 did not detach', impact: 'medium' }],
})
for (const { agent, resolution } of await commander.reports()) {
  console.log(`report of ${agent}: ${resolution.outcome}, ${resolution.summary}`)
}

const { agent, chain = [] } = await commander.repo.blame('/cluster/node3/status')
console.log(`drained by ${agent}: ${chain.map(({ from, to }) => `${from} → ${to}`).join(', ')}`)

await commander.end({ outcome: 'fulfilled', summary: 'node3 is drained and can be replaced' })
await ana.on('main').merge('incident/7', { description: 'Adopt what was done in the incident' })

const print = ({ id, status, agent, children, resolutions }: IntentNode, indent = ''): void => {
  const ended = resolutions.map(({ outcome, deviations = [] }) => `${outcome}, ${deviations.length} deviations`)
  console.log(`${indent}${id}: ${status} by ${agent} (${ended.join('; ')})`)
  for (const child of children) print(child, `${indent}  `)
}
const { intents } = await repo.intentTree({ intent: 'recover-node3' })
for (const intent of intents) print(intent)
