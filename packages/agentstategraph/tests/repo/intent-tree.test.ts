/** What `intentTree` and `graph` promise. */
import { describe, expect, it } from 'vitest'
import { kvBackend, memory } from '../../src/backends/index.ts'
import { type IntentNode, open, type Repository } from '../../src/repository/index.ts'
import { memoryKV } from '../../src/testing/index.ts'

/** A tree as text: each intent, how many commits it has, how it ended, and what is below it. */
function drawn(nodes: readonly IntentNode[]): unknown {
  return nodes.map(({ id, description, commits, resolutions, children }) => [
    `${id} (${description ?? '-'}) ${commits.length}${resolutions.map(({ outcome }) => ` ${outcome}`).join('')}`,
    ...(children.length === 0 ? [] : [drawn(children)]),
  ])
}

async function commit(repo: Repository, description: string, id: string, parent?: string): Promise<void> {
  const intent = parent === undefined ? { id } : { id, parent }
  await repo.set('/at', description, { description, intent, allowEmpty: true })
}

describe.each([
  ['with an index', memory],
  ['without one', () => kvBackend(memoryKV(new Map()))],
])('an intent tree %s', (_name, newStore) => {
  it('shows each intent once, with its commits, what is below it and how it ended', async () => {
    const repo = await open(newStore())
    await commit(repo, 'Move to the new region', 'move')
    await commit(repo, 'Copy', 'copy', 'move')
    await commit(repo, 'Copy the rest', 'copy', 'move')
    await commit(repo, 'Check', 'check', 'copy')
    await commit(repo, 'Something else', 'else')
    await commit(repo, 'Known by name only', 'child', 'named')
    await repo.resolveIntent('copy', { outcome: 'partial', summary: 'most', deviations: [{ description: 'one left' }] })
    await repo.resolveIntent('copy', { outcome: 'fulfilled', summary: 'all' })
    expect(drawn(await repo.intentTree())).toEqual([
      ['move (Move to the new region) 1', [['copy (Copy) 2 partial fulfilled', [['check (Check) 1']]]]],
      ['else (Something else) 1'],
      ['named (-) 0', [['child (Known by name only) 1']]],
    ])
    expect(drawn(await repo.intentTree('copy'))).toEqual([['copy (Copy) 2 partial fulfilled', [['check (Check) 1']]]])
    expect((await repo.intentTree('copy'))[0]!.resolutions[0]).toMatchObject({
      summary: 'most',
      deviations: [{ description: 'one left' }],
    })
    expect(drawn(await repo.intentTree('nothing'))).toEqual([['nothing (-) 0']])
    await repo.close()
  })

  it('is a tree even where intents name one another in a circle', async () => {
    const repo = await open(newStore())
    await commit(repo, 'A', 'a', 'b')
    await commit(repo, 'B', 'b', 'a')
    await commit(repo, 'Self', 'self', 'self')
    expect(drawn(await repo.intentTree())).toEqual([['b (B) 1', [['a (A) 1']]], ['self (Self) 1']])
    expect(drawn(await repo.intentTree('a'))).toEqual([['a (A) 1', [['b (B) 1']]]])
    await repo.close()
  })
})

describe('a graph', () => {
  it('gives each line of history a lane of its own, and joins lanes where lines meet', async () => {
    const repo = await open()
    await repo.set('/a', 1, 'base')
    const side = await repo.branch('side')
    await side.set('/b', 1, 'side 1')
    await repo.set('/a', 2, 'main 1')
    await side.set('/b', 2, 'side 2')
    await repo.merge('side', 'join')
    await repo.tag('v1')
    const { commits, lanes } = await repo.commitGraph()
    expect(lanes).toBe(2)
    expect(commits.map(({ description, lane, parentLanes }) => [description, lane, ...parentLanes])).toEqual([
      ['join', 0, 0, 1],
      ['side 2', 1, 1],
      ['main 1', 0, 0],
      ['side 1', 1, 0],
      ['base', 0],
    ])
    expect(commits[0]!.refs).toEqual([
      { kind: 'branch', name: 'main' },
      { kind: 'tag', name: 'v1' },
    ])
    expect(commits[1]!.refs).toEqual([{ kind: 'branch', name: 'side' }])
    expect(commits[0]!.parents).toEqual([commits[2]!.id, commits[1]!.id])
    expect((await repo.commitGraph({ limit: 2 })).commits).toEqual(commits.slice(0, 2))
    await repo.close()
  })

  it('reuses a lane that has ended', async () => {
    const repo = await open()
    await repo.set('/a', 0, 'base')
    for (const n of [1, 2, 3]) {
      const side = await repo.branch(`side-${n}`)
      await side.set('/side', n, `side ${n}`)
      await repo.merge(`side-${n}`, `join ${n}`)
    }
    const { commits, lanes } = await repo.commitGraph()
    expect([commits.length, lanes]).toEqual([7, 2])
    await repo.close()
  })

  it('of a repository without commits is empty', async () => {
    const repo = await open()
    expect(await repo.commitGraph()).toEqual({ commits: [], lanes: 0 })
    await repo.close()
  })
})
