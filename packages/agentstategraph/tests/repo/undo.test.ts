/** Undo: any operation on branches and tags can be taken back, by a new entry that says which one. */
import { describe, expect, it } from 'vitest'
import type { Repository } from '../../src/repository/index.ts'
import { openNew, refusalOf, stores } from './support/open-stores.ts'

async function namesOf(repo: Repository): Promise<readonly string[]> {
  return [...(await repo.branches()), ...(await repo.tags())].map(({ name }) => name)
}

async function newestSeq(repo: Repository): Promise<number> {
  return (await repo.handle.journal.log.head()).seq
}

describe.each(stores)('on $name', store => {
  it('takes back a commit by a new one, and keeps what others wrote since', async () => {
    const repo = await openNew(store)
    await repo.as('agent/a').set('/a', 1, 'Mine')
    const mine = await repo.as('agent/a').set('/a', 2, 'Mine too')
    await repo.as('agent/b').set('/b', 1, 'Not mine')
    const event = await repo.as('agent/a').undo()
    const head = await repo.head()
    expect(event).toEqual({
      seq: head.seq,
      timestamp: head.timestamp,
      agent: 'agent/a',
      cursor: `${head.seq}`,
      kind: 'undo',
      entry: mine.seq,
      refs: [{ ref: 'branch', name: 'main' }],
      commit: expect.objectContaining({ id: mine.id }),
      changes: [{ op: 'change', path: '/a', before: 2, after: 1 }],
    })
    expect(head.intent).toMatchObject({ category: 'Rollback', description: 'Undo "Mine too"' })
    expect(await repo.get('/')).toEqual({ a: 1, b: 1 })
  })

  it('can be looked at before, with what it would change and where, and nothing is written', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    const side = await repo.branch('side')
    const { seq, id } = await side.set('/a', 2, 'On the side')
    const before = await newestSeq(repo)
    const preview = await repo.previewUndo()
    expect(preview).toMatchObject({ entry: seq, refs: [{ ref: 'branch', name: 'side' }], commit: { id } })
    expect(await newestSeq(repo)).toBe(before)
    const { seq: _, cursor: _c, timestamp: _t, agent: _a, kind: _k, ...done } = await repo.undo()
    expect(done).toEqual(preview)
    await side.set('/a', 3, 'Again')
    await repo.on('side').set('/a', 4, 'And again')
    expect(await refusalOf(repo.previewUndo(seq))).toMatchObject({ code: 'merge-conflict' })
  })

  it('with a name it changes no other branch or tag', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    const side = await repo.branch('side')
    const { seq } = await side.set('/a', 2, 'On the side')
    for (const call of [repo.undo(undefined, { on: 'main' }), repo.previewUndo(seq, { on: 'main' })]) {
      expect(await refusalOf(call)).toMatchObject({
        code: 'undo-elsewhere',
        data: { entry: seq, on: 'main', refs: [{ ref: 'branch', name: 'side' }] },
      })
    }
    expect(await side.get('/a')).toBe(2)
    expect(await repo.undo(seq, { on: 'side' })).toMatchObject({ entry: seq })
    await repo.renameBranch('side', 'aside')
    expect(await refusalOf(repo.undo(undefined, { on: 'main' }))).toMatchObject({ code: 'undo-elsewhere' })
    await repo.undo(undefined, { on: 'aside' })
    expect(await namesOf(repo)).toEqual(['main', 'side'])
  })

  it('asked again it goes further back, until there is nothing left', async () => {
    const repo = await openNew(store)
    for (let n = 1; n <= 3; n++) await repo.set('/n', n, `Write ${n}`)
    await repo.undo()
    await repo.undo()
    expect(await repo.get('/n')).toBe(1)
    await repo.undo()
    expect(await repo.get('/')).toEqual({})
    const before = await newestSeq(repo)
    expect(await refusalOf(repo.undo())).toMatchObject({ code: 'nothing-to-undo', data: { agent: 'anonymous' } })
    expect(await newestSeq(repo)).toBe(before)
  })

  it('an undo that is undone does the operation again, which can then be undone again', async () => {
    const repo = await openNew(store)
    await repo.set('/n', 1, 'One')
    const second = await repo.set('/n', 2, 'Two')
    const undone = await repo.undo()
    const redone = await repo.undo(undone.seq)
    expect(redone).toMatchObject({ kind: 'undo', entry: undone.seq })
    expect(await repo.get('/n')).toBe(2)
    expect(await repo.undo()).toMatchObject({ entry: second.seq })
    expect(await repo.get('/n')).toBe(1)
  })

  it('works on the branch that the operation was made on', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    const side = await repo.branch('side')
    await side.set('/a', 2, 'On the side')
    await repo.undo()
    expect(await side.get('/a')).toBe(1)
    expect((await repo.log()).length).toBe(1)
  })

  it('takes back a merge to what its branch was before', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    const side = await repo.branch('side')
    await side.set('/b', 2, 'On the side')
    await repo.set('/c', 3, 'On main')
    await repo.merge('side')
    await repo.set('/d', 4, 'After the merge')
    await repo.undo((await newestSeq(repo)) - 1)
    expect(await repo.get('/')).toEqual({ a: 1, c: 3, d: 4 })
    expect(await side.get('/b')).toBe(2)
  })

  it('takes back a landed speculation whole', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    await using speculation = await repo.speculate()
    await speculation.set('/a', 2)
    await speculation.set('/b', 2)
    const landed = await speculation.commit('Land it')
    await using _open = await repo.speculate()
    expect(await repo.undo()).toMatchObject({ entry: landed.seq })
    expect(await repo.get('/')).toEqual({ a: 1 })
  })

  it('a title that would be too long is cut, and still a text', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, '🚀'.repeat(256))
    await repo.undo()
    expect((await repo.head()).intent.description).toBe(`Undo "${'🚀'.repeat(200)}…"`)
  })

  it('brings branches and tags back to where they were: made, renamed, deleted, moved', async () => {
    const repo = await openNew(store)
    const first = await repo.set('/a', 1, 'Begin')
    const side = await repo.branch('side')
    await side.set('/a', 2, 'On the side')
    await repo.tag('v1')
    await repo.renameBranch('side', 'aside')
    await repo.merge('aside', { description: 'Forward', fastForward: true })
    await repo.deleteTag('v1')
    await repo.deleteBranch('aside')
    const names: (readonly string[])[] = []
    const next = async () => {
      await repo.undo()
      names.push(await namesOf(repo))
    }
    await next()
    await next()
    expect((await repo.head()).id).not.toBe(first.id)
    await next()
    expect((await repo.head()).id).toBe(first.id)
    await next()
    await next()
    await next()
    expect(names).toEqual([
      ['aside', 'main'],
      ['aside', 'main', 'v1'],
      ['aside', 'main', 'v1'],
      ['main', 'side', 'v1'],
      ['main', 'side'],
      ['main', 'side'],
    ])
    expect(await side.get('/a')).toBe(1)
  })

  it('a ref operation that is done again is exactly what it was', async () => {
    const repo = await openNew(store)
    await repo.set('/a', 1, 'Begin')
    await repo.branch('side')
    await repo.renameBranch('side', 'aside')
    const undone = await repo.undo()
    expect(await namesOf(repo)).toEqual(['main', 'side'])
    await repo.undo(undone.seq)
    expect(await namesOf(repo)).toEqual(['aside', 'main'])
  })

  it('shows to those who watch as what it did, with the entry it takes back', async () => {
    const repo = await openNew(store)
    const { seq } = await repo.set('/a', 1, 'Begin')
    await repo.branch('side')
    const watching = repo.watch()[Symbol.asyncIterator]()
    await repo.undo()
    expect((await watching.next()).value).toMatchObject({ kind: 'ref', name: 'side', undoes: seq + 1 })
    await repo.undo()
    const { value } = await watching.next()
    const changes = [{ op: 'remove', path: '/a', before: 1 }]
    expect(value).toMatchObject({ kind: 'commit', branch: 'main', changes, undoes: seq })
    await watching.return?.()
  })

  describe('what cannot be undone is refused, and everything stays as it was:', () => {
    const cases: readonly {
      readonly title: string
      readonly prepare: (repo: Repository) => Promise<number>
      readonly code: string
      readonly named: string
    }[] = [
      {
        title: 'a place that was written again',
        code: 'merge-conflict',
        named: '/a',
        async prepare(repo) {
          const { seq } = await repo.set('/a', 2, 'Two')
          await repo.set('/a', 3, 'Three')
          return seq
        },
      },
      {
        title: 'a commit that is taken back already',
        code: 'nothing-to-undo',
        named: 'Entry 3',
        async prepare(repo) {
          const { seq } = await repo.set('/a', 2, 'Two')
          await repo.undo()
          return seq
        },
      },
      {
        title: 'a new branch on which something was written',
        code: 'precondition-failed',
        named: '"side"',
        async prepare(repo) {
          const side = await repo.branch('side')
          const seq = await newestSeq(repo)
          await side.set('/b', 1, 'On the side')
          return seq
        },
      },
      {
        title: 'a deleted branch whose name is taken',
        code: 'precondition-failed',
        named: '"side"',
        async prepare(repo) {
          await repo.branch('side')
          await repo.deleteBranch('side')
          const seq = await newestSeq(repo)
          await repo.branch('side')
          return seq
        },
      },
      {
        title: 'a commit whose branch is gone',
        code: 'ref-not-found',
        named: '"side"',
        async prepare(repo) {
          const { seq } = await (await repo.branch('side')).set('/b', 1, 'On the side')
          await repo.deleteBranch('side')
          return seq
        },
      },
      { title: 'the genesis', code: 'nothing-to-undo', named: 'genesis', prepare: async () => 1 },
      {
        title: 'an observation',
        code: 'nothing-to-undo',
        named: 'observe',
        async prepare(repo) {
          await repo.observe('main', { held: true })
          return newestSeq(repo)
        },
      },
      { title: 'an entry that is not there', code: 'entry-not-found', named: '99', prepare: async () => 99 },
    ]
    it.each(cases)('$title', async ({ prepare, code, named }) => {
      const repo = await openNew(store)
      await repo.set('/a', 1, 'Begin')
      const entry = await prepare(repo)
      const before = [await newestSeq(repo), await repo.get('/'), await namesOf(repo)]
      const refusal = await refusalOf(repo.undo(entry))
      expect(refusal.code).toBe(code)
      expect(refusal.message).toContain(named)
      expect([await newestSeq(repo), await repo.get('/'), await namesOf(repo)]).toEqual(before)
    })
  })
})
