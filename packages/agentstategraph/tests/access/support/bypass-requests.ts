/** Getting around by what is sent: values and patterns that no caller has a use for. */
import { access } from '../../../src/access/index.ts'
import { EncryptedValue, type Repository } from '../../../src/repository/index.ts'
import type { Attempt } from './bypass.ts'

function by(name: string, code: string, attempt: (mallory: Repository) => unknown): Attempt {
  return { name, code, attempt: scene => attempt(scene.mallory) }
}

/** Against a path of 60 segments, a search for its parts would try all ways to lay 14 of them. */
const hard = '/**/a'.repeat(14)

/** Encrypted text that was taken from elsewhere. */
const taken = new EncryptedValue('k1', '/users/{subject}', 'AAAA')

export const requestAttempts: readonly Attempt[] = [
  by('a taint whose pattern takes for ever', 'pattern-invalid', m =>
    access(m).taint({ path: `/team${hard}`, effect: 'warn', reason: 'Try' }),
  ),
  by('a grant whose pattern takes for ever', 'pattern-invalid', m =>
    access(m).grant('mallory', { capabilities: ['commit'], paths: [`/team${hard}`] }),
  ),
  by('a grant on branches that take for ever', 'pattern-invalid', m =>
    access(m).grant('mallory', { capabilities: ['commit'], branches: [hard.slice(1)] }),
  ),
  by('a session whose scope takes for ever', 'pattern-invalid', m =>
    access(m).openSession({ agent: 'mallory/helper', scope: { paths: [`/team${hard}`] } }),
  ),
  by('a query whose pattern takes for ever', 'pattern-invalid', m => m.query({ path: hard })),
  by('a merge whose policies take for ever', 'pattern-invalid', m =>
    m.previewMerge('feature/x', { policies: { [hard]: 'ours' } }),
  ),
  by('encrypted text of elsewhere', 'value-refused', m => m.set('/team/a', taken, 'Try')),
  by('encrypted text of elsewhere in a transaction', 'value-refused', m =>
    m.commit('Try', tx => tx.set('/team/deep', { x: [taken] })),
  ),
  by('encrypted text of elsewhere as a resolution', 'value-refused', m =>
    m.merge('feature/x', { description: 'Try', resolutions: { '/team/b': { value: taken } } }),
  ),
]
