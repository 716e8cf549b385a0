import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mcpCommand } from '../../src/mcp/command.ts'

let home: string
let said: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'asg-home-'))
  said = ''
})
afterEach(() => rm(home, { recursive: true }))

const files = {
  'claude-code': '.claude.json',
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  codex: '.codex/config.toml',
} as const

async function run(args: readonly string[], answer?: boolean): Promise<number> {
  return mcpCommand(args, {
    err: text => {
      said += text
    },
    env: {},
    folder: home,
    home,
    platform: 'linux',
    ...(answer === undefined ? {} : { agrees: async () => answer }),
  })
}

async function put(client: keyof typeof files, text: string): Promise<string> {
  const file = join(home, files[client])
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

test('every client that is found is shown its change, asked about, written, and its old file kept', async () => {
  const old =
    '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {\n            "command": "x"\n        }\n    }\n}\n'
  for (const client of ['claude-code', 'claude-desktop', 'cursor'] as const) await put(client, old)
  await put('vscode', '{}')
  await put('codex', 'model = "o5"\n\n[mcp_servers.other]\ncommand = "x"\n')
  expect(await run(['install', '--store', '/data/state.db', '--tools', 'core'], true)).toBe(0)

  for (const client of ['claude-code', 'claude-desktop', 'cursor'] as const) {
    const text = await readFile(join(home, files[client]), 'utf8')
    const { mcpServers, theme } = JSON.parse(text)
    expect(theme).toBe('dark')
    expect(mcpServers.other).toEqual({ command: 'x' })
    expect(mcpServers.agentstategraph.args.slice(-4)).toEqual(['--store', '/data/state.db', '--tools', 'core'])
    expect(text).toContain('\n    "theme"')
    expect(await readFile(`${join(home, files[client])}.before-agentstategraph`, 'utf8')).toBe(old)
  }
  expect(JSON.parse(await readFile(join(home, files.vscode), 'utf8')).servers.agentstategraph.type).toBe('stdio')
  const codex = await readFile(join(home, files.codex), 'utf8')
  expect(codex).toContain('[mcp_servers.agentstategraph]\ncommand = ')
  expect(codex).toContain('[mcp_servers.other]\ncommand = "x"')
  expect(said).toContain('+         "agentstategraph": {')
})

test('a second run finds that it is there already and writes nothing', async () => {
  await put('cursor', '{}')
  await put('codex', '')
  await run(['install', '--yes', '--store', '/data/a.db'])
  const before = await readFile(join(home, files.cursor), 'utf8')
  said = ''
  expect(await run(['install', '--yes', '--store', '/data/a.db'])).toBe(0)
  expect(said.match(/It is there already/g)).toHaveLength(2)
  expect(await readFile(join(home, files.cursor), 'utf8')).toBe(before)
  expect((await readdir(join(home, '.cursor'))).sort()).toEqual(['mcp.json', 'mcp.json.before-agentstategraph'])
})

test('another store replaces the entry, leaves tables around it, and keeps every older file', async () => {
  const file = await put('codex', '[mcp_servers.agentstategraph]\ncommand = "old"\nargs = []\n\n[profile]\nx = 1\n')
  await run(['install', '--yes', '--store', '/data/a.db'])
  await run(['install', '--yes', '--store', '/data/b.db'])
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain('old')
  expect(text).toContain('/data/b.db')
  expect(text.match(/\[mcp_servers\.agentstategraph\]/g)).toHaveLength(1)
  expect(text).toContain('[profile]\nx = 1\n')
  expect(await readFile(`${file}.before-agentstategraph`, 'utf8')).toContain('"old"')
  expect(await readFile(`${file}.before-agentstategraph-2`, 'utf8')).toContain('/data/a.db')
})

test('a dry run, or a person who says no, changes nothing', async () => {
  const file = await put('cursor', '{}')
  await run(['install', '--dry-run'])
  expect(said).toContain('+   "mcpServers": {')
  await run(['install'], false)
  expect(said).toContain('Left as it was.')
  expect(await readFile(file, 'utf8')).toBe('{}')
  expect(await readdir(join(home, '.cursor'))).toEqual(['mcp.json'])
})

test.each([
  ['comments', '{\n  // mine\n  "mcpServers": {}\n}'],
  ['a number that JavaScript would change', '{"id": 12345678901234567890}'],
  ['no JSON at all', 'nothing'],
  ['servers that are no object', '{"mcpServers": []}'],
])('a file with %s is not touched, and the person is shown what to paste', async (_, text) => {
  const file = await put('cursor', text)
  expect(await run(['install', '--yes'])).toBe(0)
  expect(await readFile(file, 'utf8')).toBe(text)
  expect(said).toContain('Add this by hand')
  expect(said).toContain('"agentstategraph"')
})

test('a link stays a link, and rights stay as they are', async () => {
  const real = join(home, 'dotfiles.json')
  await writeFile(real, '{}', { mode: 0o640 })
  await mkdir(join(home, '.cursor'))
  await symlink(real, join(home, files.cursor))
  await run(['install', '--yes'])
  expect(JSON.parse(await readFile(real, 'utf8')).mcpServers).toBeDefined()
  expect((await stat(real)).mode & 0o777).toBe(0o640)
})

test('a client that is named is set up where it was not found, and no other', async () => {
  await put('codex', '')
  expect(await run(['install', '--yes', '--client', 'cursor'])).toBe(0)
  expect(existsSync(join(home, files.cursor))).toBe(true)
  expect(await readFile(join(home, files.codex), 'utf8')).toBe('')
})

test('the limits of calls that are given go into the entry', async () => {
  expect(await run(['install', '--yes', '--client', 'cursor', '--work', '5s', '--answer', '100kb'])).toBe(0)
  expect(await readFile(join(home, files.cursor), 'utf8')).toMatch(/"--work",\s*"5s",\s*"--answer",\s*"100kb"/)
})

test('what cannot be done is told with what can', async () => {
  expect(await run(['install', '--client', 'emacs'])).toBe(2)
  expect(said).toContain('client-unknown')
  expect(said).toContain('claude-code')
  expect(await run(['dance'])).toBe(2)
  expect(await run(['--what'])).toBe(2)
  expect(await run(['--tools', 'get,gett'])).toBe(2)
  expect(said).toContain('There is no tool "gett"')
  expect(await run(['--store', 'http://127.0.0.1:1'])).toBe(2)
  expect(said).toContain('http://127.0.0.1:1/mcp')
  expect(await run(['--work', 'long'])).toBe(2)
  expect(said).toContain('--work has to be a time such as 30s')
})
