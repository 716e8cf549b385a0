/** What the command line knows without loading anything is what the table says. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtinCommands } from '../../src/cli/commands/builtin-commands.ts'
import { buildProgram } from '../../src/cli/commands/program.ts'
import { type CommandEntry, optionName } from '../../src/cli/parse/command-entry.ts'
import { readInput } from '../../src/cli/parse/entry-command.ts'
import { findOperation } from '../../src/cli/parse/find-operation.ts'
import { helpfulOperations } from '../../src/cli/parse/next-command.ts'
import { findNextStep } from '../../src/cli/parse/next-step.ts'
import { documentFields, presets, shortcuts } from '../../src/cli/parse/shortcuts.ts'
import { printers } from '../../src/cli/print/printers.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { operations } from '../../src/operations/table.ts'
import { faultKinds } from '../../src/wire/faults/fault-kind.ts'
import { operationsPage } from '../operations/support/operations-page.ts'
import { cliPage } from './support/cli-page.ts'
import { commandsText, documentFile } from './support/commands-text.ts'

const entries: readonly CommandEntry[] = JSON.parse(await commandsText(operations))
const nothing = async (): Promise<void> => {}
const program = buildProgram(
  entries,
  builtinCommands,
  { out: () => {}, err: () => {}, columns: 100 },
  { operation: nothing, builtin: nothing },
)

function commandOf(words: readonly string[]): typeof program | undefined {
  return words.reduce<typeof program | undefined>(
    (command, word) => command?.commands.find(child => child.name() === word),
    program,
  )
}

// After a change of the table: npx vitest run packages/server/tests/cli/index.test.ts -u
describe('what is written from the table', () => {
  it('commands.json holds every operation as it is now', async () => {
    await expect(await commandsText(operations)).toMatchFileSnapshot('../../commands.json')
  })

  it('docs/cli.md shows every command as it is now', async () => {
    await expect(cliPage(entries, program)).toMatchFileSnapshot('../../../../docs/cli.md')
  })

  it('docs/operations.md shows every operation as it is now', async () => {
    await expect(operationsPage(operations)).toMatchFileSnapshot('../../../../docs/operations.md')
  })
})

const terminal: Terminal = {
  out: () => {},
  page: () => {},
  err: () => {},
  stdin: async () => '',
  env: {},
  folder: '/',
  seen: { out: false, err: false },
  columns: 100,
  user: process.getuid?.(),
  untilStopped: () => new AbortController().signal,
}

describe('the commands', () => {
  it('are the operations of the table, each found in its module', async () => {
    expect(entries.map(({ name }) => name)).toEqual(operations.map(({ name }) => name))
    for (const { name, module } of entries) {
      expect(await findOperation(name, module)).toBe(operations.find(operation => operation.name === name))
    }
  })

  it('have each field of the operation once, in a place or as an option', () => {
    for (const operation of operations) {
      const entry = entries.find(({ name }) => name === operation.name)!
      const command = commandOf(entry.words)
      expect(command, operation.name).toBeDefined()
      const places = command!.registeredArguments.map(place => place.name())
      const options = command!.options.filter(option => option.helpGroupHeading === undefined).map(({ long }) => long)
      for (const field of Object.keys(operation.input.shape)) {
        const ways = [places.includes(field), options.includes(`--${optionName(field)}`)].filter(Boolean)
        expect(ways, `${operation.name}: ${field}`).toHaveLength(1)
      }
      expect(
        entry.fields.map(({ name }) => name),
        operation.name,
      ).toEqual(Object.keys(operation.input.shape))
    }
  })

  it('have words that lead to one of them only, and none that the program needs itself', () => {
    const paths = entries.map(({ words }) => words.join(' '))
    expect(new Set(paths).size).toBe(paths.length)
    for (const { name } of builtinCommands) expect(paths.map(path => path.split(' ')[0])).not.toContain(name)
  })

  it('make of each example line the input of the example', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'examples-'))
    for (const operation of operations) {
      const described = entries.find(({ name }) => name === operation.name)!
      for (const [at, { line }] of described.examples.entries()) {
        const example = Object.entries(operation.examples[at]!.input)
        for (const [name, value] of example.filter(([name]) => documentFields.includes(name)))
          writeFileSync(join(folder, documentFile(name)), String(value))
        let input: unknown
        // Anew for each line: what was parsed stays in a program.
        const parser = buildProgram([described], [], terminal, {
          operation: async (entry, command) => {
            input = await readInput(entry, command, { ...terminal, folder })
          },
          builtin: nothing,
        })
        await parser.parseAsync(wordsOf(line).slice(1), { from: 'user' })
        expect(input, line).toEqual(operation.examples[at]!.input)
      }
    }
  })
})

/** The words of a line as a shell sees them. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s']|'[^']*'|\\')+/g) ?? []
  return words.map(word => word.replace(/'([^']*)'|\\(')/g, (_, quoted, escaped) => quoted ?? escaped))
}

describe('after each command', () => {
  const row = { id: 'a', name: 'b', path: '/c', pattern: '/d', principal: 'agent/e', to: 'agent/f', status: 'open' }
  const answers = [
    {
      ...row,
      items: [row],
      allowed: true,
      seq: 1,
      entry: 2,
      refs: [row],
      namespaces: ['default', 'team'],
      commits: [row],
    },
    { ...row, items: [], entry: 2, refs: [row], task: row, namespaces: ['default'], status: 'paused' },
  ]

  it.each(entries.filter(({ stream }) => stream === undefined))('$name: the next one is a command', async entry => {
    const { input } = operations.find(({ name }) => name === entry.name)!.examples[0]!
    const lines = answers.map(result => findNextStep(entry.name, input, result)).filter(line => line !== undefined)
    // A verdict on a file is the end of that work.
    if (!['verify_bundle', 'check_head'].includes(entry.name)) expect(lines).not.toEqual([])
    for (const line of lines) {
      let isRead = false
      const parser = buildProgram(entries, builtinCommands, terminal, {
        operation: async (called, command) => {
          await readInput(called, command, terminal)
          isRead = true
        },
        builtin: async () => {
          isRead = true
        },
      })
      await parser.parseAsync(wordsOf(line), { from: 'user' })
      expect(isRead, line).toBe(true)
    }
  })
})

describe('what the command line knows by name', () => {
  const names = operations.map(({ name }) => name)

  it('are operations and fields that there are', () => {
    const fields = new Set(operations.flatMap(({ input }) => Object.keys(input.shape)))
    expect(Object.keys(printers).filter(name => !names.includes(name))).toEqual([])
    expect(Object.keys(shortcuts).filter(name => !names.includes(name))).toEqual([])
    const preset = Object.entries(presets).flatMap(([name, places]) => Object.keys(places).map(place => [name, place]))
    const isPlace = ([name, place]: readonly string[]): boolean =>
      entries.some(entry => entry.name === name && entry.places.includes(place!))
    expect(preset.filter(each => !isPlace(each))).toEqual([])
    expect(documentFields.filter(name => !fields.has(name))).toEqual([])
  })

  it('are codes that there are, and commands that help with them', () => {
    expect(Object.keys(helpfulOperations).filter(code => !(code in faultKinds))).toEqual([])
    expect(Object.values(helpfulOperations).filter(name => !names.includes(name))).toEqual([])
  })
})
