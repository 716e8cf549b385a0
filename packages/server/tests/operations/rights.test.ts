/**
 * Each operation takes the capability that the table shows for it: a key with all others is refused, and so is one without any grant.
 * Also where nothing would be appended: a right that is asked for only there is not asked of what drops, counts or signs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { access, type Capability, capabilities } from 'agentstategraph/access'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { faultOf } from '../../src/wire/faults/fault.ts'
import { type Fixture, makeFixture, makeKeys } from './support/fixture.ts'

let folder: string
let fixture: Fixture
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rights-'))
  fixture = await makeFixture(await makeKeys(folder))
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const keys = new Map<string, Promise<string>>()

/** The key of a principal with these capabilities everywhere. */
function keyWith(held: readonly Capability[]): Promise<string> {
  const name = `agent/with-${held.length === 0 ? 'nothing' : capabilities.filter(one => !held.includes(one)).join('-')}`
  const made = async (): Promise<string> => {
    const control = access(fixture.repo)
    const { key } = await control.addPrincipal(name, 'agent')
    if (held.length > 0) await control.grant(name, { capabilities: held, depth: 2 })
    return key
  }
  if (!keys.has(name)) keys.set(name, made())
  return keys.get(name)!
}

/** How the examples of an operation end for a key: the code of each refusal, or `done`. */
async function endsWith(operation: Operation, key: string): Promise<readonly string[]> {
  const ends: string[] = []
  for (const { input } of operation.examples) {
    try {
      const filled = await fixture.filled(operation.name, input)
      const result = await operation.run(fixture.contextOf({ key }), operation.input.parse(filled))
      if (operation.stream !== undefined) await (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next()
      ends.push('done')
    } catch (error) {
      ends.push(faultOf(error).code)
    }
  }
  return ends
}

const named = (some: readonly Operation[]) => some.map(operation => [operation.name, operation] as const)

/** What gives those who may read nothing an empty answer is tried in `hidden.test.ts`. */
const asked = operations.filter(({ capability }) => capability !== 'none' && capability !== 'read')

/** With `commit` one may do what `propose` takes, and without it state facts under `propose`; a dry run shows what may be read. */
const otherwise = ['speculate', 'spec_set', 'spec_modify', 'discard', 'resolve_intent', 'observe', 'run_migrations']

describe('without the capability that it takes, and with all others', () => {
  test.each(named(asked.filter(({ name }) => !otherwise.includes(name))))('%s is refused', async (_, operation) => {
    const held = capabilities.filter(one => one !== operation.capability)
    expect(await endsWith(operation, await keyWith(held))).not.toContain('done')
  })
})

describe('without any grant', () => {
  test.each(named(asked))('%s is refused', async (_, operation) => {
    const entries = await fixture.entries()
    expect(await endsWith(operation, await keyWith([]))).not.toContain('done')
    // At most the refusal is written down.
    expect(await fixture.entries()).toBeLessThanOrEqual(entries + 2 * operation.examples.length + 2)
  })
})
