/** A name is that of a branch or of a tag, never of both. */
import { describe, expect, it } from 'vitest'
import { exportRepository, importRepository, pull, push } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { appendEntries } from '../../src/store/index.ts'
import { allStores, openNew, refusalOf } from './support/open-stores.ts'

describe.each(allStores)('on $name', store => {
  it('the other kind of the same name is refused, however it would be made', async () => {
    const repo = await openNew(store)
    await repo.set('/n', 1, 'One')
    await repo.branch('b')
    await repo.tag('t')
    const head = await repo.head()
    const refused = [
      [repo.tag('b'), 'branch'],
      [repo.branch('t'), 'tag'],
      [repo.renameBranch('b', 't'), 'tag'],
    ] as const
    for (const [work, as] of refused) {
      expect(await refusalOf(work)).toMatchObject({ code: 'ref-exists', data: { as } })
    }
    expect((await refusalOf(repo.tag('main'))).code).toBe('ref-name-invalid')
    expect((await refusalOf(repo.tag('thread/g/1'))).code).toBe('ref-name-invalid')
    await repo.deleteBranch('b')
    await repo.tag('b')
    await repo.deleteTag('t')
    await repo.branch('t')
    expect(await repo.head()).toEqual(head)
  })

  it('a branch that exists is not created again, from itself as from another', async () => {
    const repo = await openNew(store)
    await repo.set('/n', 1, 'One')
    await repo.branch('b')
    const works = [
      () => repo.branch('main'),
      () => repo.branch('b'),
      () => repo.on('b').branch('b'),
      () => repo.on('b').branch('main'),
      () => repo.branch('b', { from: 'b' }),
    ]
    for (const work of works) expect(await refusalOf(work())).toMatchObject({ code: 'ref-exists' })
  })

  it('undoing a deletion does not bring a name back that was given to the other kind', async () => {
    const repo = await openNew(store)
    await repo.set('/n', 1, 'One')
    await repo.branch('x')
    await repo.deleteBranch('x')
    const { seq } = await repo.handle.journal.log.head()
    await repo.tag('x')
    expect(await refusalOf(repo.undo(seq))).toMatchObject({ code: 'ref-exists', data: { ref: 'x', as: 'tag' } })
  })

  it('pull, push and import are refused before anything is brought', async () => {
    const repo = await openNew(store)
    await repo.set('/n', 1, 'One')
    const other = await open()
    await pull(other, repo)
    await repo.tag('x')
    await other.branch('x')
    const before = await repo.handle.journal.log.head()
    const lines: string[] = []
    for await (const line of exportRepository(other)) lines.push(line)
    const works = [() => pull(repo, other), () => push(other, repo), () => importRepository(repo, lines)]
    for (const work of works) {
      expect(await refusalOf(work())).toMatchObject({ code: 'ref-exists', data: { ref: 'x', as: 'tag' } })
    }
    expect(await repo.handle.journal.log.head()).toEqual(before)
    await other.close()
  })

  it('a history that has both is told so when the name is looked up, and can be exported and read back', async () => {
    const repo = await openNew(store)
    const first = await repo.set('/n', 1, 'One')
    const second = await repo.set('/n', 2, 'Two')
    const { journal } = repo.handle
    const move = (name: string, to: number) => ({ name, expect: null, to })
    const moves = [move('branch/x', first.seq), move('tag/x', second.seq)]
    await journal.run(appendEntries(journal, [{ kind: 'ref', agent: 'agent/x' }], moves))
    expect(await refusalOf(repo.at('x').get('/n'))).toMatchObject({ code: 'name-ambiguous', data: { name: 'x' } })
    expect(await repo.on('x').get('/n')).toBe(1)
    expect(await repo.at({ id: second.id }).get('/n')).toBe(2)
    const copy = await open()
    await importRepository(copy, exportRepository(repo))
    expect((await copy.tags()).map(({ name }) => name)).toEqual(['x'])
    await copy.close()
    await repo.deleteTag('x')
    expect(await repo.at('x').get('/n')).toBe(1)
  })
})
