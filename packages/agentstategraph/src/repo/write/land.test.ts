import { expect, it } from 'vitest'
import {
  layersFolder,
  readSources,
  type SourceFile,
  withoutComments,
} from '../../../tests/architecture/support/source-file.ts'
import { infoOf, set } from '../../../tests/store/support/journals.ts'
import { findHead, memoryBackend, openJournal } from '../../store/index.ts'
import { rootOf } from '../../tree/index.ts'
import type { SettledLanding } from '../landing.ts'
import { land } from './land.ts'
import { writer } from './write.ts'

/** The files that name a function outside comments, other than the one that has it and the index that passes it on. */
function namesIn(files: readonly SourceFile[], name: string): string[] {
  const word = new RegExp(`\\b${name}\\b`)
  return files
    .filter(
      ({ path }) =>
        !path.endsWith('.test.ts') && !path.endsWith('/store/journal/append.ts') && !path.endsWith('/index.ts'),
    )
    .filter(({ text }) => word.test(withoutComments(text)))
    .map(({ path }) => path)
}

function pathsOf(files: readonly SourceFile[]): string[] {
  return files.filter(({ path }) => !path.endsWith('.test.ts')).map(({ path }) => path.slice(layersFolder.length))
}

it('nothing but land appends commits, alone or with others', () => {
  const appending = ['repo/write/land-in-turn.ts', 'repo/write/land.ts'].map(path => `${layersFolder}/${path}`)
  expect(namesIn(readSources([layersFolder]), 'appendCommit')).toEqual(appending)
  const chaining = namesIn(readSources([layersFolder]), 'addToChain').filter(path => !path.endsWith('/chain.ts'))
  expect(chaining).toEqual(appending.slice(0, 1))
})

it('one loop ends every write: nothing else lands, and nothing else fills the cache of heads', () => {
  const files = readSources([layersFolder])
  const importing = files.filter(({ text }) => /import \{[^}]*\bland\b[^}]*\} from/.test(withoutComments(text)))
  expect(pathsOf(importing)).toEqual(['/repo/write/land-in-turn.ts', '/repo/write/land-with-retry.ts'])
  const filling = files.filter(({ text }) => /\bheads\.set\(ref\b/.test(withoutComments(text)))
  expect(pathsOf(filling)).toEqual(['/repo/write/land-with-retry.ts'])
})

it('what lands once, and is not computed again when the ref has moved, is known by name', () => {
  const once = namesIn(readSources([layersFolder]), 'landOnce').map(path => path.slice(layersFolder.length))
  expect(once).toEqual([
    '/graph/thread/edit.ts',
    '/graph/thread/run/journal-run-log.ts',
    '/memory/branch/land-workspace.ts',
    '/plans/land-plan.ts',
    '/repo/write/land-with-retry.ts',
    '/schema/migration-run.ts',
  ])
})

it('entries without commits pass the gate too; only refusals do not, and what an import stages in a store of its own', () => {
  const callers = ['maintenance/exchange/stage.ts', 'repo/access/refusals.ts', 'repo/write/record-entries.ts']
  expect(namesIn(readSources([layersFolder]), 'appendEntries')).toEqual(callers.map(path => `${layersFolder}/${path}`))
})

