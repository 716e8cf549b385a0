/** Whoever changes a bundle is found out, by the check that docs/bundle.md names. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendLeaf, type Frontier, leafHash, rootOfFrontier, toBase64, verifierKeyOf } from '../../src/core/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { epochs, openBundle, rotateKey, verifyBundle } from '../../src/trust/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { type AnyRecord, ended, lineOf, linesOf, recordOf } from './support/bundle-lines.ts'
import { counter } from './support/clock.ts'

function signer(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const verifierKey = verifierKeyOf(name, raw)
  const keyId = verifierKey.split('+')[1]!
  return { keyId, verifierKey, sign: async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)) }
}

const own = signer('acme/agents')
const other = signer('acme/agents')
let repo: Repository
let full: readonly string[]
let redacted: readonly string[]
let opened: readonly string[]

beforeAll(async () => {
  repo = await open(undefined, { agent: 'agent/a', clock: counter(), signer: own })
  await repo.set('/customers', { ann: { note: 'secret '.repeat(40) } }, 'Before')
  await epochs(repo).create('q1', 'First quarter')
  await repo.set(
    '/refunds',
    { limit: 100, text: 'Up to a hundred. '.repeat(20) },
    { description: 'Limit', reasoning: 'Finance' },
  )
  await repo.set('/refunds/limit', 200, 'Raise')
  await repo.observe('main', { held: true, note: 'It holds' })
  await epochs(repo).seal('q1', 'Settled')
  full = await linesOf(repo, 'q1')
  redacted = await linesOf(repo, 'q1', { profile: 'redacted' })
  opened = await linesOf(repo, 'q1', { paths: ['/refunds'] })
})
afterAll(() => repo.close())

type Change = (lines: AnyRecord[]) => AnyRecord[] | undefined

/** The lines after a change to their records, with an end that fits. */
function changed(lines: readonly string[], change: Change): string[] {
  const records = lines.map(recordOf)
  return ended((change(records) ?? records).map(lineOf))
}

async function failing(lines: Iterable<string>, options = {}): Promise<string | undefined> {
  const bundle = await openBundle(lines, { keys: [own.verifierKey], ...options })
  if (bundle.verdict.failed !== undefined)
    await expect(bundle.get('/refunds/limit')).rejects.toMatchObject({ code: 'bundle-invalid' })
  return bundle.verdict.failed
}

function first(records: AnyRecord[], type: string, has?: string): AnyRecord {
  return records.find(record => record.type === type && (has === undefined || has in record))!
}

function holding(records: AnyRecord[], text: string): AnyRecord {
  return records.find(({ node }) => typeof node === 'string' && node.includes(text))!
}

function put(record: AnyRecord, field: string, value: unknown): undefined {
  record[field] = value
}

function edit(record: AnyRecord, field: string, from: string | RegExp, to: string): undefined {
  record[field] = (record[field] as string).replaceAll(from instanceof RegExp ? new RegExp(from, 'g') : from, to)
}

it('passes as it is', async () => {
  for (const lines of [full, redacted, opened]) expect(await failing(lines)).toBeUndefined()
})

