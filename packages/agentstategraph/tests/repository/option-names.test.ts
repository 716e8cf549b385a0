/**
 * A misspelt option is refused by name, by every call that takes options.
 *
 * The first half reads the sources: options have a named type, and each such type has a table of names. The second half makes
 * the calls, one for each table.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plans } from '../../src/plans/index.ts'
import { open } from '../../src/repository/index.ts'
import { optionCalls as calls } from '../surface/support/option-calls.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const folders = ['repository', 'maintenance', 'trust', 'schema', 'graph', 'memory', 'plans', 'access', 'backends']
const files = folders.flatMap(folder =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => ({ name: `${folder}/${name}`, text: readFileSync(join(source, folder, name), 'utf8') })),
)
const everything = files.map(({ text }) => text).join('\n')

describe('in the sources', () => {
  it('options have a type with a name', () => {
    const inline = files.flatMap(({ name, text }) =>
      (text.match(/\b(?:options|filter|how|ask|spec)\??: \{(?! \.\.\.)(?!.*=>).*/g) ?? []).map(
        line => `${name}: ${line}`,
      ),
    )
    expect(inline).toEqual([])
  })

  it('each type of options has a table of their names, or is checked by the graph that it is for', () => {
    const exported = files.filter(({ name }) => /^\w+\/index\.ts$/.test(name)).map(({ text }) => text)
    const told = exported.flatMap(text => text.match(/\b\w+(?:Options|Filter|Spec)\b/g) ?? [])
    // Checked with all other faults of a definition, and with the values of a run.
    const byGraphs = ['DefaultOptions', 'CompileOptions', 'RunOptions', 'ThreadEventsOptions', 'ThreadRunOptions']
    // Part of what a why takes.
    const inWhy = ['MergeOptions', 'WriteOptions']
    // Handed to a backend by the library.
    const ofBackends = ['LogOptions']
    const known = [...byGraphs, ...inWhy, ...ofBackends]
    const missing = told.filter(
      name => !known.includes(name) && !new RegExp(`optionsOf<(?:repo\\.)?${name}\\b`).test(everything),
    )
    expect(missing).toEqual([])
  })
})

describe('an unknown option is refused by its name, and nothing is written', () => {
  it.each(Object.entries(calls))('%s', async (name, call) => {
    await using repo = await open()
    await using other = await open()
    await repo.set('/a', 1, 'Begin')
    await plans(repo).create('p')
    const before = { head: await repo.head(), branches: await repo.branches() }
    const given = async (wrong: object): Promise<unknown> => call({ repo, other }, wrong as never)
    await expect(given({ nonsense: 1 })).rejects.toMatchObject({
      code: 'option-unknown',
      message: expect.stringContaining("'nonsense'"),
      data: { call: name.trim(), option: 'nonsense' },
    })
    expect({ head: await repo.head(), branches: await repo.branches() }).toEqual(before)
  })

  it('has a call for every table', () => {
    const tables = [
      ...everything.matchAll(
        /(?:optionsOf<[^(]*|(?:why|merge|conflict|resolution|session|grant|progress)Options)\('([^']+)'/g,
      ),
    ]
    const covered = new Set(Object.keys(calls).map(name => name.trim()))
    const inGraphs = ['retry', 'cache', 'a node', 'compile', 'StateGraph']
    expect(tables.map(([, name]) => name!).filter(name => !covered.has(name) && !inGraphs.includes(name))).toEqual([])
  })

  it('says which name was meant', async () => {
    await using repo = await open()
    const meant: readonly [() => unknown, string][] = [
      [() => repo.set('/a', 1, { description: 'x', reasonning: 'y' } as never), "Did you mean 'reasoning'?"],
      [() => repo.query({ agnet: 'a' } as never), "Did you mean 'agent'?"],
      [() => repo.log({ Since: 'a' } as never), "Did you mean 'since'?"],
    ]
    for (const [call, hint] of meant) {
      await expect((async () => call())()).rejects.toMatchObject({ message: expect.stringContaining(hint) })
    }
  })
})
