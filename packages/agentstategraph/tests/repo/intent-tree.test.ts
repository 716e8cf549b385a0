/** What `intentTree` and `graph` promise. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { kvBackend, memory } from '../../src/backends/index.ts'
import { type IntentNode, type IntentTreeOptions, open, type Repository } from '../../src/repository/index.ts'
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

/** The pages of a tree put together by ids: commits are added, and all else is what the last page says. */
async function pagesTogether(repo: Repository, options: IntentTreeOptions, limit: number): Promise<unknown> {
  const nodes = new Map<string, { node: IntentNode; commits: string[]; children: Set<string> }>()
  const tops = new Set<string>()
  const add = (node: IntentNode, below: Set<string>): void => {
    below.add(node.id)
    const known = nodes.get(node.id) ?? { node, commits: [], children: new Set() }
    nodes.set(node.id, known)
    known.commits.push(...node.commits.map(({ id }) => id))
    for (const child of node.children) add(child, known.children)
  }
  for (let after: string | undefined; ; ) {
    const { intents, next } = await repo.intentTree({ ...options, limit, after })
    for (const node of intents) add(node, tops)
    expect(commitsIn(intents)).toBeLessThanOrEqual(limit)
    if (next === undefined) break
    after = next
  }
  const told = (id: string): unknown => {
    const { node, commits, children } = nodes.get(id)!
    return { ...node, commits, children: [...children].map(told) }
  }
  return [...tops].map(told)
}

function commitsIn(intents: readonly IntentNode[]): number {
  return intents.reduce((sum, { commits, children }) => sum + commits.length + commitsIn(children), 0)
}

function withCommitIds(intents: readonly IntentNode[]): unknown {
  return intents.map(node => ({
    ...node,
    commits: node.commits.map(({ id }) => id),
    children: withCommitIds(node.children),
  }))
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const event = fc.oneof(
  { weight: 5, arbitrary: fc.record({ id, parent: fc.option(id, { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ resolved: fc.constantFrom('a', 'b', 'x') }) },
  { weight: 1, arbitrary: fc.record({ proposed: fc.constantFrom('c', 'y'), parent: fc.constantFrom('a', 'x') }) },
)

describe.each([
  ['in memory', memory],
  ['in a key-value store', () => kvBackend(memoryKV(new Map()))],
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
    expect(drawn((await repo.intentTree()).intents)).toEqual([
      ['move (Move to the new region) 1', [['copy (Copy) 2 partial fulfilled', [['check (Check) 1']]]]],
      ['else (Something else) 1'],
      ['named (-) 0', [['child (Known by name only) 1']]],
    ])
    expect(drawn((await repo.intentTree({ intent: 'copy' })).intents)).toEqual([
      ['copy (Copy) 2 partial fulfilled', [['check (Check) 1']]],
    ])
    expect((await repo.intentTree({ intent: 'copy' })).intents[0]!.resolutions[0]).toMatchObject({
      summary: 'most',
      deviations: [{ description: 'one left' }],
    })
    expect(drawn((await repo.intentTree({ intent: 'nothing' })).intents)).toEqual([['nothing (-) 0']])
    await repo.close()
  })

  it('is a tree even where intents name one another in a circle', async () => {
    const repo = await open(newStore())
    await commit(repo, 'A', 'a', 'b')
    await commit(repo, 'B', 'b', 'a')
    await commit(repo, 'Self', 'self', 'self')
    expect(drawn((await repo.intentTree()).intents)).toEqual([['b (B) 1', [['a (A) 1']]], ['self (Self) 1']])
    expect(drawn((await repo.intentTree({ intent: 'a' })).intents)).toEqual([['a (A) 1', [['b (B) 1']]]])
    await repo.close()
  })

  it('is the same in one page and in many, of everything, of one intent, or of what led to a branch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (events, limit) => {
        await using repo = await open(newStore())
        await commit(repo, 'Begin', 'a')
        for (const [n, one] of events.entries()) {
          if ('id' in one) await commit(repo, `Commit ${n}`, one.id, one.parent)
          else if ('resolved' in one) await repo.resolveIntent(one.resolved, { outcome: 'fulfilled', summary: `${n}` })
          else
            await access(repo)
              .intents.propose({ id: one.proposed, description: 'Do it', parent: one.parent })
              .catch(() => undefined)
        }
        for (const options of [{}, { intent: 'b' }, { intent: 'y' }, { from: 'main' }, { from: 'main', intent: 'a' }]) {
          const whole = await repo.intentTree(options)
          expect(whole.next).toBeUndefined()
          expect(await pagesTogether(repo, options, limit)).toEqual(withCommitIds(whole.intents))
        }
        // Each landed commit is there once.
        expect(commitsIn((await repo.intentTree()).intents)).toBe(await repo.query({}).count())
      }),
      { numRuns: 20 },
    )
  })

  it('shows at most 64 intents above one, and names the next', async () => {
    await using repo = await open(newStore())
    for (let n = 0; n < 100; n++) await commit(repo, `Step ${n}`, `i${n}`, n === 0 ? undefined : `i${n - 1}`)
    const { next } = await repo.intentTree({ limit: 99 })
    const { intents } = await repo.intentTree({ limit: 1, after: next! })
    expect(intents).toMatchObject([{ id: 'i35', parent: 'i34' }])
    expect(commitsIn(intents)).toBe(1)
  })

  it('refuses a cursor that no page gave, and options that it does not know', async () => {
    await using repo = await open(newStore())
    await commit(repo, 'A', 'a')
    for (const after of ['', 'x', 'cx', 'r-1', 'f1']) {
      await expect(repo.intentTree({ after })).rejects.toMatchObject({ code: 'option-invalid' })
    }
    await expect(repo.intentTree({ intent: 'a', after: 'r1' })).rejects.toMatchObject({ code: 'option-invalid' })
    await expect(repo.intentTree({ from: 'main', after: 'c1' })).rejects.toMatchObject({ code: 'option-invalid' })
    await expect(repo.intentTree('a' as never)).rejects.toMatchObject({ code: 'option-invalid' })
  })
})

it('an intent tree is the same for a reader who finds no index and may not build one', async () => {
  const kv = new Map()
  await using repo = await open(kvBackend(memoryKV(kv)))
  for (let n = 0; n < 9; n++) await commit(repo, `Commit ${n}`, `i${n % 4}`, n % 3 === 0 ? undefined : `i${n % 5}`)
  await repo.resolveIntent('i1', { outcome: 'fulfilled', summary: 'Done' })
  await repo.resolveIntent('nothing', { outcome: 'failed', summary: 'Not begun' })
  await using reader = await open(kvBackend(memoryKV(kv), { readOnly: true }), { readOnly: true })
  expect(reader.handle.journal.log.index).toMatchObject({ isFixed: true })
  for (const options of [{}, { intent: 'i1' }, { intent: 'nothing' }, { from: 'main' }]) {
    expect(await reader.intentTree(options)).toEqual(await repo.intentTree(options))
    expect(await pagesTogether(reader, options, 2)).toEqual(await pagesTogether(repo, options, 2))
  }
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