const changes: Readonly<Record<string, readonly [check: string, change: Change]>> = {
  'an edited reasoning': ['commit', all => edit(first(all, 'entry', 'commit'), 'commit', 'Finance', 'Nobody!')],
  'an edited agent of an entry': ['commit', all => edit(first(all, 'entry', 'commit'), 'entry', 'agent/a', 'agent/x')],
  'an edited value': ['unneeded-node', all => edit(holding(all, 'hundred'), 'node', 'hundred', 'HUNDRED')],
  'two entries the other way round': [
    'missing-node',
    all => {
      const at = all.findIndex(({ type, commit }) => type === 'entry' && commit !== undefined)
      const end = all.findIndex(({ type }, i) => i > at && type === 'entry')
      return [...all.slice(0, at), ...all.slice(end), ...all.slice(at, end)]
    },
  ],
  'an entry before one that was earlier': [
    'entry',
    all => {
      const at = all.findIndex(record => String(record['entry']).includes('"observe"'))
      return [...all.slice(0, at), all[at + 1]!, all[at]!, ...all.slice(at + 2)]
    },
  ],
  'an entry left out': ['order', all => all.filter(record => !String(record['entry']).includes('"observe"'))],
  'a node left out': ['missing-node', all => all.filter(record => record !== holding(all, 'hundred'))],
  'a node twice': ['unneeded-node', all => all.flatMap(one => (one === first(all, 'node') ? [one, one] : [one]))],
  'a node that nothing needs': [
    'unneeded-node',
    all => all.flatMap(one => (one === first(all, 'node') ? [{ type: 'node', node: '["value",1]' }, one] : [one])),
  ],
  'a node of no shape': ['node', all => edit(first(all, 'node'), 'node', '["map"', '["mop"')],
  'an end cut off': ['order', all => all.slice(0, -3)],
  'an unknown type': ['record', all => put(first(all, 'prior'), 'type', 'posterior')],
  'a field more': ['record', all => put(first(all, 'prior'), 'more', 1)],
  'a hash with spare bits': ['record', all => edit(first(all, 'prior')['hashes'] as AnyRecord, '0', /.=$/, 'B=')],
  'another origin': ['checkpoint', all => put(first(all, 'header'), 'origin', 'elsewhere')],
  'another epoch': ['seal', all => put(first(all, 'header'), 'epoch', 'q2')],
  'another profile': ['order', all => put(first(all, 'header'), 'profile', 'log')],
  'a newer version': ['version', all => put(first(all, 'header'), 'version', 3)],
  'another first entry': ['prior', all => put(first(all, 'header'), 'from', 4)],
  'paths that claim less than is there': ['unneeded-node', all => put(first(all, 'header'), 'paths', ['/refunds'])],
  'states said to be dropped': [
    'dropped',
    all => {
      const at = all.findIndex(({ type, commit }) => type === 'entry' && commit !== undefined)
      const rest = all.slice(at + 1)
      // Only what the second commit shares with the first would be missed, so it goes too.
      return [...all.slice(0, at), { ...all[at]!, dropped: 1 }, ...rest.filter(({ type }) => type !== 'node')].map(
        one => (one.type === 'entry' && one['commit'] !== undefined ? { ...one, dropped: 1 } : one),
      )
    },
  ],
  'another root in the head': [
    'root',
    all => edit(first(all, 'checkpoint'), 'head', /\n[^\n]{43}=\n/, `\n${'A'.repeat(43)}=\n`),
  ],
  'the tree before it changed': [
    'root',
    all => put(first(all, 'prior'), 'hashes', [createHash('sha256').update('x').digest('base64')]),
  ],
  'a signature taken away': ['signature-missing', all => edit(first(all, 'checkpoint'), 'head', /\n— .*\n/, '\n')],
}

