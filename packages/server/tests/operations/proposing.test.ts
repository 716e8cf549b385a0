/** Where writes are proposals, everything can be read, and no call of the table changes what it does not own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repository } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { epochs } from 'agentstategraph/trust'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/table.ts'
import { endsOf } from './support/ends.ts'
import { type Fixture, makeFixture, makeKeys } from './support/fixture.ts'

let folder: string
let fixture: Fixture
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proposing-'))
  fixture = await makeFixture(await makeKeys(folder), undefined, { agent: 'agent/model', mode: 'propose' })
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Drafts of one's own, what only tells something, and what has nothing to do here. */
const done = [
  ...['speculate', 'spec_set', 'spec_modify', 'discard'],
  ...['observe', 'resolve_intent'],
  ...['sign_epoch', 'run_migrations', 'gc_sweep', 'reindex', 'repair'],
]

async function standing(repo: Repository) {
  const control = access(repo)
  return {
    branches: await repo.branches(),
    tags: await repo.tags(),
    namespaces: await fixture.context.namespaces(),
    epochs: await epochs(repo).list(),
    principals: await control.principals(),
    grants: await control.grants(),
    keys: await control.keys(),
  }
}

test.each(operations.filter(({ effect }) => effect === 'read').map(operation => [operation.name, operation] as const))(
  '%s reads as it does for others',
  async (_, operation) => {
    expect(new Set(await endsOf(fixture, operation))).toEqual(new Set(['done']))
  },
)

test('whatever would change a branch, a tag, an epoch or the rights of somebody becomes a proposal, or is refused', async () => {
  const before = await standing(fixture.repo)
  const ends = new Map<string, readonly string[]>()
  for (const operation of operations) {
    if (operation.effect !== 'read') ends.set(operation.name, await endsOf(fixture, operation))
  }
  expect(await standing(fixture.repo)).toEqual(before)
  expect(
    [...ends]
      .filter(([, codes]) => codes.includes('done'))
      .map(([name]) => name)
      .sort(),
  ).toEqual([...done].sort())
  for (const name of ['set', 'delete', 'commit', 'merge', 'revert', 'commit_spec', 'create_plan', 'run_thread'])
    expect(ends.get(name), name).toContain('approval-required')
})
