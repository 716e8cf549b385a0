/** Backups: whole while others write, verified, never over a file that exists, and accepted when they come back. */
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memory, sqlite } from '../../src/backends/index.ts'
import { backup, restore, verify } from '../../src/maintenance/index.ts'
import { open, type Repository, type Warning } from '../../src/repository/index.ts'
import { startWorker, untilSaid } from '../processes/worker-process.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'
import { newSigner } from '../trust/support/signer.ts'

async function write(repo: Repository, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await repo.set('/n', n, `Write ${n}`)
}

async function filled(count: number): Promise<string> {
  const file = newFile()
  await using repo = await open(file)
  await write(repo, count)
  return file
}

async function readN(file: string): Promise<unknown> {
  await using repo = await open(file, { readOnly: true })
  return repo.get('/n')
}

describe('a backup', () => {
  it('holds what is still in the log, of all namespaces, and is for its owner alone', async () => {
    const [file, copy] = [newFile(), newFile()]
    await using repo = await open(file)
    await write(repo, 3)
    await using other = await open(file, { namespace: 'other' })
    await write(other, 2)
    expect(await backup(repo, copy)).toEqual({ namespaces: ['default', 'other'], entries: 7 })
    expect(readdirSync(dirname(copy))).toEqual([basename(copy)])
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
    await write(repo, 5)
    await using kept = await open(copy)
    expect([await kept.get('/n'), (await verify(kept)).ok]).toEqual([3, true])
    await kept.set('/n', 4, 'It is a store')
  })

  it('taken while another process writes is a moment of the store', async () => {
    const file = await filled(1)
    const worker = await startWorker('tail-worker.mjs', { file, count: 200 })
    await using repo = await open(file, { readOnly: true })
    let isDone = false
    const done = untilSaid(worker, 2).then(() => {
      isDone = true
    })
    worker.begin()
    const seen: number[] = []
    do {
      const copy = newFile()
      const { entries } = await backup(repo, copy)
      await using kept = await open(copy, { readOnly: true })
      const log = await kept.log()
      expect([log.length, log[0]!.intent.description]).toEqual([entries - 1, `Write ${await kept.get('/n')}`])
      seen.push(entries)
      // Lets the other process come to the lock, and its words arrive.
      await new Promise(resolve => setImmediate(resolve))
    } while (!isDone)
    await done
    worker.child.kill('SIGKILL')
    await worker.ended
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  it('does not replace a file, and leaves nothing when it fails', async () => {
    const file = await filled(3)
    const taken = newFile()
    writeFileSync(taken, 'mine')
    await using repo = await open(file)
    await expect(backup(repo, taken)).rejects.toMatchObject({ code: 'file-exists' })
    expect(readFileSync(taken, 'utf8')).toBe('mine')
    expect(readdirSync(dirname(taken))).toEqual([basename(taken)])
    await expect(backup(repo, `${taken}/no/folder`)).rejects.toMatchObject({ code: 'store-failed' })
    await expect(backup(await open(memory()), newFile())).rejects.toMatchObject({ code: 'backup-unsupported' })
  })

  it('of a damaged store is refused', async () => {
    const file = await filled(3)
    const raw = openRaw(file)
    raw.exec(`UPDATE entries SET text = replace(text, 'anonymous', 'another') WHERE id = (SELECT max(id) FROM entries)`)
    raw.close()
    const copy = newFile()
    await using repo = await open(file)
    await expect(backup(repo, copy)).rejects.toMatchObject({ code: 'backup-damaged', data: { namespace: 'default' } })
    expect(readdirSync(dirname(copy))).toEqual([])
  })

  it('is not what a copy of the file is: that lacks what is in the log', async () => {
    const [file, copied, kept] = [newFile(), newFile(), newFile()]
    await using repo = await open(file)
    await write(repo, 3)
    copyFileSync(file, copied)
    await backup(repo, kept)
    await using poor = await open(copied)
    expect(await poor.has('/n')).toBe(false)
    expect(await readN(kept)).toBe(3)
  })
})

describe('restoring', () => {
  it('makes a store that was lost', async () => {
    const [copy, file] = [newFile(), newFile()]
    {
      await using repo = await open(await filled(3))
      await backup(repo, copy)
    }
    expect(await restore(copy, file)).toEqual({ namespaces: ['default'], entries: 4 })
    expect(await readN(file)).toBe(3)
    await expect(restore(copy, file)).rejects.toMatchObject({ code: 'file-exists' })
  })

  it.each([
    ['without a key', undefined],
    ['that is signed', newSigner()],
  ])('a store %s, over a longer history, writes the note that accepts it', async (_, signer) => {
    const [file, copy] = [newFile(), newFile()]
    {
      await using repo = await open(file, { signer })
      await write(repo, 3)
      await backup(repo, copy)
      await write(repo, 5)
    }
    const { replaced } = await restore(copy, file, { replace: true, reason: 'The last five were wrong', signer })
    expect(await readN(replaced!)).toBe(5)
    const warnings: Warning[] = []
    await using repo = await open(file, { signer, onWarning: warning => warnings.push(warning) })
    await repo.set('/n', 10, 'Go on')
    expect([warnings, (await verify(repo)).ok]).toEqual([[], true])
    const [note] = await repo.handle.journal.log.entries(5, 5, ['text'])
    expect(JSON.parse(note!.text)).toMatchObject({
      kind: 'note',
      body: { accepted: 'history-short', reason: 'The last five were wrong', expected: { size: 9 } },
    })
  })

  it('under a process that has the store open: that finds the store moved, and loses nothing', async () => {
    const [file, copy] = [newFile(), newFile()]
    const repo = await open(file)
    await write(repo, 3)
    await backup(repo, copy)
    await write(repo, 5)
    const { replaced } = await restore(copy, file, { replace: true })
    await new Promise(resolve => setImmediate(resolve))
    await expect(repo.set('/n', 6, 'Go on')).rejects.toMatchObject({ code: 'store-moved' })
    await repo.close()
    expect([await readN(file), await readN(replaced!)]).toEqual([3, 5])
    const again = await restore(copy, file, { replace: true })
    expect(again.replaced).toBe(`${replaced}-2`)
  })

  it('from what is no backup changes nothing', async () => {
    const file = await filled(3)
    const text = newFile()
    writeFileSync(text, 'Not a store, but long enough to be read as the header of one, if that were all it took to be.')
    await expect(restore(text, file, { replace: true })).rejects.toMatchObject({ code: 'not-a-store' })
    await expect(restore(newFile(), file, { replace: true })).rejects.toMatchObject({ code: 'store-missing' })
    expect([await readN(file), existsSync(`${file}.replaced`)]).toEqual([3, false])
    await using backend = sqlite(file)
    expect(await backend.namespaces()).toEqual(['default'])
  })
})
