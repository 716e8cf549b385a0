/**
 * The same requests to two stores that differ only in what is hidden have the same answers: every operation of the table, with its
 * examples and with inputs made by chance.
 *
 * Ids are hashes or random, so they are compared by where they come up in an answer, and times are not compared. The hash of a
 * state and the id of a hidden commit are in no answer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/operations/operation.ts'
import { operations } from '../../src/operations/table.ts'
import { faultOf } from '../../src/wire/faults/fault.ts'
import { type Fixture, makeFixture, makeKeys } from './support/fixture.ts'
import { hide } from './support/hide.ts'

interface World {
  readonly fixture: Fixture
  readonly word: string
  readonly key: string
  /** The hashes of states that the reader may not read all of, and the ids of commits that it may not read. */
  readonly hashes: Set<string>
}

let folder: string
const worlds: World[] = []
/** A store of somebody else, which gives what is signed or exported. */
let elsewhere: Fixture

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hidden-'))
  const keys = await makeKeys(folder)
  elsewhere = await makeFixture(keys)
  for (const word of ['walnut', 'quince']) {
    // Refusals are counted by the minute.
    const fixture = await makeFixture(keys, undefined, {}, () => new Date('2026-04-01T12:00:00Z'))
    const key = await hide(fixture.repo, word)
    const commits = await fixture.repo.query({})
    const readable = new Set((await (await fixture.contextOf({ key }).repo()).query({})).map(({ id }) => id))
    const hidden = commits.map(({ id }) => id).filter(id => !readable.has(id))
    const roots = commits.flatMap(({ root }) => root ?? [])
    worlds.push({ fixture, word, key, hashes: new Set([...roots, ...hidden]) })
  }
})

afterAll(async () => {
  for (const { fixture } of [...worlds, { fixture: elsewhere }]) await fixture[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** An answer as text, in which ids are numbered and times are left out. */
function normal({ word, hashes }: World, answer: string): string {
  const starts = new Set([...hashes].map(hash => hash.slice(0, 12)))
  const known = new Map<string, string>()
  return answer
    .replaceAll(/\b[0-9a-f]{12}\b/g, id => (starts.has(id) ? `the id of a commit with a ${word}` : id))
    .replaceAll(/[0-9a-f]{64}/g, id => (hashes.has(id) ? `the hash of a state or commit with a ${word}` : id))
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replaceAll(/asg_[\w-]+/g, 'KEY')
    .replaceAll(/[\w+/]{42,}=/g, 'HASH')
    .replaceAll(/\b(?:[0-9a-f]{64}|[0-9a-z]{12}|[\w-]{43}|[0-9a-z]{26})\b=?/g, id => {
      const name = known.get(id) ?? `ID${known.size}`
      known.set(id, name)
      return name
    })
}

const STREAMED = 50

async function answerOf(world: World, operation: Operation, input: Record<string, unknown>): Promise<string[]> {
  const { fixture, key, hashes } = world
  const ending = new AbortController()
  try {
    const parsed = operation.input.parse(input)
    const given = await operation.run(fixture.contextOf({ key }, ending.signal), parsed)
    if (operation.effect !== 'read') hashes.add((await fixture.repo.head()).root!)
    if (operation.stream === undefined) return [normal(world, JSON.stringify(given) ?? 'undefined')]
    const items: string[] = []
    // What is in the journal comes within a few turns; events go on for ever.
    if (operation.stream === 'events') void turns(STREAMED).then(() => ending.abort())
    for await (const item of given as AsyncIterable<unknown>)
      if (items.push(normal(world, JSON.stringify(item))) >= STREAMED) break
    return items
  } catch (error) {
    const { code, message, hint, data } = faultOf(error)
    return [normal(world, JSON.stringify({ code, message, hint, data }))]
  } finally {
    ending.abort()
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
}

async function expectAlike(operation: Operation, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { name } = operation
  const shared = given.includes(name) ? { ...(await elsewhere.filled(name, input)), ...input } : undefined
  const asked = async (world: World): Promise<string[]> =>
    answerOf(world, operation, shared ?? (await world.fixture.filled(name, input)))
  const [one, other] = [await asked(worlds[0]!), await asked(worlds[1]!)]
  // A stream of events may be cut at another place.
  const length = operation.stream === 'events' ? Math.min(one.length, other.length) : undefined
  const [left, right] = [one.slice(0, length).join('\n'), other.slice(0, length).join('\n')]
  if (left === right) return
  const at = [...left].findIndex((letter, place) => letter !== right[place])
  const [here, there] = [left, right].map(answer => answer.slice(Math.max(0, at - 200), at + 200))
  expect({ name: operation.name, input, answer: here }).toEqual({ name: operation.name, input, answer: there })
  expect(left).toBe(right)
}

/** Words that mean something in the stores, hidden or not. */
const words = [
  ...[
    '/',
    '/private',
    '/private/token',
    '/private/list/0',
    '/cluster',
    '/cluster/replicas',
    '/nowhere',
    '/**',
    '/_meta',
  ],
  ...['main', 'feature/net', 'feature/conflict', 'secret/none', 'release/1', 'wanted', 'hidden-work', 'intent-001'],
  ...[
    'agent/scaler',
    'agent/hidden',
    'agent/limited',
    'human/nobody',
    'epoch-of-all',
    'sealed-epoch',
    'spec-1',
    'grant-1',
  ],
]

/** Operations that are asked with what another store gave: the same for both. The others are asked with ids of their store. */
const given = ['cosign_epoch', 'check_head', 'verify_bundle', 'import']

/** An example with some of its texts replaced. */
const request = fc
  .record({
    operation: fc.constantFrom(...operations),
    example: fc.nat(9),
    replaced: fc.array(fc.record({ field: fc.nat(9), word: fc.constantFrom(...words) }), { maxLength: 3 }),
  })
  .map(({ operation, example, replaced }) => {
    const input: Record<string, unknown> = { ...operation.examples[example % operation.examples.length]!.input }
    const texts = Object.keys(operation.input.shape)
    for (const { field, word } of replaced) {
      const name = texts[field % texts.length]
      if (name !== undefined && name !== 'namespace') input[name] = word
    }
    return { operation, input }
  })

describe('every operation answers alike', () => {
  it.each(operations.map(operation => [operation.name, operation] as const))('%s', async (_, operation) => {
    expect(operation.examples).not.toEqual([])
    for (const { input } of operation.examples) await expectAlike(operation, input)
  })
})

it('requests made by chance are answered alike', async () => {
  for (const { operation, input } of fc.sample(request, process.env['ASG_SOAK'] === undefined ? 400 : 20_000)) {
    await expectAlike(operation, input)
  }
})
