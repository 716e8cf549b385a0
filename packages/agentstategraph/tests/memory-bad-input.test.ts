/** A store that is full or damaged, and a repository that may not be written: a clear error, and no work lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { disk } from '../src/backends/index.ts'
import { open } from '../src/face/index.ts'
import { agent, Versioned } from '../src/memory/index.ts'
import { refusalOf } from './repo/open-stores.ts'
import { newFile, openRaw } from './store/sqlite-file.ts'

const keeper = agent('keeper', { state: { text: '', n: 0 } })

it('a full disk refuses the checkpoint; the task’s work is held and kept when there is room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentstategraph-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await using memory = await Versioned.open(disk(folder, { maxBytes: 2 ** 20 }))
  const write = keeper.task('write', (length: number, { state }) => {
    state.text = Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * i) % 23) + (i % 3))).join('')
    state.n++
  })
  await write(10, { state: memory })
  const error = (await write(2_000_000, { state: memory }).catch((thrown: unknown) => thrown)) as {
    code: string
    hint: string
  }
  expect(error.code).toBe('store-full')
  expect(error.hint).not.toBe('')
  expect((await memory.of(keeper)).n).toBe(1)
  expect((await refusalOf(memory.checkpoint())).code).toBe('store-full')
})

it('a damaged store is an error that says so, never an empty memory', async () => {
  const file = newFile()
  {
    await using memory = await Versioned.open(file)
    ;(await memory.of(keeper)).text = 'x'.repeat(500)
    await memory.checkpoint('Keep')
  }
  const raw = openRaw(file)
  raw.exec("UPDATE entries SET part = CAST(replace(CAST(part AS TEXT), 'xxxx', 'xyyx') AS BLOB) WHERE part IS NOT NULL")
  raw.close()
  const look = async (): Promise<string> => {
    await using memory = await Versioned.open(file)
    return (await memory.of(keeper)).text
  }
  expect((await refusalOf(look())).code).toBe('object-corrupt')
})

it('a repository that was opened to read can be looked at and not be written', async () => {
  const file = newFile()
  {
    await using memory = await Versioned.open(file)
    ;(await memory.of(keeper)).n = 3
    await memory.checkpoint('Keep')
  }
  await using repo = await open(file, { readOnly: true })
  const memory = await Versioned.open(repo)
  const state = await memory.of(keeper)
  expect(state.n).toBe(3)
  state.n = 4
  expect((await refusalOf(memory.checkpoint())).code).toBe('read-only')
  expect((await refusalOf(memory.rollback('main', 'Go back'))).code).toBe('read-only')
  expect((await refusalOf(keeper.task('t', () => 1)(undefined, { state: memory }))).code).toBe('read-only')
})

it('a branch that is not there, and what is not an agent, are named', async () => {
  await using repo = await open()
  await repo.set('/a', 1, 'Begin')
  expect(await refusalOf(Versioned.open(repo, { branch: 'mian' }))).toMatchObject({
    code: 'ref-not-found',
    data: { ref: 'mian' },
  })
  const memory = await Versioned.open(repo)
  expect((await refusalOf(memory.of({ name: 'keeper' }))).code).toBe('agent-name-invalid')
  await memory.close()
  expect(await repo.get('/a')).toBe(1)
})
