/**
 * The table of bypasses over HTTP, by what each attempt tries to get around. Every topic of the table has rows here, or names the
 * test that has them.
 */

import { open } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { exportRepository, importRepository } from 'agentstategraph/maintenance'
import { acting, facts, names } from './bypass-actors.ts'
import { runs } from './bypass-runs.ts'
import { type HttpScene, type Row, set } from './bypass-scene.ts'
import { answerOf, openApp, requestTo, setting } from './open-app.ts'
import { addPrincipal } from './principals.ts'

/** Where the rows of a topic are when they are not here. */
type Elsewhere = { readonly tests: string }

const why = { description: 'Try' }
const pattern = `/a/b${'/**/a'.repeat(14)}`

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
  [
    "somebody else's key rotated",
    'key-unknown',
    async ({ app, ann }) => {
      const { key } = await access(await app.host.context({}).repo()).addPrincipal('agent/rotated', 'agent')
      const rotated = { id: key.split('_')[1]!, reason: 'Try', descendants: false }
      return ann('POST', '/api/admin/keys/rotate', rotated)
    },
  ],
  ...(
    [
      ['a branch', { branchesPerMinute: 1 }, '/api/branches'],
      ['a speculation', { speculationsPerMinute: 1 }, '/api/speculations'],
    ] as const
  ).map(
    ([what, limits, route]): Row => [
      `${what} more than a minute allows`,
      'rate-exceeded',
      async ({ app }) => {
        const capabilities = ['read', 'commit', 'branch'] as const
        const busy = await addPrincipal(app, `agent/busy-${what.slice(-4)}`, { capabilities, limits })
        const named = (n: number) => (route === '/api/branches' ? { name: `busy/${n}` } : {})
        await busy('POST', route, named(1))
        return busy('POST', route, named(2))
      },
    ],
  ),
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

const sealed = { $sealed: ['k', '/{subject}', 'AAAA'] }

const written: readonly Row[] = [
  ['encrypted text of elsewhere', 'tag-invalid', ({ bob }) => bob('POST', set, setting('/a/b/x', sealed))],
  [
    'encrypted text of elsewhere, among edits',
    'tag-invalid',
    ({ bob }) =>
      bob('POST', '/api/state/main/commit', {
        edits: [{ op: 'set', path: '/a/b/x', value: [sealed] }],
        description: 'Try',
      }),
  ],
  [
    'encrypted text of elsewhere, as a resolution',
    'tag-invalid',
    ({ bob }) =>
      bob('POST', '/api/merge', {
        source: 'feature/two',
        description: 'Try',
        resolutions: { '/a/b/x': { value: sealed } },
      }),
  ],
]

/** The second routes of writes. */
const resources: readonly Row[] = [
  ['a value put elsewhere', 'access-denied', ({ bob }) => bob('PUT', '/api/state/a/kept', { value: 1, ...why })],
  [
    'a value put by climbing out',
    'access-denied',
    ({ bob }) => bob('PUT', '/api/state/a/b/%2e%2e/kept', { value: 1, ...why }),
  ],
  [
    'a value put beside the path in the address',
    'url-invalid',
    ({ bob }) => bob('PUT', '/api/state/a/b/x', { path: '/a/kept', value: 1, ...why }),
  ],
  [
    'a value put on another branch',
    'access-denied',
    ({ bob }) => bob('PUT', '/api/state/a/b/x', { ref: 'hidden', value: 1, ...why }),
  ],
  [
    'edits that leave their place by a name that begins alike',
    'access-denied',
    ({ bob }) => bob('PATCH', '/api/state/a/b', { edits: [{ op: 'set', path: '-secret', value: 1 }], ...why }),
  ],
  ['a value deleted elsewhere', 'access-denied', ({ bob }) => bob('DELETE', '/api/state/a/kept?description=Try')],
]

/** What a server tells those who have no right to it. */
const counts: readonly Row[] = [
  ['the metrics without the right', 'access-denied', ({ bob }) => bob('GET', '/metrics')],
  ['the numbers of what is garbage', 'access-denied', ({ bob }) => bob('GET', '/api/gc/dry-run')],
  ['garbage collected', 'access-denied', ({ bob }) => bob('POST', '/api/gc/sweep', {})],
  ['the indexes of all dropped', 'access-denied', ({ ann }) => ann('POST', '/api/reindex', {})],
  ['the refs of all made again', 'access-denied', ({ ann }) => ann('POST', '/api/repair', {})],
  ...['/metrics', '/api/namespaces', '/api/graphs', '/api/branches', '/explorer/%2e%2e/commands.json'].map(
    (path): Row => [
      `${path} without a key`,
      'unauthenticated',
      async ({ app }) => answerOf(await app.fetch(new Request(`http://localhost${path}`))),
    ],
  ),
]

const readOnly: readonly Row[] = (
  [
    ['a write', set, setting('/a', 1)],
    ['a session', '/api/sessions', { agent: 'agent/x' }],
    ['an intent', '/api/access/intents', { description: 'Try' }],
    ['a principal', '/api/access/principals', { id: 'agent/x', kind: 'agent' }],
    ['a value put', '/api/state/a', { value: 1, ...why }, 'PUT'],
    ['edits', '/api/state/a', { edits: [{ op: 'set', path: '/x', value: 1 }], ...why }, 'PATCH'],
    ['a value deleted', '/api/state/a?description=Try', undefined, 'DELETE'],
  ] as const
).map(
  ([what, route, body, method = 'POST']): Row => [
    `${what} on a server that only reads`,
    'read-only',
    async () => {
      const app = await openApp({ mode: 'read-only' })
      const answer = await app.ask(method, route, body)
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

/** What reaches beyond the namespace of a key that may do everything in it. */
const tenants: readonly Row[] = [
  ...(
    [
      ['another namespace made', 'access-unavailable', 'POST', '/api/namespaces', { name: 'of-root' }],
      ['another namespace deleted', 'access-unavailable', 'DELETE', '/api/namespaces/elsewhere', undefined],
      ['the file of all namespaces rewritten', 'operator-only', 'POST', '/api/compact', {}],
    ] as const
  ).map(
    ([what, code, method, route, body]): Row => [
      what,
      code,
      async ({ app }) => {
        const root = await addPrincipal(app, `agent/root of ${what}`, { capabilities: ['read', 'export', 'admin'] })
        return root(method, route, body)
      },
    ],
  ),
  [
    'the requests of a namesake in another namespace used up',
    '200',
    async () => {
      const app = await openApp({ limits: { readsPerSecond: 0.1 } })
      const grant = { capabilities: ['read'] } as const
      await app.ask('POST', '/api/namespaces', { name: 'elsewhere' })
      const mine = await addPrincipal(app, 'agent/bob', grant)
      const theirs = await addPrincipal(app, 'agent/bob', grant, 'elsewhere')
      while ((await theirs('GET', '/api/branches')).status === 200);
      const answer = await mine('GET', '/api/branches')
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
  'runs and tasks': runs,
  'the authority of bundles': { tests: 'packages/server/tests/http/bypass.test.ts' },
  'what may not be read': { tests: 'packages/server/tests/http/bypass.test.ts' },
  'guesses of short values': { tests: 'packages/server/tests/http/bypass.test.ts' },
  'encrypted text': written,
  'files and metrics': counts,
  'places as resources': resources,
  'read-only servers': readOnly,
  'patterns that take for ever': patterns,
  'costs of one request': { tests: 'packages/server/tests/http/cost.test.ts' },
  'streams and wrong keys': load,
  'other namespaces': tenants,
  messages,
}
