/** Memory in fresh processes: it survives them, they meet in it, and one that is killed loses only what it had not kept. */
import { expect, it } from 'vitest'
import { agent, events, Versioned } from '../../src/memory/index.ts'
import { open } from '../../src/repository/index.ts'
import { runWorkers, startWorker } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const team = agent('team', { state: { total: 0, seen: [] as string[] } })

interface Remembered {
  readonly total: number
  readonly seen: readonly string[]
}

it('what one process remembers, the next one knows', async () => {
  const file = newFile()
  await runWorkers('memory-worker.mjs', [{ file, name: 'a', times: 2 }])
  const [[said]] = (await runWorkers('memory-worker.mjs', [{ file, name: 'b', times: 1 }])) as [[Remembered]]
  expect(said).toEqual({ total: 3, seen: ['a0', 'a1', 'b0'] })
  await using memory = await Versioned.open(file)
  expect((await memory.of(team)).total).toBe(3)
  expect(await events(memory, { kind: 'action' })).toHaveLength(3)
})

it('tasks of several processes at once all land', async () => {
  const file = newFile()
  const names = ['a', 'b', 'c']
  await runWorkers(
    'memory-worker.mjs',
    names.map(name => ({ file, name, times: 10 })),
  )
  await using memory = await Versioned.open(file)
  const { total, seen } = await memory.of(team)
  expect(total).toBe(30)
  expect([...seen].sort()).toEqual(names.flatMap(name => Array.from({ length: 10 }, (_, n) => `${name}${n}`)).sort())
})

it('a process that is killed in a task leaves what was kept before, and the events without a commit after', async () => {
  const file = newFile()
  const worker = await startWorker('memory-worker.mjs', { file, name: 'a', times: 3, stop: true })
  worker.begin()
  await worker.ended
  await using repo = await open(file)
  const memory = await Versioned.open(repo)
  expect((await memory.of(team)).seen).toEqual(['a0', 'a1'])
  const told = await events(memory, { kind: 'success' })
  expect(told.map(({ commitAfter }) => commitAfter !== undefined)).toEqual([true, true])
})
