/** The high-water mark: it follows, never goes back, and a history that does not reach it is not gone on with. */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { gc, importRepository } from '../../src/maintenance/index.ts'
import { findMark } from '../../src/repo/index.ts'
import { open, type Signer, type Warning } from '../../src/repository/index.ts'
import { acceptHistory, epochs, rotateKey } from '../../src/trust/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { newSigner } from './support/signer.ts'

async function write(file: string, signer: Signer, count: number, namespace?: string): Promise<void> {
  await using repo = await open(file, { signer, namespace })
  for (let i = 0; i < count; i++) await repo.set('/n', i, `Write ${i}`)
}

function markOf(file: string): number | undefined {
  return existsSync(`${file}.head`) ? findMark(readFileSync(`${file}.head`, 'utf8'))?.size : undefined
}

/** A store as it was: SQLite has moved everything into the one file when it was closed. */
function backupOf(file: string): () => void {
  copyFileSync(file, `${file}.backup`)
  return () => {
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
    copyFileSync(`${file}.backup`, file)
  }
}

describe('the mark', () => {
  it('is written beside the store when there is a key, and only then', async () => {
    const file = newFile()
    {
      await using repo = await open(file)
      await repo.set('/n', 1, 'Without a key')
    }
    expect(markOf(file)).toBeUndefined()
    await write(file, newSigner(), 3)
    expect(markOf(file)).toBe(5)
  })

  it('reaches the seal before the seal is told of', async () => {
    const file = newFile()
    await using repo = await open(file, { signer: newSigner() })
    await epochs(repo).create('e', 'Marked')
    for (let i = 0; i < 50; i++) await repo.set('/n', i, 'Write')
    const { toSeq } = await epochs(repo).seal('e', 'Done')
    expect(markOf(file)).toBeGreaterThanOrEqual(toSeq)
  })

  it('never goes back, whoever writes it last', async () => {
    const file = newFile()
    const signer = newSigner()
    await using one = await open(file, { signer })
    await using two = await open(file, { signer })
    await one.set('/n', 1, 'One')
    const low = await one.handle.shared.signing!.headAt(2)
    for (let i = 0; i < 5; i++) await two.set('/n', i + 2, 'Two')
    await two.handle.shared.signing!.mark!.flush()
    const { marks, namespace } = one.handle.shared.signing!.place!
    await one.handle.shared.signing!.mark!.flush()
    const { isHigher } = await import('../../src/repo/index.ts')
    expect(await marks.replace(namespace, low, kept => isHigher(low, kept))).toBe(false)
    expect(markOf(file)).toBe(7)
  })

  it('is kept for each namespace, and goes with it', async () => {
    const file = newFile()
    const signer = newSigner()
    await write(file, signer, 2)
    await write(file, signer, 5, 'other')
    expect(markOf(file)).toBe(3)
    await using backend = sqlite(file)
    expect(findMark((await backend.marks!.read('other'))!)?.size).toBe(6)
    await backend.dropNamespace('other')
    expect(await backend.marks!.read('other')).toBeUndefined()
    await write(file, signer, 1, 'other')
  })

  it('goes on after another key took the place of the first', async () => {
    const file = newFile()
    const [first, second] = [newSigner('first'), newSigner('second')]
    {
      await using repo = await open(file, { signer: first })
      await repo.set('/n', 1, 'Before')
      await rotateKey(repo, second)
    }
    await write(file, second, 2)
    expect(markOf(file)).toBe(6)
  })
})

/** A store whose mark knows of 8 entries, and which was put back to its first 4. */
async function shortened(): Promise<{ readonly file: string; readonly signer: Signer }> {
  const file = newFile()
  const signer = newSigner()
  await write(file, signer, 3)
  const restore = backupOf(file)
  await write(file, signer, 4)
  restore()
  return { file, signer }
}

