/** What a seal counts and lists follows from what came before it, for the library and for both verifiers, whatever happened. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { exportRepository, importRepository } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { epochs, type Profile, verifyBundle } from '../../src/trust/index.ts'
import { inPython, runInNode } from '../verifiers/support/both-verifiers.ts'
import { linesOf } from './support/bundle-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'seal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Seals what was done in an epoch, and lets everybody check it in each profile. */
async function checked(repo: Repository, work: () => Promise<unknown>) {
  await epochs(repo).create('e', 'All of it')
  await work()
  const sealed = await epochs(repo).seal('e', 'Done')
  const profiles: readonly Profile[] = ['full', 'log', 'redacted']
  for (const profile of profiles) {
    const lines = await linesOf(repo, 'e', { profile })
    const file = join(folder, `${profile}.jsonl`)
    writeFileSync(file, lines.join(''))
    expect((await verifyBundle(lines)).failed).toBeUndefined()
    const [exit, words] = await runInNode([file])
    expect(exit).toBe(0)
    expect(inPython('runs', [[file]])).toEqual([[0, words]])
  }
  return sealed
}

it('also when its lists are too long for one entry', async () => {
  await using repo = await open()
  const name = (i: number): string => `agent/${'long '.repeat(20)}${i}`
  const { agents, commits } = await checked(repo, async () => {
    for (let i = 0; i < 700; i++) await repo.as(name(i)).set('/n', i, 'Count')
  })
  expect([agents.length, commits]).toEqual([700, 700])
})

it('also when refs came, went, were moved back and taken over from elsewhere', async () => {
  await using elsewhere = await open()
  await elsewhere.set('/there', 1, 'There')
  await using tried = await elsewhere.speculate({ label: 'tried' })
  await tried.set('/there', 2)
  await tried.commit('Keep it')
  await using repo = await open()
  const { refs, commits } = await checked(repo, async () => {
    await importRepository(repo, exportRepository(elsewhere))
    const side = await repo.branch('side')
    await side.set('/side', 1, 'Side')
    await repo.merge('side', 'Merge')
    await repo.tag('v1')
    await repo.renameBranch('side', 'aside')
    await repo.branch('gone')
    await repo.deleteBranch('gone')
    await using left = await repo.speculate({ label: 'left' })
    await left.set('/x', 1)
    await left.discard()
    const graph = new StateGraph({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('one', () => ({ n: 1 }))
      .addNode('two', () => ({ n: 2 }))
      .addEdge(START, 'one')
      .addEdge(START, 'two')
      .addEdge('one', END)
      .addEdge('two', END)
      .compile({ repo, name: 'counter' })
    await graph.thread('t').run({})
    await (await graph.thread('t').fork('u')).delete()
  })
  expect(Object.keys(refs).sort()).toEqual(['branch/aside', 'branch/main', 'tag/v1', 'thread/counter/t'])
  expect(commits).toBe((await repo.query({ epoch: 'e', limit: 100 })).length)
})
