/** Somebody with a key, and a little of all that can be decided about access. */
import type { Repository } from 'agentstategraph'
import { isStateError } from 'agentstategraph'
import { access } from 'agentstategraph/access'

/** The key ids and the proposal that the examples of this store speak of under other names. */
export interface AccessIds {
  readonly key: string
  readonly proposal: string
}

export async function fillAccess(repo: Repository, wanted: string[]): Promise<AccessIds> {
  const control = access(repo)
  const { key } = await control.addPrincipal('agent/writer', 'agent')
  wanted.push('grant-1')
  await control.grant('agent/writer', { capabilities: ['read', 'commit', 'propose', 'policy'] })
  const writer = await control.authenticate(key)
  await writer.set('/notes', ['The first'], 'Begin notes')
  wanted.push('rule-1')
  await access(writer).proposePolicy({ name: 'careful', effect: 'deny', when: { paths: ['/users'] } })
  wanted.push('taint-1')
  await control.taint({ path: '/notes', effect: 'warn', reason: 'Nobody has read them' })
  await control.freeze({ branch: 'feature/net' }, 'Somebody looks at it')
  await fillSessions(repo, writer, wanted)
  const [{ id } = { id: '' }] = await control.keys({ principal: 'agent/writer' })
  return { key: id, proposal: await proposalOf(writer) }
}

async function fillSessions(repo: Repository, writer: Repository, wanted: string[]): Promise<void> {
  const control = access(repo)
  wanted.push('session-1')
  await control.openSession({ agent: 'agent/worker', scope: { paths: ['/storage'] } })
  const over = await control.openSession({ agent: 'agent/worker' })
  await over.end({ outcome: 'fulfilled', summary: 'It is done' })
  for (const status of ['proposed', 'authorized', 'begun']) {
    const id = `intent-${status}`
    await access(writer).intents.propose({ id, description: 'Move the storage' })
    if (status !== 'proposed') await control.intents.authorize(id, 'Good')
    if (status === 'begun') await control.intents.start(id, 'Now')
  }
}

/** The id of a change that waits for somebody. */
export async function proposalOf(writer: Repository): Promise<string> {
  try {
    await access(writer).proposing().set('/cluster/replicas', 5, 'Scale to 5 replicas')
  } catch (error) {
    if (isStateError(error, 'approval-required')) return (error.data as { readonly proposal: string }).proposal
    throw error
  }
  throw new Error('The change landed')
}
