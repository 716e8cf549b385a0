/**
 * Writes fixtures/stores anew: one store for each thing that a layout can hold, and what a reader has to find in it.
 *
 *   node scripts/store-fixtures.mjs
 *
 * Clock, ids and keys of signers are fixed, so the histories come out the same, but for the key of the principal. The stores are
 * promises to those who hold data: they are written once for a layout, and this script is for the next one.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { open } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { kvBackend, sqlite } from 'agentstategraph/backends'
import { encode } from 'agentstategraph/internal'
import { compact, gc, setRetention } from 'agentstategraph/maintenance'
import { memoryKV } from 'agentstategraph/testing'
import { epochs } from 'agentstategraph/trust'
import { canonical, keyOf } from './bundle-vectors/bundle-lines.mjs'

const folder = fileURLToPath(new URL('../fixtures/stores/', import.meta.url))
const key = keyOf(1, 'example.org/log')

/** What is done to each store. Each may give more that a reader has to find. */
const histories = {
  async plain(repo) {
    await begin(repo)
    const feature = await repo.branch('feature/net')
    await feature.as('agent/net').set('/cluster/network', 'flannel', { description: 'Try flannel', confidence: 0.8 })
    await repo.set('/cluster/replicas', 3, { description: 'Scale', reasoning: 'Traffic is up', tags: ['load'] })
    await repo.merge('feature/net', { description: 'Adopt flannel' })
    await repo.tag('v1')
    const tried = await repo.speculate({ label: 'cheaper' })
    await tried.set('/cluster/replicas', 1, 'Save money')
    await tried.discard('Too slow')
    await repo.observe('main', { held: true, note: 'It holds' })
    await repo.delete('/notes/0', 'Tidy')
  },
  async deltas(repo) {
    await begin(repo)
    await manySteps(repo)
  },
  async trimmed(repo) {
    await begin(repo)
    await manySteps(repo)
    await setRetention(repo, { count: 3 })
    await gc(repo, { keepNewerMs: -1 })
    await compact(repo)
  },
  async signed(repo) {
    await begin(repo)
    await repo.set('/cluster/replicas', 4, 'Scale')
  },
  async access(repo) {
    await begin(repo)
    const { key: given } = await access(repo).addPrincipal('agent/scaler', 'agent')
    await access(repo).grant('agent/scaler', { capabilities: ['read', 'commit'], paths: ['/cluster'] })
    const scaler = await access(repo).authenticate(given)
    await scaler.set('/cluster/replicas', 5, 'Scale as a principal')
    return { key: given }
  },
  async epochs(repo) {
    await repo.set('/before', true, 'Before the epoch')
    await epochs(repo).create('2026-q1', 'First quarter')
    await begin(repo)
    await epochs(repo).seal('2026-q1', 'Closed')
    await repo.set('/cluster/replicas', 6, 'After the epoch')
    let bundle = ''
    for await (const line of epochs(repo).export('2026-q1')) bundle += line
    writeFileSync(`${folder}epochs.jsonl`, bundle)
    return { bundle: 'epochs.jsonl', epoch: '2026-q1', key: key.verifierKey }
  },
}

/** One value of each kind, a list, a text, and a map that is wide enough for links. */
async function begin(repo) {
  await repo.set(
    '/',
    {
      cluster: { name: 'prod', replicas: 2 },
      notes: ['first', 'second', { $dollar: 1, 'a/b~c': null }],
      kinds: [1.5, -0, 12345678901234567890n, new Date(0), Uint8Array.of(1, 2, 255), new Map([[1, 'one']]), 'Grüße 𝄞'],
      wide: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`key-${n}`, { n, text: `value ${n}` }])),
    },
    { description: 'Begin', category: 'Explore' },
  )
}

async function manySteps(repo) {
  for (let n = 0; n < 24; n++) await repo.set(['wide', `key-${(n * 7) % 120}`, 'n'], -n, `Step ${n}`)
}

function fixed(name) {
  let second = 0
  let id = 0
  const clock = () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++))
  const signer = name === 'signed' || name === 'epochs' ? { signer: key } : {}
  return { agent: 'agent/keeper', clock, ids: () => `id${id++}`, ...signer }
}

/**
 * What a reader has to find on each branch: its head and state, how many commits lead there, who wrote a place, and the state of
 * the first commit, or the code of the error that says why it is gone.
 */
async function answersOf(repo) {
  const branches = {}
  for await (const { name } of repo.branches()) {
    const on = repo.on(name)
    const commits = []
    for await (const { id } of on.log()) commits.push(id)
    const first = await on
      .at({ id: commits.at(-1) })
      .get('/')
      .then(encode, ({ code }) => code)
    const { id, agent } = await on.blame('/cluster/replicas')
    branches[name] = {
      head: commits[0],
      commits: commits.length,
      state: encode(await on.get('/')),
      first,
      blame: { id, agent },
    }
  }
  return branches
}

async function written(name, backend, history) {
  const repo = await open(backend, fixed(name))
  const more = (await history(repo)) ?? {}
  const branches = await answersOf(repo)
  await repo.close()
  return { branches, ...more }
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const index = {}
for (const [name, history] of Object.entries(histories)) {
  index[`${name}.db`] = await written(name, sqlite(`${folder}${name}.db`), history)
}
const content = new Map()
index['key-value.json'] = await written('plain', kvBackend(memoryKV(content)), histories.plain)
const dump = [...content].map(([at, bytes]) => [at, Buffer.from(bytes).toString('base64')])
writeFileSync(`${folder}key-value.json`, `${JSON.stringify(Object.fromEntries(dump), null, 1)}\n`)
writeFileSync(`${folder}index.json`, `${canonical(index)}\n`)
