/** Export and import: a repository as lines, and back; what is damaged or cut changes nothing. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chained } from '../../src/maintenance/exchange/export-line.ts'
import { exportRepository, importRepository, verify } from '../../src/maintenance/index.ts'
import { type Commit, open, type Repository } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { around, wrapped } from '../store/support/wrapped-backend.ts'
import { history, play } from './support/histories.ts'
import { stores } from './support/stores.ts'

const steps = [
  [16, 0, 2, 11],
  [0, 1, 0, 0],
  [14, 1, 5, 6],
  [9, 0, 1, 1],
  [17, 0, 6, 4],
  [2, 0, 0, 1],
] as const

async function linesOf(repo: Repository): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportRepository(repo)) lines.push(line)
  return lines
}

/** What must come back: commits, states, writers, refs and facts. */
async function told(repo: Repository): Promise<unknown> {
  const unnumbered = ({ seq: _, draft: __, ...rest }: Commit & { draft?: unknown }): unknown => rest
  const refs = [...(await repo.branches()), ...(await repo.tags())]
  const at = await Promise.all(
    refs.map(async ({ id }) => [
      (await repo.at(id!).log()).map(unnumbered),
      await repo.at(id!).get('/'),
      (await repo.at(id!).blameTree('/')).map(unnumbered),
    ]),
  )
  return { refs, at, query: (await repo.query({})).map(unnumbered), calibration: await repo.calibration() }
}

async function entriesOf(repo: Repository): Promise<number> {
  return (await repo.handle.journal.log.head()).seq
}

describe('an export', () => {
  it.each(stores)('comes back whole into %s', async (_, make) => {
    await using source = await open()
    await play(source, steps)
    const sure = await source.set('/sure', true, {
      description: 'Sure',
      confidence: 0.9,
      expects: [{ path: '/sure', equals: true }],
    })
    await source.observe(sure.id, { held: true })
    await using target = await open(make())
    const seen: { done: number; total?: number }[] = []
    await importRepository(target, exportRepository(source), { onProgress: step => seen.push(step) })
    expect(await told(target)).toEqual(await told(source))
    expect(seen.at(-1)!.done).toBe(seen.at(-1)!.total)
    expect((await verify(target)).damage).toEqual([])
  })

  it('of any history comes back whole', async () => {
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        await using source = await open()
        await play(source, steps)
        await using target = await open()
        await importRepository(target, await linesOf(source))
        expect(await told(target)).toEqual(await told(source))
        expect((await verify(target)).damage).toEqual([])
      }),
      { numRuns: 6 },
    )
  })

  describe('of more commits than one append takes', () => {
    const commits = 150

    /** Commits that go back to states from long before, and merges. */
    async function long(): Promise<Repository> {
      const source = await open()
      const ids: string[] = []
      for (let n = 0; n < commits; n++) {
        if (n % 40 === 39) {
          await source.branch(`side${n}`)
          await source.on(`side${n}`).set(`/side/${n}`, { n }, 'Beside')
        }
        const goesBack = n % 25 === 24
        const { id } = goesBack
          ? await source.rollback(ids[n - 20]!, 'Back')
          : await source.set(`/a${n % 7}/b`, { n, text: 'x'.repeat(n * 3) }, 'On')
        if (n % 40 === 39) await source.merge(`side${n}`)
        ids.push(id)
      }
      return source
    }

    it.each(stores)('comes back whole into %s', async (_, make) => {
      await using source = await long()
      await using target = await open(make())
      await importRepository(target, exportRepository(source))
      expect(await told(target)).toEqual(await told(source))
      expect((await verify(target)).damage).toEqual([])
    })

    it('takes few appends, and goes on where it was cut', async () => {
      await using source = await long()
      const backend = memoryBackend()
      let appends = 0
      let isCut = true
      const counted = wrapped(backend, log =>
        around(log, async (name, call) => {
          if (name === 'append' && appends++ === 3 && isCut) throw new Error('The network is gone')
          return call()
        }),
      )
      await using target = await open(counted)
      await expect(importRepository(target, exportRepository(source))).rejects.toThrow('The network is gone')
      expect(await target.branches()).toEqual([])
      const before = await entriesOf(target)
      expect(before).toBeGreaterThan(0)
      isCut = false
      await importRepository(target, exportRepository(source))
      expect(appends).toBeLessThan(12)
      expect(await told(target)).toEqual(await told(source))
      await using whole = await open()
      await importRepository(whole, exportRepository(source))
      expect(await entriesOf(target)).toBe(await entriesOf(whole))
    })
  })

  it('is read the same with line breaks and without, and after a last empty line', async () => {
    await using source = await open()
    await source.set('/a', 1, 'One')
    await using target = await open()
    await importRepository(target, (await linesOf(source)).join('').split('\n'))
    expect(await target.get('/')).toEqual({ a: 1 })
  })

  it('is read from a stream that flows by itself', async () => {
    await using source = await open()
    for (let n = 0; n < 20; n++) await source.set('/n', n, 'Count')
    const text = (await linesOf(source)).join('')
    await using target = await open(newFile())
    await importRepository(target, createInterface({ input: Readable.from([text]) }))
    expect(await target.get('/n')).toBe(19)
    await expect(
      importRepository(target, createInterface({ input: Readable.from([text.slice(0, -30)]) })),
    ).rejects.toMatchObject({ code: 'import-refused' })
  })

  it('adds what is new to a repository that has the rest, and nothing when it has all', async () => {
    await using source = await open()
    await using target = await open()
    const { id } = await source.set('/a', 1, 'One')
    await source.observe(id, { held: true })
    await importRepository(target, exportRepository(source))
    await source.set('/a', 2, 'Two')
    await importRepository(target, exportRepository(source))
    expect(await target.get('/a')).toBe(2)
    const before = await entriesOf(target)
    await importRepository(target, exportRepository(source))
    await importRepository(target, exportRepository(target))
    expect(await entriesOf(target)).toBe(before)
  })

  it('that went another way is refused, and nothing is written', async () => {
    await using source = await open()
    await using target = await open()
    await source.set('/a', 1, 'One')
    await importRepository(target, exportRepository(source))
    await source.set('/a', 2, 'Two')
    await target.set('/a', 3, 'Three')
    const before = await entriesOf(target)
    await expect(importRepository(target, exportRepository(source))).rejects.toMatchObject({
      code: 'refs-diverged',
      data: { refs: ['branch/main'] },
    })
    expect(await entriesOf(target)).toBe(before)
  })
})

