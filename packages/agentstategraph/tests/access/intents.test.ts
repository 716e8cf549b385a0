/** Delegated intents go their way, and no other. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { type IntentAction, intentSteps } from '../../src/access/sessions/intents.ts'
import { type IntentStatus, intentStatuses } from '../../src/repo/index.ts'
import { open } from '../../src/repository/index.ts'

const actions = Object.keys(intentSteps) as IntentAction[]
/** The steps that lead from nothing to each status. */
const ways: Readonly<Record<IntentStatus, readonly IntentAction[]>> = {
  proposed: [],
  authorized: ['authorize'],
  'in-progress': ['authorize', 'start'],
  completed: ['authorize', 'start', 'complete'],
  failed: ['authorize', 'start', 'fail'],
  blocked: ['authorize', 'start', 'block'],
}

async function proposed(): Promise<{
  step: (action: IntentAction) => Promise<IntentStatus>
  status: () => Promise<IntentStatus>
  close: () => Promise<void>
}> {
  const repo = await open()
  const { key } = await access(repo).addPrincipal('agent/planner', 'agent')
  await access(repo).grant('agent/planner', { capabilities: ['propose', 'read'] })
  const planner = await access(repo).authenticate(key)
  await access(planner).intents.propose({ id: 'i', description: 'Move to the new network' })
  return {
    step: async action => (await access(repo).intents[action]('i', 'because')).status,
    status: async () => (await access(repo).intents.get('i')).status,
    close: () => repo.close(),
  }
}

describe('an intent', () => {
  const cases = intentStatuses.flatMap(status => actions.map(action => [status, action] as const))

  it.each(cases)('that is %s: %s', async (status, action) => {
    const intent = await proposed()
    for (const step of ways[status]) await intent.step(step)
    expect(await intent.status()).toBe(status)
    const { from, to } = intentSteps[action]
    if (from.includes(status)) expect(await intent.step(action)).toBe(to)
    else {
      await expect(intent.step(action)).rejects.toMatchObject({
        code: 'intent-transition',
        data: { intent: 'i', status, action },
      })
      expect(await intent.status()).toBe(status)
    }
    await intent.close()
  })

  it('goes proposed, authorized, in-progress, and ends completed, failed or blocked', () => {
    const edges = actions.flatMap(action => intentSteps[action].from.map(from => `${from} → ${intentSteps[action].to}`))
    expect(edges.sort()).toEqual([
      'authorized → in-progress',
      'blocked → in-progress',
      'in-progress → blocked',
      'in-progress → completed',
      'in-progress → failed',
      'proposed → authorized',
    ])
  })

  it('is authorised by another than the one who proposed it', async () => {
    await using repo = await open()
    await access(repo).intents.propose({ id: 'i', description: 'My own' })
    await expect(access(repo).intents.authorize('i', 'I like it')).rejects.toMatchObject({ code: 'self-authorized' })
  })

  it('is moved by those whom it concerns', async () => {
    await using repo = await open()
    const { key } = await access(repo).addPrincipal('agent/other', 'agent')
    await access(repo).grant('agent/other', { capabilities: ['propose', 'read'] })
    const other = access(await access(repo).authenticate(key))
    await access(repo).intents.propose({ id: 'i', description: 'Not his' })
    await expect(other.intents.authorize('i', 'no')).rejects.toMatchObject({ code: 'access-denied' })
    await expect(other.intents.start('i', 'no')).rejects.toMatchObject({ code: 'access-denied' })
    await expect(other.intents.get('nowhere')).rejects.toMatchObject({ code: 'intent-unknown' })
    await expect(other.intents.propose({ id: 'i', description: 'again' })).rejects.toMatchObject({
      code: 'intent-exists',
    })
  })
})
