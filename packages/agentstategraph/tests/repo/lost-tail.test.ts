/** A journal that lost its end: the mark beside the store tells, once, and what is missing is on record. */
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { type OpenOptions, open, type Repository, type Warning } from '../../src/repository/index.ts'
import type { Marks } from '../../src/store/index.ts'
import { acceptHistory } from '../../src/trust/index.ts'
import { startWorker, untilSaid } from '../processes/worker-process.ts'
import { seeded } from '../store/support/seeded.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { newSigner } from '../trust/support/signer.ts'

const commits = 12
/** The first entry is the genesis. */
const size = commits + 1

async function write(repo: Repository, count = commits): Promise<void> {
  for (let n = 1; n <= count; n++) await repo.set('/n', n, `Write ${n}`)
}

/** A store with its log and its mark, as a process that was killed leaves them. The first commits are in the file already. */
async function crashed(options: OpenOptions = {}): Promise<string> {
  const file = newFile()
  const live = await open(file, options)
  await write(live, 2)
  await live.close()
  const again = await open(file, options)
  for (let n = 3; n <= commits; n++) await again.set('/n', n, `Write ${n}`)
  await again.handle.shared.tail?.flush()
  const left = newFile()
  for (const end of ['', '-wal', '.tail']) copyFileSync(file + end, left + end)
  await again.close()
  return left
}

async function opened(file: string, options: OpenOptions = {}): Promise<{ repo: Repository; warnings: Warning[] }> {
  const warnings: Warning[] = []
  const repo = await open(file, { ...options, onWarning: warning => warnings.push(warning) })
  return { repo, warnings }
}

async function lengthOf(repo: Repository): Promise<number> {
  return (await repo.handle.journal.log.head()).seq
}

describe('after a crash that lost the log', () => {
  it('opening tells once how much is missing, records it, and goes on', async () => {
    const file = await crashed()
    rmSync(`${file}-wal`)
    {
      const { repo, warnings } = await opened(file, { agent: 'agent/first' })
      expect(warnings).toMatchObject([{ code: 'history-lost', data: { size: 3, marked: size } }])
      await repo.set('/n', 100, 'Go on')
      expect((await verify(repo)).ok).toBe(true)
      const [note] = await repo.handle.journal.log.entries(4, 4, ['text'])
      expect(JSON.parse(note!.text)).toMatchObject({
        kind: 'note',
        agent: 'agent/first',
        body: { accepted: 'history-short', expected: { size } },
      })
      await repo.close()
    }
    const { repo, warnings } = await opened(file)
    expect([warnings, await repo.get('/n')]).toEqual([[], 100])
    await repo.close()
  })

  it('a reader tells it too, and changes nothing', async () => {
    const file = await crashed()
    rmSync(`${file}-wal`)
    for (const _ of [1, 2]) {
      const { repo, warnings } = await opened(file, { readOnly: true })
      expect(warnings).toMatchObject([{ code: 'history-lost', data: { size: 3, marked: size } }])
      expect(await lengthOf(repo)).toBe(3)
      await repo.close()
    }
  })

  it('what was acknowledged as durable is not gone on without, until that is accepted', async () => {
    const file = await crashed({ durability: 'full' })
    rmSync(`${file}-wal`)
    const { repo, warnings } = await opened(file)
    const short = { code: 'history-short', data: { size: 3, marked: size } }
    expect(warnings).toMatchObject([short])
    expect(await repo.get('/n')).toBe(2)
    await expect(repo.set('/n', 100, 'Go on')).rejects.toMatchObject(short)
    await acceptHistory(repo, 'There is no backup')
    await repo.set('/n', 100, 'Go on')
    await repo.close()
    const again = await opened(file)
    expect(again.warnings).toEqual([])
    await again.repo.close()
  })

  it('a log that was cut or changed anywhere never shortens the history in silence', async () => {
    const random = seeded(5)
    const trials = process.env['ASG_SOAK'] === '1' ? 250 : 25
    const source = await crashed()
    const bytes = statSync(`${source}-wal`).size
    for (let trial = 0; trial < trials; trial++) {
      const file = newFile()
      for (const end of ['', '-wal', '.tail']) copyFileSync(source + end, file + end)
      const at = Math.floor(random() * bytes)
      if (trial % 2 === 0) truncateSync(`${file}-wal`, at)
      else {
        const log = readFileSync(`${file}-wal`)
        log[at]! ^= 0xff
        writeFileSync(`${file}-wal`, log)
      }
      const { repo, warnings } = await opened(file, { readOnly: true })
      const length = await lengthOf(repo)
      const lost = length < size ? [{ code: 'history-lost', data: { size: length, marked: size } }] : []
      expect([at, warnings.map(({ code, data }) => ({ code, data }))]).toEqual([at, lost])
      await repo.close()
    }
  })

  it('also when a process was killed', async () => {
    const file = newFile()
    const worker = await startWorker('tail-worker.mjs', { file, count: commits })
    worker.begin()
    await untilSaid(worker, 2)
    worker.child.kill('SIGKILL')
    await worker.ended
    rmSync(`${file}-wal`)
    const { repo, warnings } = await opened(file)
    expect(warnings).toMatchObject([{ code: 'history-lost', data: { marked: size } }])
    await repo.close()
  })
})

