/** What a command loads and describes, because a short process costs little else. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { afterEach, describe, expect, it } from 'vitest'
import type { BuiltinCommand } from '../../src/cli/commands/builtin-command.ts'
import { builtinCommands } from '../../src/cli/commands/builtin-commands.ts'
import { buildProgram } from '../../src/cli/commands/program.ts'
import { readCommandEntries } from '../../src/cli/parse/command-entry.ts'
import { commandsFor, type Offered } from '../../src/cli/parse/commands-for.ts'
import { call, run, scratchFolder } from './support/cli-process.ts'

const scratch: { remove(): void }[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

/** The files of this project and of its dependencies that a process loaded, without the hashes in their names. */
async function filesLoadedBy(args: readonly string[], folder: string): Promise<readonly string[]> {
  const coverage = mkdtempSync(join(folder, 'coverage-'))
  const { code, err } = await run(args, {
    folder,
    env: { NODE_V8_COVERAGE: coverage, NODE_DISABLE_COMPILE_CACHE: '1' },
  })
  expect(code, err).toBe(0)
  const scripts = readdirSync(coverage).flatMap(
    (file): { url: string }[] => JSON.parse(readFileSync(join(coverage, file), 'utf8')).result,
  )
  const files = scripts.flatMap(({ url }) => /(?:packages|node_modules)\/(.*)$/.exec(url)?.[1] ?? [])
  return [...new Set(files.map(file => file.replace(/-[\w-]{8}(\.c?js)$/, '$1')))].sort()
}

describe('what a process loads', () => {
  it('to read a value: no access control, no server, and a few files', async () => {
    const made = scratchFolder()
    scratch.push(made)
    const { folder } = made
    expect((await call(['init'], { folder })).code).toBe(0)
    expect((await call(['set', '/a', '1', '-m', 'Begin'], { folder })).code).toBe(0)
    const files = await filesLoadedBy(['get', '/a'], folder)
    const ours = files.filter(file => /^(server|agentstategraph)\//.test(file))
    expect(ours).toEqual([
      'server/bin/asg.mjs',
      'server/lib/import-module.cjs',
      'server/lib/launch.js',
      'server/lib/program/command.cjs',
      'server/lib/program/main.cjs',
      'server/lib/program/printers.cjs',
      'server/lib/program/rolldown-runtime.cjs',
      'server/lib/rolldown-runtime.js',
    ])
    const others = files.filter(file => !ours.includes(file) && !/sqlite|node-gyp-build/.test(file))
    expect(others).toEqual([])
  })
})

describe('a program with the commands of the first word', () => {
  const entries = readCommandEntries()
  const builtins = builtinCommands

  /** What a command line does: the command that it calls, or what it prints and how it ends. */
  async function outcomeOf(argv: readonly string[], offered: Offered<BuiltinCommand>) {
    const told: unknown[] = []
    const terminal = { out: (text: string) => told.push(text), err: (text: string) => told.push(text), columns: 100 }
    const program = buildProgram(offered.entries, offered.builtins, terminal, {
      operation: async ({ name }, command) => void told.push(name, command.args, command.optsWithGlobals()),
      builtin: async ({ name }, command) => void told.push(name, command.args, command.optsWithGlobals()),
    })
    try {
      await program.parseAsync(argv, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      told.push(error.code, error.message)
    }
    return told
  }

  it('does with every command line what a program with all of them does', async () => {
    const families = new Map(entries.map(entry => [entry.words[0]!, entry]))
    const lines = [
      ...[...families.values()].flatMap(({ words }) => [
        [...words, '--help'],
        [words[0]!, 'nonsense', '--nonsense'],
      ]),
      ...builtins.map(({ name }) => [name, '--help']),
      [],
      ['--help'],
      ['--version'],
      ['help', 'get'],
      ['gett'],
      ['--stor', 'x', 'get'],
      ['--store', 'set', 'get', '/a'],
      ['--store=set', 'get', '/a', '--json'],
      ['--json', 'get', '/a'],
      ['--agent', 'get'],
      ['--', 'get', '/a'],
      ['get', '--', '-a'],
      ['mcp', '--tools', 'get'],
      ['completion', 'bash'],
    ]
    for (const argv of lines) {
      const all = await outcomeOf(argv, { entries, builtins })
      expect(await outcomeOf(argv, commandsFor(argv, entries, builtins)), argv.join(' ')).toEqual(all)
    }
  })

  it('describes no other command', () => {
    const { entries: named, builtins: none } = commandsFor(['--store', 'set', 'get', '/a'], entries, builtins)
    expect([named.map(({ name }) => name), none]).toEqual([['get'], []])
  })
})
