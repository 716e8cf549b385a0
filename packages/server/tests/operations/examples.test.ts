/** Every example of every operation does what it says, and answers in the form that the table promises. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { type Fixture, type Keys, makeFixture, makeKeys } from './support/fixture.ts'

let folder: string
let keys: Keys
/** Reading changes nothing, so all that only reads reads the same store. */
let shared: Fixture
let entries: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'operations-'))
  keys = await makeKeys(folder)
  shared = await makeFixture(keys)
  entries = await shared.entries()
})

afterAll(async () => {
  await shared[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Examples whose circumstances a store in memory cannot have: with the code they are refused with. */
const refused: Readonly<Record<string, string>> = {
  accept_history: 'history-whole',
  compact: 'compact-unsupported',
}

/** What an operation gave, each item of it checked. */
async function checked({ name, output, stream }: Operation, given: unknown): Promise<number> {
  if (stream === undefined) {
    output.parse(JSON.parse(JSON.stringify(given)))
    return 1
  }
  let items = 0
  for await (const item of given as AsyncIterable<unknown>) {
    output.parse(JSON.parse(JSON.stringify(item)))
    items++
    // What goes on for ever has shown its form by its first items. A thread that does not run has only its status to tell.
    if (stream === 'events' && items === (name === 'watch_thread' ? 1 : 2)) break
  }
  return items
}

const isKeyed = ({ input }: Operation): boolean => 'idempotency_key' in input.shape

/** Operations whose answer cannot be given again: it has a secret, what was there before, or what code of the app returned. */
const answeredOnce = new Set(['add_principal', 'add_key', 'rotate_key', 'run_task', 'undo'])

/** Fields of an answer that say what is so now, or whether this call changed anything. */
const ofTheCall = { changed: undefined, label: undefined, lease_ends: undefined }

/** The same call under the same key does nothing more, and gives the same answer. */
async function repeat(operation: Operation, given: Record<string, unknown>, fixture: Fixture, first: unknown) {
  const before = await fixture.entries()
  const again = operation.run(fixture.context, given)
  if (answeredOnce.has(operation.name)) await expect(again).rejects.toMatchObject({ code: 'already-done' })
  else expect({ ...((await again) as object), ...ofTheCall }).toEqual({ ...(first as object), ...ofTheCall })
  expect(await fixture.entries()).toBe(before)
}

describe.each(operations.map(operation => [operation.name, operation] as const))('%s', (name, operation) => {
  it.each(operation.examples.map(example => [example.title, example] as const))('%s', async (_title, { input }) => {
    const isRead = operation.effect === 'read'
    await using own = isRead ? undefined : await makeFixture(keys, operation.group)
    const fixture = own ?? shared
    const key = isKeyed(operation) ? { idempotency_key: 'key-1' } : {}
    const given = operation.input.parse({ ...(await fixture.filled(name, input)), ...key })
    const running = operation.run(fixture.context, given)
    if (refused[name] !== undefined) {
      await expect(running).rejects.toMatchObject({ code: refused[name] })
      return
    }
    const result = await running
    expect(await checked(operation, result)).toBeGreaterThan(0)
    if (isRead) expect(await shared.entries()).toBe(entries)
    if (isKeyed(operation)) await repeat(operation, given, fixture, result)
  })
})
