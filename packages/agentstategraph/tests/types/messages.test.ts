/** What the compiler says about a wrong path or value can be read by a person. */
import { expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'
import { runBlocks } from '../docs/support/run-blocks.ts'

const start = `import { open } from 'agentstategraph'
interface Cluster { cluster: { replicas: number; nodes: { status: 'up' | 'down' }[] } }
const repo = await open<Cluster>()
`

it('a wrong path, a wrong value and a write to the past are named in the message', async () => {
  const wrong = [
    ["await repo.get('/cluster/replcas')", 'the state has no /cluster/replcas'],
    ["await repo.set('/cluster/replcas', 3, 'Scale')", 'the state has no /cluster/replcas'],
    ["await repo.commit('Scale', tx => tx.set('/cluster/replcas', 3))", 'the state has no /cluster/replcas'],
    ["await repo.get('/cluster/nodes/first')", 'the state has no /cluster/nodes/first'],
    ["await repo.set('/cluster/nodes/0/status', 'gone', 'Lose it')", `'"gone"' is not assignable to`],
    [
      "await repo.at('v1').set('/cluster/replicas', 3, 'Scale')",
      "Property 'set' does not exist on type 'Snapshot<Cluster>'",
    ],
  ] as const
  const outcomes = await runBlocks(
    root,
    wrong.map(([line]) => ({ language: 'ts', code: start + line })),
  )
  for (const [index, [, message]] of wrong.entries()) expect(outcomes[index]!.failure).toContain(message)
})

const storableStart = `import type { Storable } from 'agentstategraph'
class Cursor { next() {} }
const keep = <T>(value: Storable<T>): T => value as T
`

const memoryStart = `import { agent, Live, Versioned } from 'agentstategraph/memory'
const memory = await Versioned.open()
const db = agent('db', { state: { rows: 0, cursor: null as { next(): unknown } | null } })
const read = db.task('read', (sql: string, { state }) => { state.cursor?.next(); return sql })
await read('select 1', { state: new Live() })
const kept = agent('kept', { state: { cursor: null as { next(): unknown } | null }, transient: ['cursor'] })
await kept.task('read', () => {})(undefined, { state: memory })
const past = await memory.checkout((await memory.repo.commit({ description: 'Begin', allowEmpty: true }, () => {})).id)
`

it('a memory that a state cannot be kept in, and a write to the past, are named in the message', async () => {
  const wrong = [
    ["await read('select 1', { state: memory })", "'cursor' cannot be stored: use Live, or make it transient"],
    ['past.of(db).rows = 1', "Cannot assign to 'rows' because it is a read-only property"],
  ] as const
  const outcomes = await runBlocks(
    root,
    ['', ...wrong.map(([line]) => line)].map(line => ({ language: 'ts', code: memoryStart + line })),
  )
  expect(outcomes[0]!.failure).toBeUndefined()
  for (const [index, [, message]] of wrong.entries()) expect(outcomes[index + 1]!.failure).toContain(message)
})

it('what cannot be stored is named in the message, with what to do instead', async () => {
  const wrong = [
    ['keep<{ deep: { cb: () => void }[] }>({ deep: [{ cb() {} }] })', 'a function cannot be stored: keep it in Live'],
    ['keep<{ later: Promise<1> }>({ later: Promise.resolve(1) })', 'a promise cannot be stored: await it first'],
    ["keep<Set<symbol>>(new Set([Symbol('s')]))", 'a symbol cannot be stored: use a string'],
    ['keep<{ cursor: Cursor }>({ cursor: new Cursor() })', 'a function cannot be stored: keep it in Live'],
  ] as const
  const outcomes = await runBlocks(
    root,
    wrong.map(([line]) => ({ language: 'ts', code: storableStart + line })),
  )
  for (const [index, [, message]] of wrong.entries()) expect(outcomes[index]!.failure).toContain(message)
})
