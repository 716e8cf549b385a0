/**
 * The table of bypasses over HTTP, by what each attempt tries to get around. Every topic of the table has rows here, or names the
 * test that has them.
 */

import { open } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { exportRepository, importRepository } from 'agentstategraph/maintenance'
import { type HttpScene, puppetOf, set } from './bypass-scene.ts'
import { type Answer, answerOf, openApp, requestTo, setting } from './open-app.ts'
import { addPrincipal } from './principals.ts'

/** An attempt, and the code of the refusal. */
type Row = readonly [name: string, code: string, attempt: (scene: HttpScene) => Promise<Answer>]

/** Where the rows of a topic are when they are not here. */
type Elsewhere = { readonly tests: string }

const pattern = `/a/b${'/**/a'.repeat(14)}`

const acting: readonly Row[] = [
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
    'a rule ratified by its proposer',
    'self-ratified',
    async ({ pup }) => {
      const { body } = await pup('POST', '/api/access/policies', { name: 'free', effect: 'allow', when: {} })
      return pup('POST', `/api/access/policies/${body['id']}/ratify`, { reason: 'Try' })
    },
  ],
]

const names: readonly Row[] = [
  [
    'a session under another name',
    'principal-invalid',
    ({ pup }) => pup('POST', '/api/sessions', { agent: 'human/x' }),
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

/** Imports a history made elsewhere, to which only a tag leads that bob may name. */
async function importTagged({ app }: HttpScene): Promise<void> {
  const here = await app.host.context({}).repo()
  await using made = await open()
  await importRepository(made, exportRepository(here))
  const aside = await made.branch('aside')
  await aside.set('/a/kept', 'made up', 'Make it up')
  await made.tag('feature/tagged', { from: 'aside' })
  await made.deleteBranch('aside')
  await importRepository(here, exportRepository(made))
}

const content: readonly Row[] = [
  [
    'a branch at the tag of an imported history',
    'access-denied',
    async scene => {
      await importTagged(scene)
      return scene.bob('POST', '/api/branches', { name: 'feature/evil', from: 'feature/tagged' })
    },
  ],
  [
    'a made-up history imported without the right',
    'access-denied',
    async ({ app, bob }) => {
      const lines = []
      for await (const line of exportRepository(await app.host.context({}).repo())) lines.push(line)
      return bob('POST', '/api/import', { export: lines.join('') })
    },
  ],
]

const facts: readonly Row[] = [
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
  [
    'a session of others ended',
    'session-unknown',
    async scene => {
      const session = await puppetOf(scene, 'five', ['read'])
      return scene.bob('POST', `/api/sessions/${session}/end`, { outcome: 'failed', summary: 'Try' })
    },
  ],
]

const keys: readonly Row[] = [
  [
    'a leaked key that is to end, without saying what becomes of those made with it',
    'input-invalid',
    ({ bob }) => bob('POST', '/api/admin/keys/revoke', { id: 'any', reason: 'Leaked' }),
  ],
  [
    'a key made with a key that leaked',
    'unauthenticated',
    async ({ app }) => {
      const control = access(await app.host.context({}).repo())
      const { key } = await control.addPrincipal('agent/leaky', 'agent')
      const made = await access(await control.authenticate(key)).addKey('agent/leaky')
      await control.revokeKey(key.split('_')[1]!, 'Leaked', { descendants: true })
      return app.ask('GET', '/api/branches', undefined, { authorization: `Bearer ${made.key}` })
    },
  ],
  ...(
    [
      ['a commit', { commitsPerMinute: 1 }, setting('/n', 2)],
      ['an entry', { entriesPerMinute: 1 }, setting('/n', 2)],
      ['a byte', { bytesPerMinute: 4000 }, setting('/n', 'x'.repeat(4000))],
    ] as const
  ).map(
    ([what, limits, body]): Row => [
      `${what} more than a minute allows`,
      'rate-exceeded',
      async ({ app }) => {
        const busy = await addPrincipal(app, `agent/busy-${what.slice(-4)}`, {
          capabilities: ['read', 'commit'],
          limits,
        })
        await busy('POST', set, setting('/n', what))
        return busy('POST', set, body)
      },
    ],
  ),
]

const written: readonly Row[] = [
  [
    'encrypted text of elsewhere',
    'tag-invalid',
    ({ bob }) => bob('POST', set, setting('/a/b/x', { $sealed: ['k', '/{subject}', 'AAAA'] })),
  ],
]

const readOnly: readonly Row[] = (
  [
    ['a write', set, setting('/a', 1)],
    ['a session', '/api/sessions', { agent: 'agent/x' }],
    ['an intent', '/api/access/intents', { description: 'Try' }],
    ['a principal', '/api/access/principals', { id: 'agent/x', kind: 'agent' }],
  ] as const
).map(
  ([what, route, body]): Row => [
    `${what} on a server that only reads`,
    'read-only',
    async () => {
      const app = await openApp({ mode: 'read-only' })
      const answer = await app.ask('POST', route, body)
      await app.close()
      return answer
    },
  ],
)

const patterns: readonly Row[] = [
  [
    'a taint whose pattern takes for ever',
    'pattern-invalid',
    ({ bob }) => bob('POST', '/api/access/taints', { path: pattern, effect: 'warn', reason: 'Try' }),
  ],
  [
    'a session whose scope takes for ever',
    'pattern-invalid',
    ({ bob }) => bob('POST', '/api/sessions', { agent: 'agent/bob/helper', paths: [pattern] }),
  ],
  [
    'a merge whose policies take for ever',
    'pattern-invalid',
    ({ bob }) => bob('POST', '/api/merge/preview', { source: 'feature/two', policies: { [pattern]: 'ours' } }),
  ],
]

const wrong = (key: string) => requestTo('GET', '/api/branches', undefined, { authorization: `Bearer ${key}` })

const load: readonly Row[] = [
  ['a key that is none', 'unauthenticated', async ({ app }) => answerOf(await app.fetch(wrong('asg_guess')))],
  [
    'a key of another store',
    'unauthenticated',
    async ({ app }) => {
      await using other = await open()
      const { key } = await access(other).addPrincipal('agent/bob', 'agent')
      return answerOf(await app.fetch(wrong(key)))
    },
  ],
  [
    'one wrong key more than a minute allows',
    'rate-limited',
    async () => {
      const app = await openApp({ limits: { failuresPerMinute: 1 } })
      await app.fetch(wrong('asg_guess'))
      const answer = await answerOf(await app.fetch(wrong('asg_guess')))
      await app.close()
      return answer
    },
  ],
]

const messages: readonly Row[] = [
  [
    'an integer whose digits would be lost',
    'body-refused',
    ({ bob }) => bob('POST', set, '{"path":"/a/b/x","value":9007199254740993,"description":"Try"}'),
  ],
  [
    'a key that is there twice',
    'body-refused',
    ({ bob }) => bob('POST', set, '{"path":"/a/b/x","value":1,"value":2,"description":"Try"}'),
  ],
]

/** Every topic of the table. */
export const topics: Readonly<Record<string, readonly Row[] | Elsewhere>> = {
  'who really acts': acting,
  'names that rules do not mean': names,
  'content that may not be written': content,
  'facts about the work of others': facts,
  'keys and limits': keys,
  'the authority of bundles': { tests: 'packages/agentstategraph/tests/trust' },
  'what may not be read': { tests: 'packages/server/tests/http/bypass.test.ts' },
  'guesses of short values': { tests: 'packages/server/tests/http/bypass.test.ts' },
  'encrypted text': written,
  'files and metrics': { tests: 'packages/server/tests/http/bypass.test.ts' },
  'read-only servers': readOnly,
  'patterns that take for ever': patterns,
  'costs of one request': { tests: 'packages/server/tests/http' },
  'streams and wrong keys': load,
  messages,
}
