/**
 * Whatever is changed in a bundle, the library and both verifiers say the same of every level.
 *
 * A change is made to a line, or to a field of an entry, commit or node deep inside. With the key of the log everything is made to fit
 * again afterwards, so that most of them pass the hashes and reach the levels behind them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { saidByEach } from '../../packages/agentstategraph/tests/verifiers/support/all-three.ts'
import { bundleFolder } from '../../packages/agentstategraph/tests/verifiers/support/both-verifiers.ts'
import { canonical, ended, keyOf, recordsOf, remade, withNode } from './bundle-lines.mjs'

const bases = [
  'authority',
  'authority-log',
  'authority-within',
  'rotated-before',
  'rotated-within',
  'redacted',
  'paths',
]
const records = new Map(
  bases.map(base => [base, recordsOf(readFileSync(join(bundleFolder, `good-${base}.jsonl`), 'utf8'))]),
)
const keys = [keyOf(1, 'example.org/log'), keyOf(2, 'example.org/log')]

/** Values that some parser, calendar or comparison may treat in its own way. */
const odd = fc.constantFrom(
  null,
  true,
  false,
  0,
  1,
  -1,
  2 ** 53 - 1,
  '',
  '/',
  '/**',
  '*',
  '[""]',
  'operator',
  'agent/lead',
  'main',
  'commit',
  '/limit',
  '/_meta',
  'id4',
  'id10',
  '2026-02-30T00:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  '2028-02-29T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00.000Z',
  '\u{1f600}',
  [],
  ['operator'],
  [[]],
  {},
  { via: {} },
  { by: 'operator' },
)

/** A place deep inside a value: at each level the n-th child, until there is none. */
const way = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 })
const change = fc.record({
  base: fc.constantFrom(...bases),
  line: fc.nat({ max: 60 }),
  field: fc.constantFrom('line', 'entry', 'commit', 'node'),
  way,
  how: fc.constantFrom('set', 'set', 'delete', 'repeat', 'swap', 'drop-line', 'double-line'),
  value: odd,
  isResealed: fc.boolean(),
  signer: fc.constantFrom(...keys),
})

function changedAt(value, [first = 0, ...rest], made) {
  if (typeof value !== 'object' || value === null) return made.value
  const names = Object.keys(value)
  const name = names[first % (names.length || 1)]
  if (name === undefined) return made.value
  const copy = structuredClone(value)
  if (rest.length > 0 && typeof copy[name] === 'object' && copy[name] !== null)
    copy[name] = changedAt(copy[name], rest, made)
  else if (made.how === 'delete') {
    if (Array.isArray(copy)) copy.splice(Number(name), 1)
    else delete copy[name]
  } else if (made.how === 'repeat' && Array.isArray(copy)) copy.push(copy[name])
  else if (made.how === 'swap') copy[name] = copy[names[(first + 1) % names.length]]
  else copy[name] = made.value
  return copy
}

async function mutated(made) {
  const { base, line, field, how, isResealed, signer } = made
  let all = structuredClone(records.get(base))
  const having = [...all.keys()].filter(i => field === 'line' || typeof all[i][field] === 'string')
  const at = having.length === 0 ? line % all.length : having[line % having.length]
  const record = all[at]
  if (how === 'drop-line') all.splice(at, 1)
  else if (how === 'double-line') all.splice(at, 0, record)
  else if (field === 'line' || typeof record[field] !== 'string')
    all[at] = { ...changedAt(record, made.way, made), type: record.type }
  else {
    const text = canonical(changedAt(JSON.parse(record[field]), made.way, made))
    if (field === 'node' && isResealed) all = withNode(all, at, text)
    else record[field] = text
  }
  try {
    return isResealed ? ended(await remade(all, () => {}, [signer])) : ended(all)
  } catch {
    // Not everything that is left can be sealed again.
    return ended(all)
  }
}

it('is said the same of every level by the library and both verifiers', async () => {
  const changes = fc.sample(change, process.env.ASG_SOAK === '1' ? 20_000 : 400)
  const bundles = []
  for (const made of changes) bundles.push(await mutated(made))
  const said = await saidByEach(bundles, [keys[0].verifierKey])
  const isAlike = ([library, ...others]) => others.every(one => JSON.stringify(one) === JSON.stringify(library))
  const differing = said.flatMap((each, i) => (isAlike(each) ? [] : [{ made: changes[i], said: each }]))
  expect(differing).toEqual([])
  const failed = new Set(said.map(([library]) => library.failed))
  expect(failed.size).toBeGreaterThan(8)
})
