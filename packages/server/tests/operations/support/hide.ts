/** What a limited reader may not know: a word that is in values, keys, names, reasons and decisions. */
import type { Repository } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { plans } from 'agentstategraph/plans'
import { epochs } from 'agentstategraph/trust'

/** Puts the word everywhere, and gives the key of somebody who may work on a part of the state and read nothing else. */
export async function hide(repo: Repository, word: string): Promise<string> {
  const control = access(repo)
  await control.thaw({ branch: 'feature/net' }, 'Looked at')
  const { id: commit } = await repo.as(`agent/${word}`).set(
    '/private',
    { token: word, [word]: 1, list: [word] },
    {
      description: `Set ${word}`,
      reasoning: word,
      intent: { id: `do/${word}` },
      expects: [{ path: '/private/token', equals: word }],
      tools: [{ name: 'vault', args: word, result: word }],
      alternatives: [{ label: word, whyNot: word }],
      confidence: word.charCodeAt(0) / 1000,
    },
  )
  await repo.observe(commit, { held: true, note: word })
  await repo.resolveIntent(`do/${word}`, { outcome: 'fulfilled', summary: word })
  await hideOnBranches(repo, word)
  await hideDecisions(repo, word)
  const { key } = await control.addPrincipal('agent/limited', 'agent')
  await control.grant('agent/limited', {
    capabilities: ['read', 'commit', 'propose', 'merge', 'branch', 'tag', 'delete-branch', 'grant', 'taint', 'release'],
    paths: ['/cluster', '/network', '/storage', '/latency_ms', '/name'],
    branches: ['main', 'feature/*', 'release/*'],
    depth: 2,
  })
  // The head of main is hidden too.
  await repo.set('/private/token', `${word}!`, { description: word, reasoning: word, intent: { id: `do/${word}` } })
  return key
}

async function hideOnBranches(repo: Repository, word: string): Promise<void> {
  const secret = await repo.branch(`secret/${word}`)
  await secret.set('/cluster/replicas', word, `Change ${word}`)
  await repo.tag(`tag-${word}`)
  const conflicting = await repo.branch('feature/conflict')
  await conflicting.set(`/private/${word}`, 'theirs', word)
  await repo.set(`/private/${word}`, 'ours', word)
  const trial = await secret.speculate({ label: word })
  await trial.set('/cluster/replicas', `${word}?`)
  await (await plans(repo).create(`plan-${word}`, word)).add({ title: word })
  await epochs(repo).create(`epoch-of-all`, 'Everything')
}

async function hideDecisions(repo: Repository, word: string): Promise<void> {
  const control = access(repo)
  await control.taint({ path: `/private/${word}`, effect: 'warn', reason: word })
  await control.taint({ path: `/**/${word}`, effect: 'warn', reason: word, branches: [`secret/${word}`] })
  await control.proposePolicy({ name: word, effect: 'deny', when: { paths: [`/private/${word}/deep`] } })
  await control.intents.propose({ id: 'wanted', description: word })
  await control.intents.propose({ id: `want-${word}`, description: word })
  const session = await control.openSession({ agent: 'agent/hidden', branch: `secret/${word}`, intent: 'hidden-work' })
  await session.repo.set('/cluster/replicas', `${word}.`, { description: word, reasoning: word })
  await session.end({ outcome: 'partial', summary: word, deviations: [{ description: word }] })
  const { key } = await control.addPrincipal(`human/${word}`, 'human')
  await control.grant(`human/${word}`, { capabilities: ['read', 'propose'] })
  const proposer = await control.authenticate(key)
  await proposer.set('/private/token', `${word}-proposed`, word).catch(() => {})
  await control.freeze({ branch: `secret/${word}` }, word)
}