describe('a bundle with', () => {
  for (const [what, [check, change]] of Object.entries(changes)) {
    it(`${what} fails the check ${check}`, async () => {
      expect(await failing(changed(full, change))).toBe(check)
    })
  }

  it('a changed byte and the old end fails', async () => {
    expect(await failing(full.map(line => line.replace('"from":3', '"from":4')))).toBe('prior')
    expect(await failing(full.map(line => line.replace(/"digest":"./, '"digest":"_')))).toBe('record')
    expect(await failing(full.map(line => line.replace(/"lines":(\d+)/, '"lines":1')))).toBe('end')
  })

  it('a line that is not canonical fails', async () => {
    for (const [from, to] of [
      ['{"', '{ "'],
      ['"version":2', '"version":2,"version":2'],
      ['"version":2', '"version":2.0'],
      ['"q1"', '"\\u0071\\u0031"'],
    ] as const) {
      expect(await failing(ended(full.map((line, i) => (i === 0 ? line.replace(from, to) : line))))).toBe('line')
    }
  })

  it('an entry withheld where it should not be, or given where it should not, fails', async () => {
    const leaf = createHash('sha256').update('x').digest('base64')
    expect(await failing(changed(full, all => void Object.assign(first(all, 'entry'), { leaf })))).toBe('withheld')
    expect(await failing(changed(redacted, all => void Object.assign(first(all, 'entry', 'leaf'), { leaf })))).toBe(
      'root',
    )
    const observed = recordOf(full.find(line => line.includes('observe'))!)
    expect(await failing(changed(redacted, all => all.map(one => ('leaf' in one ? observed : one))))).toBe('withheld')
  })

  it('opened paths of which a part is left out fails', async () => {
    const closed = changed(opened, all => {
      const last = all.findLast(({ type }) => type === 'node')
      return all.filter(one => one !== last)
    })
    expect(await failing(closed)).toBe('missing-node')
  })

  it('any single bit changed fails', async () => {
    const bytes = new TextEncoder().encode(redacted.join(''))
    for (let bit = 0; bit < bytes.length * 8; bit += 61) {
      const flipped = bytes.slice()
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      const text = new TextDecoder().decode(flipped)
      const { verdict } = await openBundle(text.split(/(?<=\n)/), { keys: [own.verifierKey] })
      expect(`${bit}: ${verdict.ok}`).toBe(`${bit}: false`)
    }
  })
})

/** The bundle with another state in its only commit, made again from there to the head as whoever keeps the log could. */
function remade(lines: readonly string[], nodes: readonly string[]): string[] {
  const all = lines.map(recordOf)
  const id = (text: string): string => createHash('sha256').update(text).digest('base64url')
  const line = first(all, 'entry', 'commit')
  const before = id(line['commit'] as string)
  edit(line, 'commit', /"tree":"[^"]*"/, `"tree":"${id(nodes[0]!)}"`)
  const after = id(line['commit'] as string)
  let { size, peaks }: Frontier = {
    size: 1,
    peaks: [Buffer.from((first(all, 'prior')['hashes'] as string[])[0]!, 'base64')],
  }
  for (const one of all.filter(({ type }) => type === 'entry')) {
    edit(one, 'entry', before, after)
    ;({ size, peaks } = appendLeaf({ size, peaks }, leafHash(one['entry'] as string)))
  }
  const root = toBase64(rootOfFrontier({ size, peaks }))
  edit(first(all, 'checkpoint'), 'head', /[^\n]{43}=/, root)
  const system = all.filter(({ type }) => type === 'node').at(-1)!
  const at = all.indexOf(line) + 1
  const rest = all.slice(at).filter(({ type }) => type !== 'node')
  return ended([...all.slice(0, at), ...nodes.map(node => ({ type: 'node', node })), system, ...rest].map(lineOf))
}

it('does not open a tree whose nodes do not fit together, whoever made it', async () => {
  await using log = await open()
  await epochs(log).create('e', 'Tiny')
  await log.set('/refunds/limit', 1, 'One')
  await epochs(log).seal('e', 'Done')
  const lines = await linesOf(log, 'e')
  const good = remade(lines, ['["map",{},{"refunds":{"limit":7}}]'])
  expect(await (await openBundle(good)).get('/refunds/limit')).toBe(7)
  const leaf = '["value",1]'
  const link = createHash('sha256').update(leaf).digest('base64url')
  const bad = remade(lines, [`["maps",1,[["a","${link}",1]]]`, leaf])
  expect((await verifyBundle(bad)).failed).toBeUndefined()
  expect((await openBundle(bad)).verdict.failed).toBe('node')
})

describe('a verdict', () => {
  it('says that the holder of a key signed, or that another did', async () => {
    expect((await openBundle(full, { keys: [own.verifierKey] })).verdict.checks[1]).toEqual({
      name: 'signed',
      status: 'passed',
    })
    expect(await failing(full, { keys: [other.verifierKey] })).toBe('signature-missing')
    await expect(openBundle(full, { keys: ['nonsense'] })).rejects.toMatchObject({ code: 'key-invalid' })
  })

  it('says whether a bundle goes on from a head that was kept', async () => {
    const { head } = first(full.map(recordOf), 'checkpoint') as unknown as { head: string }
    const extended = async (prior: string): Promise<string> => {
      const { checks, failed } = (await openBundle(full, { prior })).verdict
      return failed ?? checks.find(({ name }) => name === 'extends')!.status
    }
    expect(await extended(head)).toBe('passed')
    expect(await extended(head.replace(/\n[^\n]{43}=\n/, `\n${'A'.repeat(43)}=\n`))).toBe('extends-root')
    expect(await extended(head.replace(/^[^\n]+/, 'elsewhere'))).toBe('extends-origin')
    expect(await extended(head.replace(/\n\d+\n/, '\n9999\n'))).toBe('not-checked')
    await expect(openBundle(full, { prior: 'nonsense' })).rejects.toMatchObject({ code: 'head-invalid' })
  })

  it('follows a kept head across entries of no epoch, when the export was told of it', async () => {
    await using log = await open(undefined, { signer: own })
    await log.set('/n', 0, 'Zero')
    await epochs(log).create('a', 'First')
    const { signature: prior } = await epochs(log).seal('a', 'Done')
    for (let n = 1; n < 6; n++) await log.set('/n', n, 'Between')
    await epochs(log).create('b', 'Second')
    await log.set('/n', 9, 'Nine')
    await epochs(log).seal('b', 'Done')
    const size = Number(prior!.split('\n')[1])
    const status = async (lines: string[]): Promise<unknown> =>
      (await openBundle(lines, { prior })).verdict.checks[2]!.status
    expect(await status(await linesOf(log, 'b'))).toBe('not-checked')
    const since = await linesOf(log, 'b', { since: size })
    expect(await status(since)).toBe('passed')
    const leaf = createHash('sha256').update('x').digest('base64')
    expect(await failing(changed(since, all => put(first(all, 'since'), 'root', leaf)))).toBe('since')
  })

  it('comes to trust a new key through the old one, and no other', async () => {
    const next = signer('acme/agents')
    await using log = await open(undefined, { signer: own })
    await log.set('/n', 0, 'Zero')
    await rotateKey(log, next)
    await epochs(log).create('a', 'After the change')
    await log.set('/refunds/limit', 1, 'One')
    await epochs(log).seal('a', 'Done')
    const lines = await linesOf(log, 'a')
    expect(await failing(lines)).toBeUndefined()
    expect(await failing(lines, { keys: [next.verifierKey] })).toBeUndefined()
    expect(await failing(lines, { keys: [other.verifierKey] })).toBe('signature-missing')
    expect(await failing(changed(lines, all => all.filter(({ type }) => type !== 'keychain')))).toBe('keychain')
    const forged = changed(lines, all => edit(first(all, 'keychain'), 'entry', next.verifierKey, other.verifierKey))
    expect(await failing(forged)).toBe('keychain')
  })

  it('lets a change of keys that was interrupted retire the old key, and needs nobody to vouch for that', async () => {
    const next = signer('acme/agents')
    const file = newFile()
    {
      await using log = await open(file, { signer: own })
      await log.set('/n', 0, 'Zero')
      let isReached = false
      const unsure = async (message: Uint8Array): Promise<Uint8Array> => {
        if (isReached) return next.sign(message)
        throw new Error('The key cannot be reached')
      }
      await expect(rotateKey(log, { ...next, sign: unsure })).rejects.toThrow('cannot be reached')
      isReached = true
    }
    await using log = await open(file, { signer: next })
    await epochs(log).create('a', 'After the change')
    await log.set('/refunds/limit', 1, 'One')
    await epochs(log).seal('a', 'Done')
    const lines = await linesOf(log, 'a')
    expect(await failing(lines, { keys: [next.verifierKey] })).toBeUndefined()
    const { failed, checks } = await verifyBundle(lines, { keys: [own.verifierKey] })
    expect([failed, checks[1]?.detail]).toEqual(['signature-missing', expect.stringContaining('retired')])
  })
})
