/** `asg` as a user runs it: what it prints, where, and how it ends. Each test has a folder of its own. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { call, type Ended, type RunOptions, run, scratchFolder } from './support/cli-process.ts'

// Processes are slow to start: one for each thing that a process adds, which is how it ends, its input, its environment
// and its folder. The rest is asked of the same program in this process. Nothing here waits for a time to pass.

const scratch: { remove(): void }[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

type Asg = (args: readonly string[], options?: Omit<RunOptions, 'folder'> & { folder?: string }) => Promise<Ended>

interface Folder {
  readonly folder: string
  /** `asg` in a process of its own. */
  readonly asg: Asg
  /** `asg` in this process. */
  readonly here: Asg
}

function newFolder(): Folder {
  const made = scratchFolder()
  scratch.push(made)
  const { folder } = made
  return {
    folder,
    asg: (args, options) => run(args, { folder, ...options }),
    here: (args, options) => call(args, { folder, ...options }),
  }
}

async function newStore(): Promise<Folder> {
  const made = newFolder()
  expect((await made.here(['init'])).code).toBe(0)
  return made
}

async function jsonOf(ended: Promise<Ended>): Promise<Record<string, unknown>> {
  const { out } = await ended
  return JSON.parse(out)
}

describe('exit codes', () => {
  it('0 and 1: a diff ends with 1 when there are differences', async () => {
    const { asg, here } = await newStore()
    expect((await here(['set', '/a', '1', '-m', 'Begin'])).code).toBe(0)
    expect((await here(['branch', 'create', 'other'])).code).toBe(0)
    expect((await here(['diff', 'main', 'other'])).code).toBe(0)
    expect((await here(['set', '/a', '2', '-m', 'Go on', '--ref', 'other'])).code).toBe(0)
    const diff = await asg(['diff', 'main', 'other'])
    expect(diff).toMatchObject({ code: 1, out: '- /a: 1\n+ /a: 2\n' })
    const stat = await here(['diff', 'main', 'other', '--stat'])
    expect(stat).toMatchObject({ code: 1, out: ' /a | 1 ~\n 0 added, 1 changed, 0 removed\n' })
  })

  it('2: what is malformed, before anything is opened', async () => {
    const { folder, asg, here } = newFolder()
    const [typo, missing, reason, number, unknown] = await Promise.all([
      asg(['gte', '/a']),
      here(['set', '/a']),
      here(['set', '/a', '1']),
      here(['set', '/a', '1', '-m', 'x', '--confidence', 'high']),
      here(['get', '--reff', 'main']),
    ])
    expect([typo, missing, reason, number, unknown].map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
    expect(typo.err).toMatch(/Did you mean get\?\ntry: asg --help/)
    expect(missing.err).toMatch(/value.*\ntry: asg set --help/)
    expect(reason.err).toMatch(/-m, --message/)
    expect(number.err).toMatch(/--confidence has to be a number/)
    expect(unknown.err).toMatch(/Did you mean --ref\?/)
    // What would be ignored is refused.
    for (const args of [
      ['verify', '--key', 'x'],
      ['verify', 'b.jsonl', '--namespace', 'n'],
      ['log', '--graph', '--agent', 'x'],
    ]) {
      expect(await here(args), args.join(' ')).toMatchObject({ code: 2 })
    }
    expect(existsSync(join(folder, '.asg'))).toBe(false)
  })

  it('3, 4, 5 and 7: conflict, denied, not found, moved; and what to do next', async () => {
    const { asg, here } = await newStore()
    const first = await jsonOf(here(['set', '/a', '1', '-m', 'Begin', '--json']))
    await here(['branch', 'create', 'other'])
    await here(['set', '/a', '2', '-m', 'Here'])
    await here(['set', '/a', '3', '-m', 'There', '--ref', 'other'])
    const [conflict, denied, absent, branch, moved] = await Promise.all([
      asg(['merge', 'other', '--json']),
      here(['set', '/_meta/x', '1', '-m', 'Not mine']),
      here(['get', '/nothing']),
      here(['get', '--ref', 'nothing']),
      here(['set', '/a', '9', '-m', 'Late', '--only-if-head', String(first['id'])]),
    ])
    expect([conflict, denied, absent, branch, moved].map(({ code }) => code)).toEqual([3, 4, 5, 5, 7])
    expect(JSON.parse(conflict.out).error).toMatchObject({
      code: 'merge-conflict',
      kind: 'conflict',
      data: { conflicts: [{ path: '/a' }] },
    })
    expect(conflict.err).toMatch(/try: asg preview-merge other\n/)
    expect(absent.err).toMatch(/try: asg paths/)
    expect(branch.err).toMatch(/try: asg branch list/)
    expect(moved.err).toMatch(/try: asg log/)
    expect(await jsonOf(here(['get', '/a', '--json']))).toMatchObject({ value: 2 })
  })

  it('6: a bundle that was changed, verified offline', async () => {
    const { folder, here } = await newStore()
    await here(['epoch', 'create', 'e1', 'The first'])
    await here(['set', '/a', '1', '-m', 'Begin'])
    await here(['epoch', 'seal', 'e1', 'Done'])
    const { out, code } = await here(['epoch', 'export', 'e1'])
    expect(code).toBe(0)
    writeFileSync(join(folder, 'good.jsonl'), out)
    writeFileSync(join(folder, 'bad.jsonl'), out.replace('Begin', 'begin'))
    // No store is needed, nor looked for.
    const elsewhere = newFolder()
    const [good, bad, piped, none, store] = await Promise.all([
      elsewhere.here(['verify', join(folder, 'good.jsonl')]),
      elsewhere.asg(['verify', join(folder, 'bad.jsonl'), '--json']),
      elsewhere.asg(['verify', '-', '--json'], { stdin: out }),
      elsewhere.here(['verify', 'absent.jsonl']),
      here(['verify', '--json']),
    ])
    expect([good, bad, piped, none, store].map(({ code: each }) => each)).toEqual([0, 6, 0, 2, 0])
    expect(good.out).toMatch(/✔ integrity/)
    expect(JSON.parse(bad.out)).toMatchObject({ ok: false, checks: { 0: { name: 'integrity', status: 'failed' } } })
    expect(JSON.parse(piped.out)).toMatchObject({ ok: true })
    expect(JSON.parse(store.out)).toMatchObject({ ok: true })
  })
})

describe('values', () => {
  it('are JSON when they look like it, and come from stdin or a file too', async () => {
    const { folder, here } = await newStore()
    writeFileSync(join(folder, 'value.json'), '{"list": [1, "two"]}\n')
    await here(['set', '/number', '-3', '-m', 'Below zero'])
    await here(['set', '/text', 'hello world', '-m', 'Words'])
    await here(['set', '/quoted', '"3"', '-m', 'A text of digits'])
    await here(['set', '/file', '@value.json', '-m', 'From a file'])
    await here(['set', '/stdin', '-', '-m', 'From stdin'], { stdin: 'a line\n' })
    await here([
      'commit',
      '-m',
      'Two',
      '--edits',
      '{"op":"set","path":"/x","value":1}',
      '--edits',
      '{"op":"delete","path":"/text"}',
    ])
    expect(await jsonOf(here(['get', '--json']))).toMatchObject({
      value: { number: -3, quoted: '3', file: { list: [1, 'two'] }, stdin: 'a line', x: 1 },
    })
    const { out } = await here(['get', '/file'])
    expect(out).toBe('{ "list": [1, "two"] }\n')
    expect(await here(['set', '/b', '@absent', '-m', 'x'])).toMatchObject({ code: 2 })
  })
})

describe('what a terminal is shown', () => {
  const trick = '\u001b]0;owned\u0007\u001b[2J\u202e'

  it('holds no control character of what is stored, on any way', async () => {
    const { here } = await newStore()
    await here(['set', `/k${trick}`, JSON.stringify(`v${trick}`), '-m', `why${trick}`, '--agent', 'agent/x'])
    await here(['branch', 'create', 'other', '--from', 'main'])
    await here(['set', '/b', '1', '-m', 'Second', '--ref', 'other'])
    const shown = await Promise.all([
      here(['get']),
      here(['get', '--json']),
      here(['log']),
      here(['log', '--graph']),
      here(['blame', `/k${trick}`, '--chain']),
      here(['diff', 'main', 'other']),
      here(['paths']),
      here(['get', `/absent${trick}`]),
      here(['get', `/absent${trick}`, '--json']),
    ])
    for (const { out, err } of shown) expect((out + err).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(JSON.parse(shown[1]!.out).value).toEqual({ [`k${trick}`]: `v${trick}` })
  })

  it('is one JSON document on stdout with --json or ASG_OUTPUT, failures too', async () => {
    const { asg, here } = await newStore()
    const written = await asg(['set', '/a', '1', '-m', 'Begin', '--confidence', '0.85'], {
      env: { ASG_OUTPUT: 'json' },
    })
    const [failed, misused] = await Promise.all([here(['get', '/absent', '--json']), here(['nothing', '--json'])])
    expect(JSON.parse(written.out)).toMatchObject({ intent: { description: 'Begin' }, confidence: 0.85 })
    expect(JSON.parse(failed.out)).toMatchObject({ error: { code: 'path-not-found', kind: 'not-found' } })
    expect(JSON.parse(misused.out)).toMatchObject({ error: { code: 'usage', kind: 'usage' } })
  })
})

describe('the store', () => {
  it('is the .asg folder above, ASG_STORE, or --store, the nearer word first', async () => {
    const { folder, asg, here } = await newStore()
    const deep = join(folder, 'a', 'b')
    mkdirSync(deep, { recursive: true })
    await asg(['set', '/where', 'above', '-m', 'Mark'], { folder: deep })
    await here(['set', '/where', 'env', '-m', 'Mark'], { env: { ASG_STORE: 'env.db' } })
    await here(['set', '/where', 'option', '-m', 'Mark', '--store', 'option.db'], { env: { ASG_STORE: 'env.db' } })
    const where = async (args: readonly string[], options: Parameters<Asg>[1] = {}): Promise<unknown> =>
      (await jsonOf(here(['get', '/where', '--json', ...args], options)))['value']
    expect(await where([], { folder: deep })).toBe('above')
    expect(await where([], { env: { ASG_STORE: 'env.db' } })).toBe('env')
    expect(await where(['--store', 'option.db'], { env: { ASG_STORE: 'env.db' } })).toBe('option')
  })

  it('is not made by a command that reads', async () => {
    const { folder, here } = newFolder()
    const [nowhere, mistyped] = await Promise.all([here(['get']), here(['get', '--store', 'mistyped.db'])])
    expect([nowhere.code, mistyped.code]).toEqual([5, 5])
    expect(nowhere.err).toMatch(/try: asg init/)
    expect(existsSync(join(folder, 'mistyped.db'))).toBe(false)
  })

  it('is asked for by --agent on commands that only read, and refused where there is nothing to ask', async () => {
    const { here } = await newStore()
    for (const [n, agent] of ['agent/a', 'agent/b', 'agent/a'].entries()) {
      await here(['set', '/n', `${n}`, '-m', `Set ${n}`, '--agent', agent])
    }
    const found = async (...words: string[]): Promise<number> =>
      JSON.parse((await here([...words, '--json'])).out).items.length
    expect(await found('log')).toBe(3)
    expect(await found('log', '--agent', 'agent/a')).toBe(2)
    expect(await found('query', '--agent', 'agent/b')).toBe(1)
    expect(await found('query', '--agent', 'nobody')).toBe(0)
    expect(await here(['get', '/n', '--agent', 'agent/a'])).toMatchObject({ code: 2 })
    expect(await here(['--agent', 'agent/a', 'log'])).toMatchObject({ code: 2 })
    expect((await here(['log', '--help'])).out).toContain('--agent <text>')
    expect((await here(['get', '--help'])).out).not.toContain('--agent')
  })

  it('is written by whom --agent or ASG_AGENT names, else by the person', async () => {
    const { here } = await newStore()
    const agents = []
    for (const [value, args, env] of [
      ['1', [], {}],
      ['2', [], { ASG_AGENT: 'agent/env' }],
      ['3', ['--agent', 'agent/option'], { ASG_AGENT: 'agent/env' }],
    ] as const) {
      agents.push((await jsonOf(here(['set', '/a', value, '-m', 'x', '--json', ...args], { env })))['agent'])
    }
    expect(agents).toEqual([expect.stringMatching(/^human/), 'agent/env', 'agent/option'])
  })

  it('is not confused by a field that is called like a setting', async () => {
    const { here } = await newStore()
    await here(['plan', 'create', 'p', 'A plan'])
    await here(['task', 'add', 'p', 'A task'])
    await here(['--agent', 'agent/boss', 'task', 'next', 'p', '--agent', 'agent/worker'])
    const { items } = (await jsonOf(here(['task', 'list', 'p', '--json']))) as { items: { id: string }[] }
    const assigned = await jsonOf(
      here(['task', 'assign', 'p', items[0]!.id, 'agent/worker', '--agent', 'agent/boss', '--json']),
    )
    expect(assigned).toMatchObject({ assignee: 'agent/worker' })
    const { items: log } = (await jsonOf(here(['log', '--limit', '1', '--json']))) as { items: { agent: string }[] }
    expect(log[0]!.agent).toBe('agent/boss')
  })

  it('takes the beginning of a commit id wherever a ref goes, and refuses settings that mean nothing there', async () => {
    const { here } = await newStore()
    const { id } = await jsonOf(here(['set', '/a', '1', '-m', 'One', '--json']))
    await here(['set', '/a', '2', '-m', 'Two'])
    const short = String(id).slice(0, 8)
    expect((await here(['get', '/a', '--ref', short])).out).toBe('1\n')
    expect((await here(['diff', short, 'main'])).out).toBe('- /a: 1\n+ /a: 2\n')
    expect(await here(['get', '--token', 'x'])).toMatchObject({ code: 2 })
    expect(await here(['get', '--agent', 'x', '--store', 'http://127.0.0.1:1'])).toMatchObject({ code: 2 })
  })
})

it('a backup is taken and put back, and what it replaces is kept', async () => {
  const { folder, here } = await newStore()
  await here(['set', '/n', '1', '-m', 'One'])
  const taken = await here(['backup', 'monday.db'])
  expect(taken).toMatchObject({
    code: 0,
    out: `Wrote ${join(folder, 'monday.db')}: 2 entries in one namespace, verified\n`,
  })
  expect((await here(['backup', 'monday.db'])).err).toContain('file-exists')
  await here(['set', '/n', '2', '-m', 'Two'])
  expect((await here(['restore', 'monday.db'])).err).toContain('file-exists')
  const restored = await here(['restore', 'monday.db', '--replace', '-m', 'Two was wrong', '--json'])
  const replaced = join(folder, '.asg', 'state.db.replaced')
  expect(JSON.parse(restored.out)).toMatchObject({ entries: 2, replaced })
  expect((await here(['get', '/n'])).out).toBe('1\n')
  expect((await here(['set', '/n', '3', '-m', 'Three'])).code).toBe(0)
  expect((await here(['get', '/n', '--store', replaced])).out).toBe('2\n')
  expect((await here(['backup', 'x.db', '--store', 'http://127.0.0.1:1'])).err).toContain('is a server')
})

describe('docs/cli.md', () => {
  it('begins with commands that work one after another', async () => {
    const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8')
    const lines = [.../```console\n(.*?)```/s.exec(page)![1]!.matchAll(/^\$ asg (.*)$/gm)].map(([, words]) => words!)
    expect(lines.length).toBeGreaterThan(5)
    const { here } = newFolder()
    for (const line of lines) {
      const words = (line.match(/'[^']*'|\S+/g) ?? []).map(word => word.replaceAll("'", ''))
      const { code, err } = await here(words)
      expect([line, code], err).toEqual([line, line.startsWith('diff') ? 1 : 0])
    }
  })
})

it('init with --store makes nothing, and says how a store elsewhere is made', async () => {
  const { folder, here } = newFolder()
  const { code, err } = await here(['init', '--store', 's3://states/agents'])
  expect([code, readdirSync(folder)]).toEqual([2, []])
  expect(err).toMatch(/takes no --store.*\n.*first write/)
})

describe('what to type next', () => {
  it('is what was typed already, where that is known, and npx where npm runs it', async () => {
    const { here } = newFolder()
    const env = { npm_lifecycle_script: 'asg' }
    expect((await here(['get', '/a'])).err).toMatch(/^try: asg init$/m)
    expect((await here(['get', '/a'], { env })).err).toMatch(/^try: npx asg init$/m)
    expect((await here(['init'], { env })).err).toMatch(/^try: npx asg set \/hello world/m)
    expect((await here(['task', 'show', 'my plan', 't-1'])).err).toMatch(/^try: asg plan list$/m)
    expect((await here(['serve', '--port', 'x'])).err).toMatch(/^try: asg serve --help$/m)
    expect((await here(['completion'])).err).toMatch(/^try: asg completion --help$/m)
    await here(['plan', 'create', 'my plan'])
    expect((await here(['task', 'show', 'my plan', 't-1'])).err).toMatch(/^try: asg task list 'my plan'$/m)
  })
})

describe('help and completion', () => {
  it('show every command without a store, and load nothing of the library', async () => {
    const { folder, asg, here } = newFolder()
    const coverage = join(folder, 'loaded')
    const { code, out } = await asg(['--help'], { env: { NODE_V8_COVERAGE: coverage } })
    expect(code).toBe(0)
    for (const word of ['get', 'set', 'blame', 'spec', 'epoch', 'verify', 'serve', 'doctor', 'mcp']) {
      expect(out).toMatch(new RegExp(`^  ${word}\\b`, 'm'))
    }
    const [report] = execFileSync('ls', [coverage], { encoding: 'utf8' }).split('\n')
    const loaded: { url: string }[] = JSON.parse(readFileSync(join(coverage, report!), 'utf8')).result
    expect(loaded.filter(({ url }) => /\/(zod|hono)\/|agentstategraph\/dist|operations\//.test(url))).toEqual([])
    const help = await here(['set', '--help'])
    expect(help.out).toMatch(/-m, --message <text>/)
    expect(await here(['spec'])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/compare/) })
  })

  it('complete commands and options in a real bash', async () => {
    const { folder, here } = newFolder()
    const { out } = await here(['completion', 'bash'])
    writeFileSync(join(folder, 'asg.bash'), out)
    const complete = (...words: string[]): string => {
      const line = `source ./asg.bash; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _asg; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' }).trim()
    }
    expect(complete('asg', 'bl')).toBe('blame blame-tree')
    expect(complete('asg', 'spec', 'co')).toBe('commit compare')
    expect(complete('asg', '--store', 'x.db', 'epoch', 'se')).toBe('seal')
    expect(complete('asg', 'set', '/a', '--conf')).toBe('--confidence')
    for (const shell of ['zsh', 'fish']) expect((await here(['completion', shell])).out).toMatch(/compare/)
    expect((await here(['completion', 'tcsh'])).code).toBe(2)
  })
})

describe('asg doctor', () => {
  it('finds this machine and a store in order', async () => {
    const { here } = await newStore()
    const report = await jsonOf(here(['doctor', '--json']))
    expect(report).toMatchObject({
      ok: true,
      checks: [{ check: 'node' }, { check: 'sqlite' }, { check: 'two processes' }, { check: 'store' }],
    })
  })
})

// Root may write where others may not.
it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'commands that read work where nothing may be written, and create nothing',
  async () => {
    const { folder, here } = await newStore()
    await here(['set', '/a', '1', '-m', 'Begin'])
    const inside = join(folder, '.asg')
    chmodSync(inside, 0o555)
    try {
      expect(await here(['get', '/a'])).toMatchObject({ code: 0, out: '1\n' })
      expect(await here(['log', '--json'])).toMatchObject({ code: 0 })
      expect((await here(['set', '/a', '2', '-m', 'No'])).code).not.toBe(0)
      expect(readdirSync(inside).sort()).toEqual(['state.db', 'state.db.tail'])
    } finally {
      chmodSync(inside, 0o755)
    }
  },
)
