/**
 * Two stories: blame finds out why a node takes no traffic, and two agents disagree about a plan. Assertions check each
 * step.
 */

import assert from 'node:assert/strict'
import { isStateError, open, type Repository } from 'agentstategraph'
import { temporaryFile } from './temporary-file.ts'

await using file = await temporaryFile()
await using repo = await open(file.path, { clock: hourly('2026-04-06T00:00:00Z') })
await night(repo)
await eightInTheMorning(repo)
await twoAgentsDisagree(repo)

/** What happened while everybody slept. */
async function night(cluster: Repository): Promise<void> {
  await cluster.set('/cluster/node-3', { status: 'up', load: 0.4 }, 'Initialize cluster')
  await cluster.set('/cluster/node-3/load', 0.9, 'Load is rising')
  await cluster.as('agent/responder').set('/cluster/node-3/status', 'drained', {
    description: 'Drain node-3',
    reasoning: 'Three timeouts within a minute',
    confidence: 0.8,
    alternatives: [{ label: 'restart', whyNot: 'It would drop open connections' }],
    expects: [{ path: '/cluster/node-3/load', max: 0.1 }],
  })
  await cluster.set('/cluster/node-3/load', 0.05, 'Load has gone')
}

/** Who drained node-3, why, how sure, and what else was considered? */
async function eightInTheMorning(cluster: Repository): Promise<void> {
  const who = await cluster.blame('/cluster/node-3/status')
  console.log(`${who.agent}: ${who.reasoning} (${who.confidence})`)
  assert.equal(who.agent, 'agent/responder')
  assert.equal(who.confidence, 0.8)
  assert.deepEqual(who.alternatives, [{ label: 'restart', whyNot: 'It would drop open connections' }])

  const lastNight = cluster.at(new Date(Date.parse(who.timestamp) - 1))
  assert.deepEqual(await lastNight.get('/cluster'), { 'node-3': { status: 'up', load: 0.9 } })
  const history = await cluster.history('/cluster/node-3/status', { limit: 10 })
  assert.deepEqual(
    history.map(({ value }) => value),
    ['drained', 'up'],
  )

  await cluster.observe(who, { held: false, note: 'node-3 came back by itself' })
  const { count, brier } = await cluster.calibration({ agent: who.agent })
  assert.deepEqual([count, brier.toFixed(2)], [1, '0.64'])

  await cluster.as('human/cto').revert(who, 'Traffic may go to node-3 again')
  assert.deepEqual(await cluster.get('/cluster/node-3'), { status: 'up', load: 0.05 })
  assert.equal((await cluster.blame('/cluster/node-3/status')).agent, 'human/cto')
}

/** A conflict is a value: the caller of merge resolves it and gives the reason. */
async function twoAgentsDisagree(cluster: Repository): Promise<void> {
  await cluster.set('/plan', { window: 'tonight', order: ['db', 'api'] }, 'Plan the migration')
  const other = (await cluster.branch('agent/b')).as('agent/b')
  const { seq } = await cluster.as('agent/a').set('/plan/window', 'tomorrow', 'Wait for the backup')
  await other.set('/plan/window', 'sunday', 'Less traffic on sundays')
  await other.set('/plan/order/-', 'web', 'Do not forget the web tier')

  try {
    await cluster.merge('agent/b')
    assert.fail('there is a conflict')
  } catch (error) {
    if (!isStateError(error, 'merge-conflict')) throw error
    assert.deepEqual(error.data.conflicts, [
      { path: '/plan/window', base: 'tonight', ours: 'tomorrow', theirs: 'sunday' },
    ])
    const resolutions = Object.fromEntries(error.data.conflicts.map(({ path }) => [path, 'theirs' as const]))
    await cluster.merge('agent/b', { description: 'Take the newer plan', resolutions })
  }
  assert.deepEqual(await cluster.get('/plan'), { window: 'sunday', order: ['db', 'api', 'web'] })

  // A watcher continues after the last number that it has seen; leaving the loop ends the watch.
  const heard: string[] = []
  for await (const event of cluster.watch({ path: '/plan/**', after: seq })) {
    if (event.kind === 'commit') heard.push(event.commit.intent.description)
    if (heard.length === 3) break
  }
  assert.deepEqual(heard, ['Less traffic on sundays', 'Do not forget the web tier', 'Take the newer plan'])
}

/** A clock on which every look is an hour later. */
function hourly(start: string): () => Date {
  let next = Date.parse(start)
  return () => {
    const now = new Date(next)
    next += 3_600_000
    return now
  }
}