it('only who receives commits takes them over, and nothing else asks a log to append', () => {
  const files = readSources([layersFolder]).filter(({ path }) => !/\/(backends|testing)\//.test(path))
  expect(namesIn(files, 'appendImported')).toEqual([
    `${layersFolder}/maintenance/exchange/receive.ts`,
    `${layersFolder}/store/journal/import-commits.ts`,
  ])
  const appending = files.filter(
    ({ path, text }) => !path.endsWith('.test.ts') && /log\.append\(/.test(withoutComments(text)),
  )
  expect(appending.map(({ path }) => path.slice(layersFolder.length))).toEqual([
    // A copy of a whole store has the entries of the source as they are, and no others.
    '/maintenance/copy.ts',
    '/store/journal/append.ts',
    '/store/journal/genesis.ts',
    // The driver of work hands each append on as it is.
    '/store/journal/seen-journal.ts',
  ])
})

it('only landings and recorded entries move refs: imported commits move none, and refusals only their own', () => {
  const files = readSources([layersFolder])
  expect(namesIn(files, 'appendSeen')).toEqual([`${layersFolder}/store/journal/import-commits.ts`])
  const textOf = (path: string): string =>
    withoutComments(files.find(file => file.path === `${layersFolder}/${path}`)!.text)
  // A batch reaches a log only from the callers of `appendCommit`, `appendEntries` and `appendSeen`, as the tests here show.
  expect(textOf('store/journal/import-commits.ts').match(/\bmoves: .*/g)).toEqual(['moves: [],', 'moves: guards })'])
  expect(textOf('store/journal/trims.ts')).toContain('expect: trims, to: trims')
  expect(textOf('repo/access/refusals.ts').match(/appendEntries\(.*/g)).toEqual([
    'appendEntries(journal, [record], [{ name: refusalsRef, expect: at, to: { entry: 0 } }])',
  ])
})

it('the search for callers sees a second one', () => {
  const sneaky = { path: `${layersFolder}/repo/sneaky.ts`, text: "import { appendCommit } from '../../store/index.ts'" }
  const innocent = { path: `${layersFolder}/repo/innocent.ts`, text: '/** Not through appendCommit. */' }
  expect(namesIn([sneaky, innocent], 'appendCommit')).toEqual([sneaky.path])
})

it('every check sees the landing, and one that throws keeps it from happening', async () => {
  const journal = await openJournal(memoryBackend())
  const seen: SettledLanding[] = []
  const refusal = new Error('not on main')
  const checks = [
    (landing: SettledLanding) => void seen.push(landing),
    ({ ref }: SettledLanding) => {
      if (ref === 'branch/main') throw refusal
    },
  ]
  await expect(set(writer(journal, checks), 'branch/main', { '/a': 1 })).rejects.toBe(refusal)
  expect((await journal.log.head()).seq).toBe(0)
  await set(writer(journal, checks), 'branch/other', { '/a': 1 })
  expect(seen.map(({ ref, changed }) => [ref, changed])).toEqual([
    ['branch/main', [['a']]],
    ['branch/other', [['a']]],
  ])
})

it('a landing has its head and what it merges as parents, in that order, and what it lands as drafts', async () => {
  const journal = await openJournal(memoryBackend())
  const writing = writer(journal)
  const { commit: ours } = await set(writing, 'branch/main', { '/a': 1 })
  const { commit: theirs } = await set(writing, 'branch/other', { '/b': 1 })
  const { tree, system } = ours
  const landing = { ref: 'branch/main', head: ours, merged: [theirs], tree, system, info: infoOf('Merge') }
  const outcome = await journal.run(land(writer(journal), { ...landing, drafts: [theirs.id] }))
  const head = (await journal.run(findHead(journal, 'branch/main')))!
  expect(outcome).toMatchObject({ kind: 'done', commit: { seq: head.seq } })
  expect([head.record.parents, head.record.drafts]).toEqual([[ours.id, theirs.id], [theirs.id]])
})

it('a landing on a head that has moved, or whose guard has, changes nothing and says which', async () => {
  const journal = await openJournal(memoryBackend())
  const writing = writer(journal)
  const { commit: first } = await set(writing, 'branch/main', { '/a': 1 })
  const { commit: second } = await set(writing, 'branch/main', { '/a': 2 })
  const tree = rootOf(journal.context, { a: 3 }, 0)
  const landing = { ref: 'branch/main', tree, system: second.system, info: infoOf('Late') }
  const before = await journal.log.head()
  expect(await journal.run(land(writer(journal), { ...landing, head: first }))).toEqual({
    kind: 'moved',
    name: 'branch/main',
    actual: second.seq,
  })
  const guards = [{ name: 'system/keys', expect: 7, to: 7 }]
  expect(await journal.run(land(writer(journal), { ...landing, head: second, guards }))).toEqual({
    kind: 'moved',
    name: 'system/keys',
    actual: null,
  })
  expect(await journal.log.head()).toEqual(before)
})
