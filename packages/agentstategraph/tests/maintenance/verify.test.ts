/** Verify: it passes over what is whole, names what is not, and goes on. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reindex, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import {
  appendCommit,
  type Backend,
  findHead,
  type Log,
  memoryBackend,
  type StoredEntry,
  type SyncLog,
} from '../../src/store/index.ts'
import {
  type Child,
  type Edited,
  type Entry,
  edit,
  type Held,
  type Link,
  type MapNode,
  pointerOf,
  writerOf,
} from '../../src/tree/index.ts'
import { flipped, placesIn, writeSmallStore, written } from '../store/support/damage.ts'
import { dropNow } from '../store/support/drop-now.ts'
import { infoOf, setsOf } from '../store/support/journals.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'
import { wrapped } from '../store/support/wrapped-backend.ts'
import { history, play } from './support/histories.ts'
import { stores } from './support/stores.ts'

describe('verify finds nothing wrong', () => {
  it('with any history that the library wrote', async () => {
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        await using repo = await open()
        await play(repo, steps)
        expect((await verify(repo)).damage).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  it.each(stores)('in %s, and tells how far it is', async (_, make) => {
    await using repo = await open(make())
    await play(repo, [
      [17, 0, 6, 4],
      [0, 1, 0, 0],
      [14, 1, 5, 6],
      [16, 0, 2, 11],
      [2, 0, 0, 1],
    ])
    const seen: number[] = []
    const report = await verify(repo, { onProgress: ({ done }) => seen.push(done) })
    expect(report.damage).toEqual([])
    expect(report.ok).toBe(true)
    expect(seen.at(-1)).toBe(report.checked)
  })

  it('in a repository without a single entry', async () => {
    await using repo = await open()
    expect(await verify(repo)).toEqual({ ok: true, checked: 0, damage: [] })
  })
})

describe('verify compares the query index with the journal', () => {
  it.each([
    ['DELETE FROM terms', 'it does not list entry'],
    ['UPDATE counts SET value = value + 1', 'checksum'],
  ])('after %s', async (damaging, words) => {
    const file = newFile()
    {
      await using repo = await open(file)
      for (let n = 0; n < 3; n++) await repo.as(`agent/${n}`).set('/n', n, 'Count')
      await reindex(repo)
      expect((await verify(repo)).damage).toEqual([])
    }
    const raw = openRaw(file)
    raw.exec(damaging)
    raw.close()
    await using repo = await open(file)
    const { ok, damage } = await verify(repo)
    expect(ok).toBe(false)
    expect(damage).toContainEqual({ where: 'query index', what: expect.stringContaining(words) })
    await reindex(repo)
    expect((await verify(repo)).ok).toBe(true)
  })
})

/** A backend whose log reads through `change`, as if what lies in it were other than what was written. */
function seenThrough(backend: Backend, change: Partial<SyncLog>): Backend {
  const wrap = (log: Log): Log => ({ ...log, sync: { ...log.sync!, ...change } })
  return { ...backend, namespace: name => wrap(backend.namespace(name)) }
}

async function whereDamaged(backend: Backend): Promise<readonly string[]> {
  // Opening reads the beginning, and says itself when that is damaged.
  const repo = await open(backend)
  return (await verify(repo)).damage.map(({ where }) => where)
}

