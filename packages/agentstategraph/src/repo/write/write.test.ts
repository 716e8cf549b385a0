import { expect, it } from 'vitest'
import { set, wholeTree } from '../../../tests/store/support/journals.ts'
import { memoryBackend, openJournal } from '../../store/index.ts'
import { valueOfChild, writerOf } from '../../tree/index.ts'
import { writer } from './write.ts'

it('a write of what is already there makes no commit, unless one is asked for', async () => {
  const writing = writer(await openJournal(memoryBackend()))
  const first = await set(writing, 'branch/main', { '/a': 1 })
  const second = await set(writing, 'branch/main', { '/a': 1 })
  expect([first.changed, second.changed, second.commit.seq]).toEqual([true, false, first.commit.seq])
  const third = await set(writing, 'branch/main', { '/a': 1 }, { allowEmpty: true })
  expect([third.changed, third.commit.seq]).toEqual([true, first.commit.seq + 1])
  expect(third.commit.tree.id).toBe(first.commit.tree.id)
})

it('a write by one who has not seen the newest commit is done again on it', async () => {
  const journal = await openJournal(memoryBackend())
  const [ours, theirs] = [writer(journal), writer(journal)]
  await set(ours, 'branch/main', { '/list': ['first'] })
  await set(theirs, 'branch/main', { '/list/-': 'theirs' })
  const { commit } = await set(ours, 'branch/main', { '/list/-': 'ours' })
  expect(await journal.run(valueOfChild(journal.context, commit.tree))).toEqual({ list: ['first', 'theirs', 'ours'] })
})

it('a write that changes nothing on an old head, and something on the new one, is made', async () => {
  const journal = await openJournal(memoryBackend())
  const [ours, theirs] = [writer(journal), writer(journal)]
  await set(ours, 'branch/main', { '/a': 1 })
  await set(theirs, 'branch/main', { '/a': 2 })
  const { commit, changed } = await set(ours, 'branch/main', { '/a': 1 })
  expect([commit.seq, changed]).toEqual([4, true])
})

it('the writers of unchanged values stay those who wrote them', async () => {
  const journal = await openJournal(memoryBackend())
  const writing = writer(journal)
  const { commit: first } = await set(writing, 'branch/main', { '/a': 1, '/b': 1 })
  const { commit: second } = await set(writing, 'branch/main', { '/b': 2 })
  expect(second.entry.changed).toEqual(['/b'])
  expect((await journal.run(wholeTree(journal.context, second.tree))).writers).toEqual([
    ['/a', writerOf(first.seq, 0)],
    ['/b', writerOf(second.seq, 0)],
  ])
})
