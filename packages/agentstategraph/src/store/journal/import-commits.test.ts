/** Taking over: what came is rebuilt with the numbers of this journal, or refused with the reason. */
import { describe, expect, it } from 'vitest'
import { hashText } from '../../core/index.ts'
import { seqOfPointer } from '../../tree/index.ts'
import { memoryBackend } from '../memory/memory-backend.ts'
import { type Candidate, candidateOf, type ForeignCommit, type ForeignNode } from './candidate.ts'
import { commitText, type StoredCommit } from './commit.ts'
import { findHead, readCommit } from './commits.ts'
import { addImported, appendImported, closeImport, openImport } from './import-commits.ts'
import { type Journal, openJournal } from './journal.ts'

const long = 'x'.repeat(200)
const value: ForeignNode = { text: `["value","${long}"]`, provenance: [] }
const tree: ForeignNode = { text: `["map",{"a":"${hashText(value.text)}"},{"b":1}]`, provenance: [0, 0, 0, 0, 0, 0] }
const system: ForeignNode = { text: '["map",{},{}]', provenance: [] }
const record = {
  agent: 'agent/test',
  intent: { id: 'intent-1', category: 'Refine', description: 'One' },
  tree: hashText(tree.text),
  system: hashText(system.text),
  parents: [],
  time: 0,
  salt: 'salt',
}

const given: ForeignCommit = {
  text: commitText(record),
  roots: [
    [0, 1],
    [0, 2],
  ],
  changed: ['/a', '/b'],
  nodes: [value, tree, system],
}
const nowhere = (seq: number): number => {
  throw new RangeError(`no entry ${seq}`)
}

async function imported(journal: Journal, candidates: readonly Candidate[]): Promise<readonly StoredCommit[]> {
  const batch = openImport(journal)
  for (const candidate of candidates) addImported(batch, candidate, { via: 'test' })
  return (await journal.run(appendImported(batch)))!
}

describe('a commit from elsewhere', () => {
  it('is added with its text as it was, and reads back', async () => {
    const backend = memoryBackend()
    const journal = await openJournal(backend)
    const [taken] = await imported(journal, [candidateOf(given, [], nowhere)])
    const again = await openJournal(backend)
    const commit = await again.run(readCommit(again, taken!.seq))
    expect(commit).toMatchObject({ id: hashText(given.text), parents: [], entry: { body: { via: 'test' }, moves: [] } })
    expect(seqOfPointer(commit.tree.at)).toBe(taken!.seq)
    expect(await again.run(findHead(again, 'branch/main'))).toBeUndefined()
  })

  const next: ForeignCommit = {
    text: commitText({ ...record, parents: [hashText(given.text)] }),
    roots: [
      [7, 1],
      [7, 2],
    ],
    changed: [],
    nodes: [],
  }

  it('is added together with one that builds on it, whose pointers then lead to its entry', async () => {
    const backend = memoryBackend()
    const journal = await openJournal(backend)
    const batch = openImport(journal)
    const first = addImported(batch, candidateOf(given, [], nowhere), {})
    const second = addImported(
      batch,
      candidateOf(next, [first], () => first.seq),
      {},
    )
    expect(await journal.run(readCommit(journal, second.seq))).toBe(second)
    const [one, two] = (await journal.run(appendImported(batch)))!
    const again = await openJournal(backend)
    const commit = await again.run(readCommit(again, two!.seq))
    expect(commit).toMatchObject({ parents: [one!.seq], tree: { at: one!.tree.at }, system: { at: one!.system.at } })
    expect(two).toEqual(commit)
    expect(seqOfPointer(commit.tree.at)).toBe(one!.seq)
    expect(journal.unappended.size).toBe(0)
  })

  it('leaves nothing behind when its batch is given up', async () => {
    const journal = await openJournal(memoryBackend())
    const batch = openImport(journal)
    const { seq, tree } = addImported(batch, candidateOf(given, [], nowhere), {})
    const { at } = tree
    expect(journal.nodes.findAt(at)).toBeDefined()
    closeImport(batch)
    expect(journal.nodes.findAt(at)).toBeUndefined()
    expect(journal.unappended.has(seq)).toBe(false)
    expect((await journal.log.head()).seq).toBe(0)
  })

  const refusals: readonly (readonly [string, ForeignCommit])[] = [
    ['a text that is not canonical', { ...given, text: ` ${given.text}` }],
    ['a node that was changed', { ...given, nodes: [{ ...value, text: '["value","y"]' }, tree, system] }],
    ['a node whose text is not canonical', { ...given, nodes: [value, tree, { ...system, text: '["map",{}, {}]' }] }],
    ['a node before those it links to', { ...given, nodes: [tree, value, system] }],
    ['a root that is another node', { ...given, roots: [given.roots[1]!, given.roots[0]!] }],
    ['no place for a root', { ...given, roots: [given.roots[0]!] }],
    ['too few writers', { ...given, nodes: [value, { ...tree, provenance: [0, 0] }, system] }],
    ['an entry that is not here', { ...given, nodes: [value, { ...tree, provenance: [7, 0, 0, 0, 0, 0] }, system] }],
    ['a parent that is not given', { ...given, text: commitText({ ...record, parents: [hashText('')] }) }],
  ]

  it.each(refusals)('is refused with %s', (_, commit) => {
    expect(() => candidateOf(commit, [], nowhere)).toThrow(RangeError)
  })

  it('is refused with a node that nothing links to', async () => {
    const journal = await openJournal(memoryBackend())
    const candidate = candidateOf({ ...given, nodes: [...given.nodes, value] }, [], nowhere)
    expect(() => addImported(openImport(journal), candidate, {})).toThrow(RangeError)
    expect((await journal.log.head()).seq).toBe(0)
  })
})