describe('verify names', () => {
  const { small, detailed, large, ref } = written

  /** A small store whose rows are changed as they are read. */
  async function withRows(change: (row: StoredEntry) => StoredEntry): Promise<readonly string[]> {
    const backend = memoryBackend()
    await writeSmallStore(backend)
    const { sync } = backend.namespace('default')
    const entries: SyncLog['entries'] = (from, to, columns) => sync!.entries(from, to, columns).map(change)
    return whereDamaged(seenThrough(backend, { entries }))
  }

  it('an entry whose text was changed, wherever it was', async () => {
    for (const seq of [small, detailed, large, ref]) {
      const where = await withRows(row =>
        row.seq === seq ? { ...row, text: row.text.replace('agent/test', 'agent/tesu') } : row,
      )
      expect(where).toContain(`entry ${seq}`)
    }
  })

  it('a commit whose text was changed', async () => {
    const where = await withRows(row =>
      row.seq === detailed && row.commit !== undefined
        ? { ...row, commit: { ...row.commit, text: row.commit.text.replace('With', 'with') } }
        : row,
    )
    expect(where).toEqual([`entry ${detailed}`])
  })

  it('an entry that is missing', async () => {
    const backend = memoryBackend()
    await writeSmallStore(backend)
    const { sync } = backend.namespace('default')
    const entries: SyncLog['entries'] = (from, to, columns) =>
      sync!.entries(from, to, columns).filter(({ seq }) => seq !== ref)
    expect(await whereDamaged(seenThrough(backend, { entries }))).toEqual([`entry ${ref}`])
  })

  it('the entry of any byte of any pack that is not what it was', async () => {
    const backend = memoryBackend()
    await writeSmallStore(backend)
    const { sync } = backend.namespace('default')
    for (const seq of [small, detailed, large]) {
      const [whole] = sync!.parts([{ seq, index: 0 }])
      for (const place of placesIn(whole!.bytes.length).filter(i => i % 13 === 0)) {
        const parts: SyncLog['parts'] = pointers =>
          sync!.parts(pointers).map(part => {
            if (part?.seq !== seq || part.first !== 0) return part
            return { ...part, bytes: flipped(part.bytes, place) }
          })
        const entries: SyncLog['entries'] = (from, to, columns) =>
          sync!.entries(from, to, columns).map(row => {
            if (row.seq !== seq || row.part === undefined) return row
            return { ...row, part: flipped(row.part, place) }
          })
        const where = await whereDamaged(seenThrough(backend, { entries, parts }))
        expect(where, `byte ${place} of entry ${seq}`).toContain(`entry ${seq}`)
      }
    }
  })

  it('a ref that is not where the journal put it, and one that no entry made', async () => {
    const backend = memoryBackend()
    await writeSmallStore(backend)
    const { sync } = backend.namespace('default')
    const refs: SyncLog['refs'] = prefix => [
      ...sync!.refs(prefix).map(cell => (cell.name === 'branch/main' ? { ...cell, seq: small } : cell)),
      { name: 'tag/stray', seq: small },
    ]
    expect(await whereDamaged(seenThrough(backend, { refs }))).toEqual(['ref branch/main', 'ref tag/stray'])
  })

  it('a commit that is not found by its id', async () => {
    const backend = memoryBackend()
    await writeSmallStore(backend)
    const { sync } = backend.namespace('default')
    const find: SyncLog['find'] = (prefix, limit) => sync!.find(prefix, limit).filter(({ seq }) => seq !== large)
    expect(await whereDamaged(seenThrough(backend, { find }))).toEqual([`entry ${large}`])
  })

  it('a pack that is gone though a branch needs it', async () => {
    const backend = memoryBackend()
    await writeSmallStore(backend)
    await dropNow(backend.namespace('default'), [small])
    expect(await whereDamaged(backend)).toContain(`entry ${small}`)
  })

  it('everything that is damaged, not only the first', async () => {
    const where = await withRows(row => ({ ...row, time: row.seq > 1 ? row.time + 1 : row.time }))
    expect(where).toEqual([`entry ${small}`, `entry ${detailed}`, `entry ${large}`, `entry ${ref}`])
  })
})

