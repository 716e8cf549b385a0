/** The three modes of an agent's memory: none, in this process, and one commit for each call. */

import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { cache, disk } from 'agentstategraph/backends'
import { agent, events, Live, Versioned, view } from 'agentstategraph/memory'
import { temporaryFile } from './temporary-file.ts'

const analyst = agent('analyst', { state: { seen: [] as number[], mean: 0 } })
const build = analyst.task('build-analysis', async (data: number[], { state, emit }) => {
  state.seen.push(...data) // plain objects, changed in place
  state.mean = state.seen.reduce((a, b) => a + b, 0) / state.seen.length
  emit({ kind: 'action', thinking: 'a running mean is enough' })
  return { mean: state.mean }
})

// No state: each call is independent.
assert.deepEqual(await build([1, 2, 3]), { mean: 2 })
assert.deepEqual(await build([4, 5, 6]), { mean: 5 })

// Live: it remembers in this process, any object.
const shared = new Live()
await build([1, 2, 3], { state: shared })
assert.deepEqual(await build([4, 5, 6], { state: shared }), { mean: 3.5 })

// Versioned: it remembers, and every call is a commit. Nothing given means memory of this process.
await using session = await Versioned.open()
await build([1, 2, 3], { state: session })
assert.deepEqual(await build([4, 5, 6], { state: session }), { mean: 3.5 })

await using file = await temporaryFile()
const folder = join(dirname(file.path), 'memory')
{
  await using memory = await Versioned.open(cache(disk(folder, { maxBytes: 500e6 }), { maxBytes: 64e6 }))
  await build([1, 2, 3], { state: memory })
}
{
  // Another process, as far as the memory is concerned.
  await using memory = await Versioned.open(disk(folder))
  await build([4, 5, 6], { state: memory })
  assert.equal((await memory.of(analyst)).mean, 3.5)
  assert.equal((await memory.repo.blame('/analyst/seen/0')).intent.description, 'analyst/build-analysis: success')

  // Time travel: from an event of interest to the memory before and after it.
  const [action] = await events(memory, { kind: 'action', limit: 1 })
  assert(action?.commitAfter !== undefined)
  const past = await memory.checkout(action.commitAfter)
  console.log(`--- Inspecting state at ${past.commit.slice(0, 7)} ---`)
  console.log(await view(past, { focus: 'full' }))
  assert.deepEqual([...past.of(analyst).seen], [1, 2, 3])
  // @ts-expect-error a checkout is read-only
  assert.throws(() => past.of(analyst).seen.push(1), { code: 'checkout-read-only' })

  // Rollback safety.
  await memory.rollback(past.commit, 'The second batch was wrong')
  assert.equal((await memory.of(analyst)).mean, 2)

  // What cannot be stored is refused where it is used.
  const db = agent('db', { state: { cursor: null as { next(): unknown } | null } })
  const read = db.task('read', (sql: string, { state }) => {
    state.cursor ??= { next: () => sql }
    return state.cursor.next()
  })
  assert.equal(await read('select 1', { state: new Live() }), 'select 1')
  // @ts-expect-error "'cursor' cannot be stored: use Live, or make it transient"
  await assert.rejects(read('select 1', { state: memory }), { code: 'checkpoint-refused' })

  // Use the resource and keep its result, or keep the resource in the process alone.
  const reader = agent('reader', {
    state: { cursor: null as { next(): number } | null, rows: 0 },
    transient: ['cursor'],
  })
  const next = reader.task('next', (_: undefined, { state }) => {
    state.cursor ??= { next: () => 1 }
    state.rows += state.cursor.next()
  })
  await next(undefined, { state: memory })
  console.log(await view(memory))
}
