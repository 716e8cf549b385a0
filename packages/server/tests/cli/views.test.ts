/**
 * Views for people, on terminals of 80 and 120 columns and in pipes.
 *
 * On a terminal no row of a table and no line of a drawing is wider than it; in a pipe nothing is cut. `views.txt` shows them as a
 * person sees them. After a change on purpose: npx vitest run packages/server/tests/cli/views.test.ts -u, and read what changed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliFolder, cliStore } from './support/cli-folder.ts'
import { normaliser } from './support/normal-text.ts'
import { shellWords } from './support/shell-words.ts'

const WORDS = 'Traffic of the second region grew, so the replicas of the whole cluster are raised by one'
const VALUE =
  'a value that is so long that it takes more than one line of any terminal that a person uses, and goes on to its END'

const app = `
import { END, START, StateGraph } from '${new URL('../../../agentstategraph/lib/graph.js', import.meta.url)}'
const review = new StateGraph({ state: { draft: '', approved: false } })
  .addNode('write_the_draft', async s => ({ draft: s.draft + ' from the node that writes' }))
  .addNode('ask', async (s, { interrupt }) => ({ approved: await interrupt('Send ' + s.draft + '?') }))
  .addEdge(START, 'write_the_draft')
  .addEdge('write_the_draft', 'ask')
  .addConditionalEdges('ask', s => (s.approved ? END : 'write_the_draft'), ['write_the_draft', END])
export const graphs = { review: repo => review.compile({ repo, name: 'review' }) }
`

/** Its name is as wide on every machine. */
const env = { ASG_AGENT: 'human/ann' }

const story = [
  `set /cluster/replicas 3 -m '${WORDS}' --confidence 0.85 --reasoning '${VALUE}' --agent agent/the-scaler-of-the-second-region`,
  `set /cluster/notes/motd '${VALUE}' -m '${WORDS}' --intent-id tell --tags long --tags words`,
  `set /cluster/replicas 4 -m '${WORDS}' --expects '{"path":"/cluster/replicas","min":4}'`,
  `branch create feature/with-a-name-that-says-what-it-is-about`,
  `set /cluster/network flannel -m '${WORDS}' --ref feature/with-a-name-that-says-what-it-is-about`,
  `merge feature/with-a-name-that-says-what-it-is-about -m '${WORDS}'`,
  `observe HEAD~2 --held --note '${WORDS}' --agent agent/the-monitor`,
  `spec new --label nfs`,
  `spec set nfs /storage/kind '${VALUE}' -m '${WORDS}' --confidence 0.7`,
  `spec new --label ceph`,
  `spec set ceph /storage/kind ceph -m 'It is there'`,
  `epoch create q1 '${WORDS}'`,
  `plan create move '${WORDS}'`,
  `task add move '${WORDS}'`,
  `tag create first-release --from HEAD~2`,
  `thread run review case-1 '{"draft":"A letter"}' --app app.mjs`,
]

/** What is drawn or in columns, which a line that wraps would break. */
const drawn = [
  'tree',
  'intent tree',
  'log --graph',
  'log --oneline',
  'history /cluster/replicas',
  'blame-tree /cluster',
  'paths',
  'search replicas',
  'branch list',
  'tag list',
  'spec list',
  'spec compare nfs ceph',
  'epoch list',
  'plan list',
  'task list move',
  'graph show review --app app.mjs',
  'thread list review --app app.mjs',
  'thread history review case-1 --app app.mjs',
]

/** What is text: lines wrap, and on a terminal a fact takes a few of them at most. */
const written = [
  'log',
  'query --tags long',
  'show HEAD~1',
  'blame /cluster/replicas',
  'diff HEAD~3 HEAD',
  'status',
  'epoch show q1',
  'thread show review case-1 --app app.mjs',
]

let store: CliFolder
beforeAll(async () => {
  store = await cliStore()
  writeFileSync(join(store.folder, 'app.mjs'), app)
  for (const line of story) expect(await store.asg(shellWords(line), { env }), line).toMatchObject({ code: 0 })
})
afterAll(() => store.remove())

async function shown(line: string, columns?: number): Promise<string> {
  const seen = columns === undefined ? { env } : { columns, env: { ...env, NO_COLOR: '1' } }
  const { out, code, err } = await store.asg(shellWords(line), seen)
  expect([0, 1], err).toContain(code)
  return out.trimEnd()
}

const widest = (text: string): number => Math.max(...text.split('\n').map(line => [...line].length))

describe.each([80, 120])('on a terminal of %i columns', columns => {
  it.each(drawn)('%s fits', async line => {
    expect(widest(await shown(line, columns))).toBeLessThanOrEqual(columns)
  })

  it.each(written)('%s has no line of more than five rows', async line => {
    expect(widest(await shown(line, columns))).toBeLessThanOrEqual(columns * 5)
  })
})

it.each([...drawn, ...written])('in a pipe nothing of %s is cut', async line => {
  const text = await shown(line)
  expect(text.replace(/\{\d+\} …/g, '')).not.toContain('…')
  // What a narrow terminal shows the beginning of is there in full.
  if ((await shown(line, 80)).includes('a value that is so long')) expect(text).toContain('goes on to its END')
})

it('they look as they did', async () => {
  const named = normaliser(store.folder)
  // Speculations are listed by their ids, which are random.
  const normal = (text: string): string => named(text).replace('ceph, nfs', 'nfs, ceph')
  const pages: string[] = []
  const ordered = [...drawn, ...written].filter(line => line !== 'spec list')
  for (const line of ordered) pages.push(`$ asg ${line}\n${normal(await shown(line, 100))}\n`)
  await expect(pages.join('\n')).toMatchFileSnapshot('views.txt')
})