describe('verify recomputes', () => {
  /** Two commits that are as they should be, and a third whose new root is made wrong before it lands. */
  async function withWrongEntry(
    wrong: string,
    spoil: (entry: Entry) => Entry,
    listed = (changed: Edited['changed']): Edited['changed'] => changed,
  ): Promise<readonly string[]> {
    await using repo = await open()
    await repo.set('/', { kept: 'x'.repeat(200), list: ['a', 'b', 'a'] }, 'One')
    const aside = await repo.branch('aside')
    await aside.set('/aside', 'y'.repeat(200), 'Aside')
    await repo.set('/other', 2, 'Two')
    const { journal } = repo.handle
    const head = (await journal.run(findHead(journal, 'branch/main')))!
    const { root, changed } = await journal.run(edit(journal.context, head.tree, setsOf({ '/new': 3, '/list/-': 'a' })))
    const entries = (root.fresh!.node as MapNode).entries as Entry[]
    const place = entries.findIndex(({ key }) => key === wrong)
    entries[place] = spoil(entries[place]!)
    // Not by `land`, which would mend it.
    const spoilt = {
      parents: [head],
      tree: root,
      system: head.system,
      changed: listed(changed),
      info: infoOf('Spoilt'),
    }
    const moves = [{ name: 'branch/main', expect: head.seq, to: { entry: 0 } }]
    await journal.run(appendCommit(journal, { ...spoilt, moves }))
    return (await verify(repo)).damage.map(({ where, what }) => `${where}: ${what}`)
  }

  it('writers: one that claims what it did not write', async () => {
    const damage = await withWrongEntry('kept', entry => ({ ...entry, writer: 0 }))
    expect(damage).toEqual(['entry 6: the writer is entry 6 and should be entry 2 at /kept'])
  })

  it('writers: one that gives its own work to another', async () => {
    const damage = await withWrongEntry('new', entry => ({ ...entry, writer: writerOf(2, 0) }))
    expect(damage).toEqual(['entry 6: the writer is entry 2 and should be the commit itself at /new'])
  })

  it.each([
    ['claims one that was there', 0, 0, 'the writer is entry 6 and should be entry 2 at /list/0'],
    [
      'gives a new one to another',
      3,
      writerOf(2, 0),
      'the writer is entry 2 and should be the commit itself at /list/3',
    ],
    ['names a writer that none has', 1, writerOf(5, 0), 'the writer is entry 5 and should be entry 2 at /list/1'],
  ])('writers of elements: one that %s', async (_, place, writer, what) => {
    const damage = await withWrongEntry('list', entry => ({ ...entry, child: withElement(entry.child, place, writer) }))
    expect(damage).toEqual([`entry 6: ${what}`])
  })

  it.each<[string, (changed: Edited['changed']) => Edited['changed'], string]>([
    ['leaves one out', changed => changed.slice(1), '/list/3 changed, and the entry does not list it'],
    ['invents one', changed => [...changed, ['kept']], 'the entry lists /kept as changed, and it is not'],
    ['names a parent', () => [['list'], ['new']], '/list/3 changed, and the entry does not list it'],
  ])('changed paths: a list that %s', async (_, listed, what) => {
    expect(await withWrongEntry('new', entry => entry, listed)).toEqual([`entry 6: ${what}`])
  })

  it('pointers: one that leads to another node', async () => {
    const damage = await withWrongEntry('kept', entry => ({ ...entry, child: pointedTo(entry.child, pointerOf(2, 1)) }))
    expect(damage).toContain('entry 6: a pointer leads to another node of entry 2')
  })

  it('pointers: one that leads to a commit that is no ancestor', async () => {
    const damage = await withWrongEntry('kept', entry => ({ ...entry, child: pointedTo(entry.child, pointerOf(4, 0)) }))
    expect(damage).toContain('entry 6: entry 4, which is no ancestor, is pointed to')
  })
})

function withElement(child: Child, place: number, writer: number): Child {
  const { node, ...held } = child as Held
  return { ...held, node: { ...node, entries: node.entries.with(place, { ...node.entries[place]!, writer }) } }
}

function pointedTo(child: Child, at: number): Child {
  return { ...(child as Link), at }
}

it('verify compares the total of packs that a store keeps with the packs it has', async () => {
  for (const [, make] of stores) {
    const backend = make()
    await using repo = await open(backend)
    for (let n = 0; n < 3; n++) await repo.set('/n', n, 'Count')
    expect((await verify(repo)).damage).toEqual([])
    const kept = await repo.handle.journal.log.packTotal?.()
    if (kept === undefined) continue
    const total = { ...kept, bytes: kept.bytes + 1 }
    const wrong = wrapped(backend, log => ({ ...log, sync: undefined, packTotal: async () => total }))
    await using other = await open(wrong)
    expect((await verify(other)).damage).toEqual([
      { where: 'total of packs', what: `it is ${total.bytes} bytes, and the packs have ${kept.bytes}` },
    ])
  }
})