describe('a history', () => {
  it('that is shorter than its mark can be read and not written, and says what to do', async () => {
    const { file, signer } = await shortened()
    await using repo = await open(file, { signer, policies: { '/n': 'max' } })
    expect(await repo.get('/n')).toBe(2)
    const refused = { code: 'history-short', data: { size: 4, marked: 8 } }
    await expect(repo.set('/n', 9, 'No')).rejects.toMatchObject(refused)
    await expect(repo.branch('b')).rejects.toMatchObject(refused)
    await expect(repo.commit('No', tx => tx.set('/n', 9))).rejects.toMatchObject(refused)
    await expect(epochs(repo).create('e', 'No')).rejects.toMatchObject(refused)
    await expect(gc(repo)).rejects.toMatchObject(refused)
    await expect(importRepository(repo, [])).rejects.toMatchObject(refused)
    await expect(rotateKey(repo, newSigner())).rejects.toMatchObject(refused)
  })

  it('that is shorter than its signed mark is refused to a writer without the key as well, and only to writers', async () => {
    const { file, signer } = await shortened()
    const refused = { code: 'history-short', data: { size: 4, marked: 8 } }
    {
      const warnings: Warning[] = []
      await using repo = await open(file, { onWarning: warning => warnings.push(warning) })
      expect(warnings).toMatchObject([refused])
      expect(await repo.get('/n')).toBe(2)
      await expect(repo.set('/n', 9, 'No')).rejects.toMatchObject(refused)
      await using reader = await open(file, { readOnly: true })
      expect(await reader.get('/n')).toBe(2)
      await expect(acceptHistory(reader, 'No')).rejects.toMatchObject({ code: 'history-whole' })
      await acceptHistory(repo, 'Restored on purpose')
      await repo.set('/n', 10, 'Go on')
    }
    expect(markOf(file)).toBe(5)
    await write(file, signer, 1)
    expect(markOf(file)).toBe(7)
  })

  it('that went another way than its mark is refused as well', async () => {
    const { file, signer } = await shortened()
    renameSync(`${file}.head`, `${file}.away`)
    {
      await using unsigned = await open(file)
      for (let i = 0; i < 10; i++) await unsigned.set('/n', i * 10, 'Another way')
    }
    renameSync(`${file}.away`, `${file}.head`)
    await using repo = await open(file, { signer })
    await expect(repo.set('/n', 9, 'No')).rejects.toMatchObject({ code: 'history-forked', data: { marked: 8 } })
  })

  it('that began as another, or has a mark that is none, is refused', async () => {
    const [file, other] = [newFile(), newFile()]
    const signer = newSigner()
    await write(file, signer, 3)
    await write(other, signer, 3)
    copyFileSync(`${other}.head`, `${file}.head`)
    {
      await using repo = await open(file, { signer })
      await expect(repo.set('/n', 9, 'No')).rejects.toMatchObject({ code: 'history-forked' })
    }
    writeFileSync(`${file}.head`, 'not a head')
    await using repo = await open(file, { signer })
    await expect(repo.set('/n', 9, 'No')).rejects.toMatchObject({ code: 'history-forked' })
    expect(readFileSync(`${file}.head`, 'utf8')).toBe('not a head')
  })

  it('can be accepted on purpose, which the journal tells from then on', async () => {
    const { file, signer } = await shortened()
    {
      await using repo = await open(file, { signer, agent: 'human/operator' })
      await acceptHistory(repo, 'The disk failed and there is no newer backup')
      await repo.set('/n', 100, 'Going on')
      await expect(acceptHistory(repo, 'Again')).rejects.toMatchObject({ code: 'history-whole' })
    }
    await using repo = await open(file, { signer })
    await repo.set('/n', 101, 'And on')
    const { text } = (await repo.handle.journal.log.entries(5, 5, ['text']))[0]!
    expect(JSON.parse(text)).toMatchObject({
      kind: 'note',
      agent: 'human/operator',
      body: { accepted: 'history-short', expected: { size: 8 } },
    })
  })
})