describe('an export that is not what was written', () => {
  async function refusedAt(change: (lines: string[]) => readonly string[]): Promise<number> {
    await using source = await open()
    await source.set('/a', 'a long text, '.repeat(20), 'One')
    await source.set('/b', { c: 'another, '.repeat(30) }, 'Two')
    await using target = await open()
    const lines = await linesOf(source)
    const line = await importRepository(target, change(lines)).then(
      () => 0,
      error => {
        expect(error).toMatchObject({ code: 'import-refused' })
        return (error as { data: { line: number } }).data.line
      },
    )
    expect(await entriesOf(target)).toBe(0)
    return line
  }

  it('is refused where a line is no text, or there are no lines', async () => {
    await using target = await open()
    const given: readonly (readonly [unknown, object])[] = [
      [[5], { code: 'import-refused', data: { line: 1, reason: 'it is not text' } }],
      [undefined, { code: 'option-invalid', data: { field: 'lines' } }],
      ['{}', { code: 'option-invalid', data: { field: 'lines' } }],
    ]
    for (const [lines, refusal] of given)
      await expect(importRepository(target, lines as string[])).rejects.toMatchObject(refusal)
  })

  it('is refused wherever it is cut, at the line after the last', async () => {
    for (let kept = 0; kept < 8; kept++) expect(await refusedAt(lines => lines.slice(0, kept))).toBeGreaterThan(0)
    expect(await refusedAt(lines => lines.slice(0, 1))).toBe(2)
  })

  it('is refused when it lists other paths as changed than did', async () => {
    const lying = (lines: string[]): string[] => lines.map(line => line.replace('"changed":["/b"]', '"changed":["/c"]'))
    expect(await refusedAt(lying)).toBeGreaterThan(0)
  })

  it('is refused with any line left out, doubled or swapped with the next', async () => {
    for (let i = 0; i < 8; i++) {
      expect(await refusedAt(lines => lines.toSpliced(i, 1)), `without ${i}`).toBeGreaterThan(0)
      expect(await refusedAt(lines => lines.toSpliced(i, 0, lines[i]!)), `twice ${i}`).toBeGreaterThan(0)
    }
    for (let i = 0; i < 7; i++) {
      const swapped = (lines: string[]): string[] => lines.toSpliced(i, 2, lines[i + 1]!, lines[i]!)
      expect(await refusedAt(swapped), `swapped ${i}`).toBeGreaterThan(0)
    }
  })

  it('is refused with any character changed', async () => {
    for (let i = 0; i < 8; i++) {
      for (const part of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
        const changed = (line: string): string => flipped(line, Math.floor((line.length - 2) * part))
        const line = await refusedAt(lines => lines.with(i, changed(lines[i]!)))
        expect(line, `at ${part} of line ${i + 1}`).toBeGreaterThan(0)
      }
    }
  })

  it('is refused at the line of the commit that does not fit, even when the last line was made to', async () => {
    const line = await refusedAt(lines => ended(lines.map(one => one.replace('a long text', 'a wrong text'))))
    expect(line).toBe(2)
  })

  it('is refused when it names another writer than the one who wrote', async () => {
    await using source = await open()
    await source.set('/a', 1, 'One')
    await source.set('/b', 2, 'Two')
    await using target = await open()
    const forged = (await linesOf(source)).map(line => line.replace('"provenance":[2,0,0,0]', '"provenance":[0,0,0,0]'))
    await expect(importRepository(target, ended(forged))).rejects.toMatchObject({
      code: 'import-refused',
      data: { line: 5, reason: 'the writer is entry 0 and should be entry 2 at /a' },
    })
    expect(await entriesOf(target)).toBe(0)
  })
})

/** The lines with a last one that fits them. */
function ended(lines: readonly string[]): string[] {
  const texts = lines.slice(0, -1).map(line => line.trimEnd())
  return [...texts, JSON.stringify({ end: { hash: texts.reduce(chained, ''), lines: texts.length } })]
}

function flipped(line: string, place: number): string {
  const code = line.charCodeAt(place)
  return line.slice(0, place) + String.fromCharCode(code === 120 ? 121 : 120) + line.slice(place + 1)
}