describe('the mark', () => {
  it('is no obstacle when it cannot be read, cannot be written, or says less than the journal holds', async () => {
    const file = newFile()
    {
      await using repo = await open(file)
      await write(repo)
    }
    const whole = readFileSync(`${file}.tail`, 'utf8')
    for (const text of ['', 'no mark', '[]', '{"seq":-1}', whole.replace(`"seq":${size}`, '"seq":"many"')]) {
      writeFileSync(`${file}.tail`, text)
      const { repo, warnings } = await opened(file)
      expect([text, warnings]).toEqual([text, []])
      await repo.close()
    }
    await using backend = sqlite(file)
    const tails = { read: backend.tails!.read, replace: () => Promise.reject(new Error('No space')) }
    const repo = await open({ ...backend, tails, close: async () => {} })
    await repo.set('/n', 100, 'Go on')
    await repo.close()
  })

  it('is told from that of another journal, and of one that went another way', async () => {
    const [file, other] = [newFile(), newFile()]
    for (const one of [file, other]) {
      await using repo = await open(one)
      await write(repo)
    }
    copyFileSync(`${other}.tail`, `${file}.tail`)
    const { repo, warnings } = await opened(file)
    expect(warnings).toMatchObject([{ code: 'history-lost', data: { size, marked: size } }])
    await repo.close()
    const again = await opened(file)
    expect(again.warnings).toEqual([])
    await again.repo.close()
  })

  it('goes with its namespace, and there is none beside a store that has a signed one', async () => {
    const file = newFile()
    {
      await using repo = await open(file, { signer: newSigner() })
      await write(repo, 1)
      await using other = await open(file, { namespace: 'other' })
      await write(other, 1)
    }
    expect(existsSync(`${file}.tail`)).toBe(false)
    await using backend = sqlite(file)
    expect(await backend.tails!.read('other')).toContain('"seq":2')
    await backend.dropNamespace('other')
    expect(await backend.tails!.read('other')).toBeUndefined()
  })

  it('is not written again for a namespace that another process drops at that moment', async () => {
    const file = newFile()
    const backend = sqlite(file)
    await using other = sqlite(file)
    let isDropped = false
    const { read, replace } = backend.tails!
    const tails: Marks = {
      read,
      async replace(namespace, text, mayReplace) {
        if (isDropped) await other.dropNamespace(namespace)
        return replace(namespace, text, mayReplace)
      },
    }
    const repo = await open({ ...backend, tails }, { namespace: 'tenant' })
    await write(repo, 1)
    await repo.handle.shared.tail!.flush()
    await write(repo, 2)
    isDropped = true
    await repo.handle.shared.tail!.flush()
    expect(await other.tails!.read('tenant')).toBeUndefined()
    await repo.close()
    const { repo: next, warnings } = await opened(file, { namespace: 'tenant' })
    expect([warnings, await lengthOf(next)]).toEqual([[], 0])
    await next.close()
  })
})
