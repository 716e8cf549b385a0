/** Following what other processes write to a SQLite file. */
import { expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { runWorkers, startWorker } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

it('two processes write at full speed, and every commit is seen once, in order', async () => {
  const file = newFile()
  await using repo = await open(file)
  const orders = ['north', 'south'].map(name => ({ file, name, count: 80, largeEvery: 1000, maxLogBytes: 2 ** 20 }))
  const abort = new AbortController()
  const writing = runWorkers('commit-worker.mjs', orders)
  // Nobody shall wait for what a process that failed does not write.
  writing.catch(() => abort.abort())
  const seen: number[] = []
  for await (const event of repo.watch({ after: 0, signal: abort.signal })) {
    if (event.kind === 'commit') seen.push(event.seq)
    // One for the commit that both begin with.
    if (seen.length === 161) break
  }
  const told = ((await writing) as readonly (readonly { readonly seq: number }[])[]).flat().map(({ seq }) => seq)
  expect(seen).toEqual(Array.from({ length: 161 }, (_, i) => i + 2))
  expect(told.sort((a, b) => a - b)).toEqual(seen.slice(1))
})

it('each commit of another process is seen when it is made, while this one writes nothing', async () => {
  const file = newFile()
  await using repo = await open(file)
  const worker = await startWorker('set-worker.mjs', { file })
  const watching = repo.watch({ after: 0 })[Symbol.asyncIterator]()
  for (let n = 1; n <= 5; n++) {
    const next = watching.next()
    worker.begin()
    expect((await next).value).toMatchObject({ kind: 'commit', seq: n + 1, changes: [{ path: '/n', after: n }] })
  }
  await watching.return?.()
  worker.child.stdin?.end()
  await worker.ended
})
