/** What is sealed stays within reach, and stays. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gc, pull, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { epochs } from '../../src/trust/index.ts'

async function sealedSide() {
  const repo = await open()
  await repo.set('/n', 1, 'Main')
  await epochs(repo).create('audit', 'With a branch')
  const side = await repo.branch('side')
  await side.set('/m', 1, 'Aside')
  await epochs(repo).seal('audit', 'Done')
  return { repo, side }
}

describe('a sealed commit', () => {
  it('keeps the only branch or tag that leads to it', async () => {
    const { repo } = await sealedSide()
    const refused = { code: 'ref-protected', message: expect.stringContaining('"audit"') }
    await expect(repo.deleteBranch('side')).rejects.toMatchObject(refused)
    await repo.tag('kept', { from: 'side' })
    await repo.deleteBranch('side')
    await expect(repo.deleteTag('kept')).rejects.toMatchObject(refused)
    await expect(repo.undo((await repo.handle.journal.log.head()).seq - 1)).rejects.toMatchObject(refused)
  })

  it('lets a branch go that was merged, renamed, or moved on', async () => {
    const { repo, side } = await sealedSide()
    await side.set('/m', 2, 'Later, and not sealed')
    await repo.renameBranch('side', 'renamed')
    await expect(repo.deleteBranch('renamed')).rejects.toMatchObject({ code: 'ref-protected' })
    await repo.merge('renamed')
    await repo.deleteBranch('renamed')
    expect(await repo.get('/m')).toBe(2)
  })

  it('is not left by undoing the fast-forward that brought it', async () => {
    const repo = await open()
    await repo.set('/n', 1, 'Main')
    const side = await repo.branch('side')
    await side.set('/m', 1, 'Aside')
    await repo.merge('side', { description: 'Forward', fastForward: true })
    await repo.deleteBranch('side')
    await epochs(repo).create('audit', 'All of it')
    await epochs(repo).seal('audit', 'Done')
    const { seq } = await repo.handle.journal.log.head()
    const moved = await movesOf(repo, 'branch/main', seq)
    await expect(repo.undo(moved)).rejects.toMatchObject({ code: 'ref-protected' })
  })

  it('is no obstacle to branches that never led to it', async () => {
    const { repo } = await sealedSide()
    const other = await repo.branch('other')
    await other.set('/o', 1, 'Not sealed')
    await repo.deleteBranch('other')
    expect((await repo.branches()).map(({ name }) => name)).toEqual(['main', 'side'])
  })
})

it('after any deletions that were allowed, every sealed head is led to', async () => {
  const step = fc.record({
    on: fc.integer({ min: 0, max: 3 }),
    does: fc.constantFrom('write', 'branch', 'delete', 'merge', 'seal'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      await using repo = await open()
      await repo.set('/n', 0, 'Begin')
      await epochs(repo).create('e0', 'First')
      const sealed: string[] = []
      let made = 0
      let open_ = 0
      for (const { on, does } of steps) {
        const names = (await repo.branches()).map(({ name }) => name)
        const name = names[on % names.length]!
        if (does === 'write') await repo.on(name).set(`/${name}`, made++, 'Write')
        if (does === 'branch') await repo.on(name).branch(`b${made++}`)
        if (does === 'merge') await repo.merge(name).catch(() => undefined)
        if (does === 'delete') await repo.deleteBranch(name).catch(() => undefined)
        if (does === 'seal') {
          for (const branch of await repo.branches()) sealed.push(branch.id!)
          await epochs(repo).seal(`e${open_}`, 'Done')
          await epochs(repo).create(`e${++open_}`, 'Next')
        }
      }
      const reached = new Set<string>()
      for (const { name } of await repo.branches()) for (const { id } of await repo.on(name).log()) reached.add(id)
      expect(sealed.filter(id => !reached.has(id))).toEqual([])
    }),
    { numRuns: 40 },
  )
})

describe('garbage collection', () => {
  it('keeps what landed in an epoch, sealed or open, though no branch leads to it', async () => {
    await using repo = await open()
    await repo.set('/n', 1, 'Main')
    const dropped = await repo.branch('dropped')
    const before = await dropped.set('/m', 0, 'Before the epoch')
    await epochs(repo).create('e', 'Open')
    const inside = await dropped.set('/m', 1, 'Inside')
    await repo.deleteBranch('dropped')
    const lost = await repo.branch('lost')
    expect(await gc(repo, { keepNewerMs: -1 })).toMatchObject({ removed: 0 })
    await epochs(repo).seal('e', 'Done')
    const after = await lost.set('/l', 1, 'After the seal')
    await repo.deleteBranch('lost')
    expect(await gc(repo, { keepNewerMs: -1 })).toMatchObject({ removed: 1 })
    expect(await repo.at(inside).get('/m')).toBe(1)
    expect(await repo.at(before).get('/m')).toBe(0)
    await expect(repo.at(after).get('/l')).rejects.toMatchObject({ code: 'pack-dropped' })
    expect(await verify(repo)).toMatchObject({ ok: true })
  })
})

it('pulled commits come without the epochs of where they were made: those stay provable there', async () => {
  const { repo } = await sealedSide()
  await using other = await open()
  await pull(other, repo)
  expect(await epochs(other).list()).toEqual([])
  await other.deleteBranch('side')
})

/** The newest entry that moved a ref, up to one. */
async function movesOf(repo: Awaited<ReturnType<typeof open>>, ref: string, last: number): Promise<number> {
  const rows = await repo.handle.journal.log.entries(1, last, ['text'])
  return rows.findLast(({ text }) => text.includes('"kind":"ref"') && text.includes(`["${ref}"`))!.seq
}
