/**
 * The verifiers that stand alone say what docs/bundle.md says: each on its own, both alike, and as the library does.
 *
 * What is expected of the bundles in fixtures/bundles was written down by hand (scripts/bundle-vectors), not computed.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listBlocks } from '../../../../scripts/pages/page-blocks.mjs'
import { open } from '../../src/repository/index.ts'
import { epochs, verifyBundle } from '../../src/trust/index.ts'
import { linesOf } from '../trust/support/bundle-lines.ts'
import { newFolder } from '../trust/support/protected-store.ts'
import { bundleFolder, inPython, nodeVerifier, type Ran, runInNode, verifierFiles } from './support/both-verifiers.ts'

interface Vector {
  readonly file: string
  readonly mutator: string | null
  readonly args: readonly string[]
  readonly exit: number
  readonly check: string | null
}

interface Report {
  readonly failed: { readonly check: string; readonly line: number } | null
}

const read = (file: string): Buffer => readFileSync(join(bundleFolder, file))
const { vectors } = JSON.parse(read('index.json').toString()) as { vectors: Vector[] }
const inFolder = (arg: string): string => (/\.(jsonl|pub|head)$/.test(arg) ? join(bundleFolder, arg) : arg)
const commands = vectors.map(({ file, args }) => [file, ...args].map(inFolder))
const expected = vectors.map(({ file, args, exit, check }) => ({ file, args, exit, check }))

function verdicts(ran: readonly Ran[]): object[] {
  return ran.map(([exit, written], i) => {
    const check = (JSON.parse(written) as Report).failed?.check ?? null
    return { file: vectors[i]!.file, args: vectors[i]!.args, exit, check }
  })
}

describe('the bundles in fixtures/bundles', () => {
  it('are good ones, and at least 200 that somebody changed', () => {
    const changed = new Set(vectors.filter(({ mutator }) => mutator !== null).map(({ file }) => file))
    expect(changed.size).toBeGreaterThanOrEqual(200)
    expect(vectors.filter(({ exit, mutator }) => exit === 0 && mutator === null).length).toBeGreaterThanOrEqual(10)
    const files = new Set(readdirSync(bundleFolder))
    expect(vectors.filter(({ file }) => !files.has(file))).toEqual([])
  })

  it('are judged by both verifiers as expected, and alike to the last word', async () => {
    const inNode: Ran[] = []
    for (const command of commands) inNode.push(await runInNode([...command, '--json']))
    const python = inPython(
      'runs',
      commands.map(command => [...command, '--json']),
    ) as Ran[]
    expect(verdicts(inNode)).toEqual(expected)
    expect(verdicts(python)).toEqual(expected)
    expect(python.map(([, written]) => JSON.parse(written) as Report)).toEqual(
      inNode.map(([, written]) => JSON.parse(written) as Report),
    )
  })

  it('are told of in the same words', async () => {
    const told = [
      ...commands.slice(0, 60),
      ...commands.slice(0, 13).map(command => [...command, '--paths', '/limit,/refunds/*']),
    ]
    const inNode: Ran[] = []
    for (const command of told) inNode.push(await runInNode(command))
    expect(inPython('runs', told)).toEqual(inNode)
  })

  it('are told of with who did it on whose authority, and what was erased', async () => {
    const told = async (file: string): Promise<string> =>
      (await runInNode([join(bundleFolder, file), '--paths', '/limit']))[1]
    const authority = await told('good-authority.jsonl')
    expect(authority).toContain('agent/lead on the authority of operator → agent/lead,')
    expect(authority).toContain('/limit = 200; Refine: Raise; because: Asked; 90% sure')
    expect(await told('good-erased.jsonl')).toContain('encrypted values: 2, of which 1 erased')
    expect(await told('good-dropped.jsonl')).toContain('commits: 1, of which 1 with states cleared away')
    expect(await told('good-redacted.jsonl')).toContain('withheld 1')
  })

  it('are judged by the library alike', async () => {
    const differing: object[] = []
    for (const { file, mutator, args, check } of vectors) {
      const text = read(file).toString()
      // The library is given lines of text: how a file was cut into them, and whether it was UTF-8, is not for it to say.
      if (mutator === 'truncate-the-last-line-feed' || !Buffer.from(text).equals(read(file))) continue
      const given = (option: string): string[] => args.filter((_, i) => args[i - 1] === option)
      const keys = [...given('--key'), ...given('--witness')].map(name => read(name).toString().trim())
      const prior = given('--prior').map(name => read(name).toString())[0]
      const { failed = null } = await verifyBundle(text.split(/(?<=\n)/), { keys, prior })
      if (failed !== check) differing.push({ file, args, check, failed })
    }
    expect(differing).toEqual([])
  })
})

describe('every flip of a single bit', () => {
  const file = join(bundleFolder, 'good-signed.jsonl')
  const args = ['--key', join(bundleFolder, 'log.pub')]
  const total = readFileSync(file).length * 8
  const bits = (step: number): number[] => Array.from({ length: Math.ceil(total / step) }, (_, i) => i * step)

  async function unnoticedInNode(tried: readonly number[]): Promise<number[]> {
    const { verifyChunks, readArguments } = await nodeVerifier()
    const options = readArguments(['-', ...args])
    const original = readFileSync(file)
    const unnoticed: number[] = []
    for (const bit of tried) {
      const changed = Buffer.from(original)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      const { exit } = await verifyChunks([changed], options)
      if (exit !== 1 && exit !== 2) unnoticed.push(bit)
    }
    return unnoticed
  }

  it('is noticed by both (a sample)', async () => {
    expect(total).toBeLessThanOrEqual(4096 * 8)
    expect(await unnoticedInNode(bits(23))).toEqual([])
    expect(inPython('flips', [{ file, args, bits: bits(29) }])).toEqual([[]])
  })

  it.runIf(process.env['ASG_SOAK'] === '1')('is noticed by both (all of them)', async () => {
    expect(await unnoticedInNode(bits(1))).toEqual([])
    expect(inPython('flips', [{ file, args, bits: bits(1) }])).toEqual([[]])
  })
})

describe('the commands', () => {
  const good = join(bundleFolder, 'good-log.jsonl')
  const node = (args: readonly string[], input?: Buffer) =>
    spawnSync(process.execPath, [verifierFiles.node, ...args], { input })
  const python = (args: readonly string[], input?: Buffer) =>
    spawnSync('python3', [verifierFiles.python, ...args], { input, env: { ...process.env, LC_ALL: 'C' } })

  it('exit with 0 and say what was not checked, when an intact bundle comes without a key', () => {
    for (const run of [node, python]) {
      const { status, stdout, stderr } = run([good])
      expect([status, stderr.toString()]).toEqual([0, ''])
      expect(stdout.toString()).toContain('signed: not checked')
    }
  })

  it('read from standard input', () => {
    for (const run of [node, python]) {
      expect(run(['-'], readFileSync(good)).status).toBe(0)
      expect(run(['-'], Buffer.from('{}\n')).status).toBe(1)
    }
  })

  it('exit with 2 when they cannot use what they were given', async () => {
    const key = join(bundleFolder, 'log.pub')
    const wrong = [
      [],
      ['nowhere.jsonl'],
      [bundleFolder],
      [good, good],
      [good, '--loud'],
      [good, '--key'],
      [good, '--key', 'nowhere.pub'],
      [good, '--key', good],
      [good, '--key', `${readFileSync(key, 'utf8').trim()}A`],
      [good, '--witness', key],
      [good, '--prior', key],
      [good, '--require', 'everything'],
      [good, '--quorum', '0'],
      [good, '--paths', 'limit'],
    ]
    for (const args of wrong) expect([args, (await runInNode(args))[0]]).toEqual([args, 2])
    expect(inPython('runs', wrong).map(ran => (ran as Ran)[0])).toEqual(wrong.map(() => 2))
  })

  it('let nothing through that steers a terminal', async () => {
    const args = [join(bundleFolder, 'good-hostile-text.jsonl')]
    for (const more of [[], ['--json']]) {
      const told = [await runInNode([...args, ...more]), ...(inPython('runs', [[...args, ...more]]) as Ran[])]
      for (const [, written] of told) {
        expect(written).toContain('\\u001b[2J')
        expect(written).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }
    }
  })

  it('end with 1 on what is made to hurt', async () => {
    const hurting = [
      Buffer.from(`${'['.repeat(200_000)}\n`),
      Buffer.from(`{"a":${'9'.repeat(100_000)}}\n`),
      Buffer.from(`{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}\n`),
      Buffer.from(`"${'\\ud800'.repeat(1000)}"\n`),
      Buffer.alloc(17 * 1024 * 1024, 0x61),
      Buffer.alloc(1000),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
    ]
    for (const input of hurting) {
      for (const run of [node, python]) {
        const { status, stdout, stderr } = run(['-'], input)
        expect([status, stderr.toString()]).toEqual([1, ''])
        expect(stdout.toString()).toContain('this is no bundle')
      }
    }
  })
})

describe('docs/auditor.md', () => {
  it('shows what really comes out', () => {
    const root = join(bundleFolder, '../..')
    const shown = listBlocks('auditor.md', readFileSync(join(root, 'docs/auditor.md'), 'utf8'))
      .filter(({ language, printed }) => language === 'bash' && printed !== undefined)
      .map(({ code, printed }) => ({ code, printed }))
    expect(shown.length).toBeGreaterThan(2)
    const came = shown.map(({ code }) => {
      return { code, printed: spawnSync('sh', ['-c', code], { cwd: root, encoding: 'utf8' }).stdout }
    })
    expect(came).toEqual(shown)
  })
})

describe('what the verifiers and the witness are made of', () => {
  const folder = join(bundleFolder, '../../verifiers')

  it('is nothing of ours: modules of Node, and the standard library of Python', () => {
    const allowed = new Set(builtinModules.map(name => `node:${name}`))
    const importsOf = (file: string): string[] => {
      const text = readFileSync(join(folder, file), 'utf8')
      expect(text).not.toMatch(/\brequire\b\s*\(|\bimport\s*\(/)
      return [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm)].map(
        ([, a, b]) => a ?? b!,
      )
    }
    expect(importsOf('verify.mjs').filter(name => !allowed.has(name))).toEqual([])
    expect(importsOf('witness.mjs').filter(name => !allowed.has(name))).toEqual(['./verify.mjs'])
    expect(readdirSync(folder).sort()).toEqual(['read-store.py', 'verify.mjs', 'verify.py', 'witness.mjs'])
    const python = readFileSync(join(folder, 'verify.py'), 'utf8')
    const standard = ['base64', 'datetime', 'hashlib', 'json', 're', 'sys']
    expect([...python.matchAll(/^\s*(?:import|from)\s+(\S+)/gm)].map(([, name]) => name)).toEqual(standard)
    expect(python).not.toMatch(/__import__|importlib|exec\(|eval\(/)
  })
})

it('both know entries that name a request with an idempotency key', async () => {
  await using repo = await open()
  await epochs(repo).create('q1', 'First quarter')
  await repo.set('/a', 1, { description: 'Once', idempotencyKey: 'once' })
  await epochs(repo).seal('q1', 'Done')
  const lines = await linesOf(repo, 'q1')
  expect(lines.some(line => line.includes('request'))).toBe(true)
  const file = join(newFolder(), 'requests.jsonl')
  writeFileSync(file, lines.join(''))
  const [exit, written] = await runInNode([file])
  expect([exit, written]).toEqual([0, expect.stringContaining('integrity')])
  expect(inPython('runs', [[file]])).toEqual([[0, written]])
})
