/** A store with dropped states, exported and pushed: what is left comes to another store, where it reads, blames and verifies. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chained } from '../../src/maintenance/exchange/export-line.ts'
import {
  exportRepository,
  gc,
  importRepository,
  pull,
  push,
  setRetention,
  verify,
} from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { person, worker } from '../access/support/people.ts'
import { history, play } from './support/histories.ts'
import { stores } from './support/stores.ts'

const all = { keepNewerMs: -1 }
const long = (label: string): string => `${label} `.repeat(400)

/** Commits, branches and tags; the state of every commit, where it is kept, and who wrote it. */
async function told(repo: Repository): Promise<unknown> {
  const refs = [...(await repo.branches()), ...(await repo.tags())]
  const states = new Map<string, unknown>()
  for (const { id } of refs) {
    for (const { seq: _, ...commit } of await repo.at(id!).log()) {
      const at = repo.at(commit.id)
      const state = await Promise.all([at.get('/'), at.blameTree('/')]).catch(({ code }) => code)
      states.set(commit.id, [commit, Array.isArray(state) ? [state[0], unnumbered(state[1])] : state])
    }
  }
  return { refs, states }
}

function unnumbered(blames: readonly object[]): unknown {
  return blames.map(one => ({ ...one, seq: undefined, draft: undefined }))
}

async function linesOf(repo: Repository): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportRepository(repo)) lines.push(line.trimEnd())
  return lines
}

/** A commit a step; the first states are dropped, and nodes of them that later states use are kept. */
async function trimmedStore(): Promise<Repository> {
  const repo = (await open()).as('agent/a')
  await repo.set('/kept', { text: long('kept') }, 'Keep')
  for (let n = 0; n < 4; n++) await repo.set('/text', long(`${n}`), `Step ${n}`)
  await setRetention(repo, { count: 2 })
  await gc(repo, all)
  return repo
}

describe('after retention', () => {
  it.each(stores)('an export and a push come back as the source is, in any history, to %s', async (_, make) => {
    await fc.assert(
      fc.asyncProperty(history, history, fc.integer({ min: 1, max: 4 }), async (steps, later, count) => {
        await using source = await open()
        await play(source, steps)
        await setRetention(source, { count })
        await gc(source, all)
        const expected = await told(source)
        await using imported = await open(make())
        await importRepository(imported, exportRepository(source))
        expect(await told(imported)).toEqual(expected)
        expect((await verify(imported)).damage).toEqual([])
        await using again = await open()
        await importRepository(again, exportRepository(imported))
        expect(await told(again)).toEqual(expected)
        await using pushed = await open(make())
        await push(source, pushed)
        expect((await verify(pushed)).damage).toEqual([])
        for (const { name } of await source.branches()) {
          expect(await pushed.on(name).get('/')).toEqual(await source.on(name).get('/'))
        }
        await play(source, later)
        await pull(pushed, source, { merge: false })
        await importRepository(imported, exportRepository(source)).catch(({ code }) =>
          expect(code).toBe('refs-diverged'),
        )
        await play(imported, later)
        await setRetention(imported, { count: 1 })
        await gc(imported, all)
        for (const one of [pushed, imported]) expect((await verify(one)).damage).toEqual([])
      }),
      { numRuns: 4 },
    )
  })
})

describe('a commit without its state that was imported', () => {
  it('says so when the state is asked for, without rules that this store does not have', async () => {
    await using source = await trimmedStore()
    await using target = await open()
    await importRepository(target, exportRepository(source))
    const commit = (await target.log())[3]!
    await expect(target.at(commit.id).get('/')).rejects.toMatchObject({ code: 'state-trimmed' })
    await expect(target.at(commit.id).get('/')).rejects.toThrow('dropped where it was imported from')
  })

  it('is brought by the operator alone', async () => {
    await using source = await trimmedStore()
    await using target = await open()
    const limited = await person(target, 'agent/a', { capabilities: [...worker] })
    await expect(push(source, limited)).rejects.toMatchObject({ code: 'commit-refused' })
    await expect(push(source, limited)).rejects.toThrow('only the operator')
    await push(source, target)
  })
})

describe('an export that lies about what was dropped', () => {
  type Line = Record<string, unknown>

  /** Imports a changed export, with the chain of its lines made anew. */
  async function importChanged(change: (lines: Line[]) => void): Promise<void> {
    await using source = await trimmedStore()
    await using target = await open()
    const lines = (await linesOf(source)).slice(0, -1).map(line => JSON.parse(line) as Line)
    change(lines)
    const texts = lines.map(line => JSON.stringify(line))
    const hash = texts.reduce(chained, '')
    try {
      await importRepository(target, [...texts, JSON.stringify({ end: { hash, lines: texts.length } })])
    } finally {
      expect((await target.handle.journal.log.head()).seq > 0).toBe((await target.branches()).length > 0)
    }
  }

  const isNode = (line: Line): boolean => 'node' in line

  it('is imported as it is when nothing was changed', async () => {
    await expect(importChanged(() => {})).resolves.toBeUndefined()
  })

  it.each<[string, (lines: Line[]) => void]>([
    ['a node of a state that is there', lines => trimAt(lines, lines.findLastIndex(isNode))],
    ['a node that a later one links to', lines => trimAt(lines, lines.findIndex(isNode))],
    ['a leaf that is none', lines => Object.assign(lines.find(line => 'trimmed' in line)!, { trimmed: 'short' })],
    [
      'a pointer to another node',
      lines => {
        const node = lines.findLast(line => isNode(line) && (line['provenance'] as number[]).some(seq => seq > 1))!
        const provenance = node['provenance'] as number[]
        node['provenance'] = provenance.map((number, i) => (i % 2 === 1 ? number + 1 : number))
      },
    ],
  ])('is refused with %s', async (_, change) => {
    await expect(importChanged(change)).rejects.toMatchObject({ code: 'import-refused' })
  })

  function trimAt(lines: Line[], at: number): void {
    lines[at] = { trimmed: 'A'.repeat(43) }
  }
})
