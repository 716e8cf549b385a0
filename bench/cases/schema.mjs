/**
 * A one-leaf commit to a state of 1 MB: with a schema over all of it, beside the same commit without one.
 *
 * The schema is asked part by part, so the cost should follow the change and not the state.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { schemas } from 'agentstategraph/schema'
import { rateRatio, takeTurns } from '../measure.mjs'
import { ratioAtMost, time } from '../reach.mjs'

export const name = 'schema'

export const reach = { leaf: ratioAtMost(2), added: ratioAtMost(2) }

const RECORDS = 5000

const shape = {
  type: 'object',
  required: ['records'],
  properties: {
    isClosed: { type: 'boolean' },
    reason: { type: 'string' },
    records: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]' },
      additionalProperties: { $ref: '#/$defs/record' },
    },
  },
  additionalProperties: false,
  // Rules over the whole, which see no more than they name.
  anyOf: [{ not: { required: ['isClosed'] } }, { required: ['reason'] }],
  $defs: {
    record: {
      type: 'object',
      required: ['id', 'name', 'score', 'tags'],
      properties: {
        id: { type: 'integer', minimum: 0 },
        name: { type: 'string', minLength: 1 },
        score: { type: 'number', maximum: 1e9 },
        tags: { type: 'array', items: { enum: ['red', 'green', 'blue'] }, maxItems: 8 },
        text: { type: 'string' },
      },
      additionalProperties: false,
    },
  },
}

export async function run({ driver, makeFolder }) {
  const folder = makeFolder()
  const plain = await opened(join(folder, 'plain.db'), driver)
  const checked = await opened(join(folder, 'checked.db'), driver)
  await schemas(checked).attach('/', shape, {}, 'All of it')
  const rows = [
    ...(await compare('leaf', 'one leaf of 1 MB set', plain, checked, (repo, i) =>
      repo.set(`/records/r${(i * 7919) % RECORDS}/score`, i, 'Score'),
    )),
    ...(await compare('added', 'one record added to 1 MB', plain, checked, (repo, i) =>
      repo.set(`/records/s${i}`, record(i), 'Add'),
    )),
  ]
  await plain.close()
  await checked.close()
  return { rows, sides: [{ side: 'with and without a schema', driver: driver.name }] }
}

async function opened(file, driver) {
  const repo = await open(sqlite(file, { driver: driver.module }))
  const records = Object.fromEntries(Array.from({ length: RECORDS }, (_, i) => [`r${i}`, record(i)]))
  await repo.set('/', { records }, 'Begin')
  return repo
}

function record(i) {
  return { id: i, name: `record ${i}`, score: i, tags: ['red', 'blue'], text: `${i}`.padEnd(140, '.') }
}

async function compare(reach, work, plain, checked, step) {
  const steps = repo => async (from, count) => {
    for (let i = from; i < from + count; i++) await step(repo, i)
  }
  const times = await takeTurns([
    { name: 'checked', count: 40, run: steps(checked) },
    { name: 'plain', count: 40, run: steps(plain) },
  ])
  return [
    { work, ours: time(times.checked), other: time(times.plain), ratio: rateRatio(times.plain, times.checked), reach },
  ]
}
