/** A read-only caller appends nothing, whatever it calls: every operation of the table. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/table.ts'
import { endsOf } from './support/ends.ts'
import { type Fixture, makeFixture, makeKeys } from './support/fixture.ts'

let folder: string
let fixture: Fixture
let entries: number
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'read-only-'))
  fixture = await makeFixture(await makeKeys(folder), undefined, { mode: 'read-only' })
  entries = await fixture.entries()
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** What writes only in some cases, and not in those of its examples. */
const idle = ['run_migrations', 'sign_epoch']

test.each(operations.map(operation => [operation.name, operation] as const))('%s', async (name, operation) => {
  const ends = await endsOf(fixture, operation)
  expect(await fixture.entries()).toBe(entries)
  if (operation.effect === 'read') expect(new Set(ends)).toEqual(new Set(['done']))
  else if (!idle.includes(name)) expect(ends).not.toContain('done')
})
