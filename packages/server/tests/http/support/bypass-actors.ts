/** Bypasses over HTTP by being two, by another name, and by saying something about the work of others. */
import { puppetOf, type Row, set } from './bypass-scene.ts'
import { setting } from './open-app.ts'
import { addPrincipal } from './principals.ts'

export const acting: readonly Row[] = [
  [
    'a proposal of a puppet, approved by its maker',
    'self-approved',
    async scene => {
      const session = await puppetOf(scene, 'one', ['read', 'propose'])
      const { body } = await scene.pup('POST', set, setting('/new', 1, { session }))
      return scene.pup('POST', `/api/proposals/${body['data']?.['proposal']}/approve`, { reason: 'Try' })
    },
  ],
  [
    'a mark on what a puppet wrote, released by its maker',
    'self-released',
    async scene => {
      const session = await puppetOf(scene, 'two', ['read', 'commit'])
      await scene.pup('POST', set, setting('/planted', 1, { session }))
      const mark = { path: '/planted', effect: 'block', reason: 'Suspect' }
      const { body } = await scene.ann('POST', '/api/access/taints', mark)
      return scene.pup('POST', `/api/access/taints/${body['id']}/release`, { reason: 'Try' })
    },
  ],
  [
    'an intent of a puppet, authorised by its maker',
    'self-authorized',
    async scene => {
      const session = await puppetOf(scene, 'three', ['read', 'propose'])
      const { body } = await scene.pup('POST', '/api/access/intents', { description: 'Mine', session })
      const id = encodeURIComponent(String(body['id']))
      return scene.pup('POST', `/api/access/intents/${id}/authorize`, { reason: 'Try' })
    },
  ],
  [
    'a proposal of a puppet, approved by another puppet of its maker',
    'self-approved',
    async scene => {
      const session = await puppetOf(scene, 'six', ['read', 'propose'])
      const second = await puppetOf(scene, 'seven', ['read', 'approve'])
      const { body } = await scene.pup('POST', set, setting('/new', 1, { session }))
      const approval = { reason: 'Try', session: second }
      return scene.pup('POST', `/api/proposals/${body['data']?.['proposal']}/approve`, approval)
    },
  ],
  [
    'a rule of a puppet',
    'access-denied',
    async scene => {
      const session = await puppetOf(scene, 'eight', ['read', 'policy'])
      return scene.pup('POST', '/api/access/policies', { name: 'free', effect: 'allow', when: {}, session })
    },
  ],
  [
    'a rule of somebody who has the right from her, ratified by her',
    'self-ratified',
    async ({ app, pup }) => {
      const holder = await addPrincipal(app, 'agent/holder')
      await pup('POST', '/api/access/grants', { to: 'agent/holder', capabilities: ['policy'] })
      const { body } = await holder('POST', '/api/access/policies', { name: 'free', effect: 'allow', when: {} })
      return pup('POST', `/api/access/policies/${body['id']}/ratify`, { reason: 'Try' })
    },
  ],
  [
    'a rule ratified by its proposer',
    'self-ratified',
    async ({ pup }) => {
      const { body } = await pup('POST', '/api/access/policies', { name: 'free', effect: 'allow', when: {} })
      return pup('POST', `/api/access/policies/${body['id']}/ratify`, { reason: 'Try' })
    },
  ],
]

export const names: readonly Row[] = [
  [
    'a session under another name',
    'principal-invalid',
    ({ pup }) => pup('POST', '/api/sessions', { agent: 'human/x' }),
  ],
  [
    "a session under a name below somebody else's",
    'principal-invalid',
    ({ pup }) => pup('POST', '/api/sessions', { agent: 'agent/bob/helper' }),
  ],
  [
    "a principal below somebody else's name",
    'principal-invalid',
    async ({ app }) => {
      const admin = await addPrincipal(app, 'human/admin', { capabilities: ['admin'] })
      return admin('POST', '/api/access/principals', { id: 'agent/bob/helper', kind: 'agent' })
    },
  ],
  [
    'a change that needs an approval, made by a puppet',
    'approval-required',
    async scene => {
      const session = await puppetOf(scene, 'nine', ['read', 'commit', 'propose'])
      return scene.pup('POST', set, setting('/asked', 1, { session }))
    },
  ],
  [
    'a change that a rule denies, made by a puppet',
    'rule-denied',
    async scene => {
      const session = await puppetOf(scene, 'four', ['read', 'commit'])
      return scene.pup('POST', set, setting('/guarded', 1, { session }))
    },
  ],
]

export const facts: readonly Row[] = [
  [
    'an observation of what others wrote',
    'ref-not-found',
    ({ bob, head }) => bob('POST', '/api/observations', { commit: head, held: false }),
  ],
  [
    'an intent of others resolved',
    'access-denied',
    ({ bob }) => bob('POST', '/api/intents/rotate/resolve', { outcome: 'failed', summary: 'Try' }),
  ],
  [
    'a task of others completed',
    'lease-lost',
    ({ ann }) =>
      ann('POST', '/api/plans/work/tasks/t-1/complete', { proof_kind: 'text', proof_value: 'Done', claim: 'guessed' }),
  ],
  ...(['renew', 'release'] as const).map(
    (what): Row => [
      `a task of others: ${what}`,
      'lease-lost',
      ({ ann }) => ann('POST', `/api/plans/work/tasks/t-1/${what}`, { claim: 'guessed' }),
    ],
  ),
  ...(['start', 'complete', 'fail', 'block'] as const).map(
    (what): Row => [
      `an intent that others proposed: ${what}`,
      'intent-unknown',
      ({ bob }) => bob('POST', `/api/access/intents/plan/${what}`, { reason: 'Try' }),
    ],
  ),
  [
    'a report among those of a session of others',
    'principal-unknown',
    async scene => {
      const session = await puppetOf(scene, 'ten', ['read'])
      return scene.bob('POST', '/api/sessions', { agent: 'agent/bob/helper', report_to: session })
    },
  ],
  [
    'a session of others ended',
    'session-unknown',
    async scene => {
      const session = await puppetOf(scene, 'five', ['read'])
      return scene.bob('POST', `/api/sessions/${session}/end`, { outcome: 'failed', summary: 'Try' })
    },
  ],
]
