/** The pages tell the truth: code on them compiles, runs and prints what they say; commands on them exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Block, listBlocks, placeOf } from '../../../../scripts/pages/page-blocks.mjs'
import { root } from '../architecture/support/source-file.ts'
import { type Callable, findWrongCommands } from './support/commands.ts'
import { isRunnable, type Outcome, runBlocks } from './support/run-blocks.ts'
import { runShell } from './support/run-shell.ts'
import { walks } from './support/walks.ts'

const docs = readdirSync(`${root}docs`, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.md'))
  .map(entry => relative(root, `${entry.parentPath}/${entry.name}`))
const front = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
const pages = [...front, ...docs].filter(page => !walks.includes(page))
const blocks = pages.flatMap(page => listBlocks(page, readFileSync(`${root}${page}`, 'utf8')))

const callable: Callable = {
  scripts: Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts),
  tools: readdirSync(`${root}node_modules/.bin`),
  packages: readdirSync(`${root}packages`),
}

function faultsOf(block: Block, { printed, failure }: Outcome): string[] {
  if (failure !== undefined) return [`${placeOf(block)} does not run:\n${failure}`]
  if (block.printed === undefined || block.printed.trimEnd() === printed.trimEnd()) return []
  return [`${placeOf(block)} prints:\n${printed}`]
}

describe('the programs on the pages', () => {
  it('run, and print what the page says they print', async () => {
    const programs = blocks.filter(({ language }) => isRunnable(language))
    const outcomes = await runBlocks(root, programs)
    expect(programs.flatMap((block, index) => faultsOf(block, outcomes[index]!))).toEqual([])
  })
})

describe('the commands on the pages', () => {
  it('can all be called', () => {
    const wrong = blocks
      .filter(block => block.language === 'sh')
      .flatMap(block => findWrongCommands(block.code, callable).map(line => `${placeOf(block)} ${line}`))
    expect(wrong).toEqual([])
  })

  it('print what the page says they print', async () => {
    const shown = blocks.filter(block => block.language === 'sh' && block.printed !== undefined)
    expect(shown.length).toBeGreaterThan(0)
    const said = await Promise.all(shown.map(({ code }) => runShell(root, code)))
    expect(said.map(text => text.trimEnd())).toEqual(shown.map(({ printed }) => printed!.trimEnd()))
  })
})

describe('the reader of pages', () => {
  const fence = '```'

  it('finds blocks with their line, language and output', () => {
    const page = `# Title\n\n${fence}ts\nlet a = 1\n${fence}\n\nprints\n\n${fence}text\n1\n${fence}\n\n${fence}json\n{}\n${fence}\n`
    expect(listBlocks('page.md', page)).toEqual([
      { page: 'page.md', line: 3, language: 'ts', code: 'let a = 1\n', printed: '1\n' },
      { page: 'page.md', line: 9, language: 'text', code: '1\n', printed: undefined },
      { page: 'page.md', line: 13, language: 'json', code: '{}\n', printed: undefined },
    ])
  })

  it('reports code that does not compile, code that fails, and what the rest prints', async () => {
    const [wrong, failing, good, late, plain] = await runBlocks(root, [
      { language: 'ts', code: "const n: number = 'text'" },
      { language: 'ts', code: "throw new Error('on purpose')" },
      { language: 'ts', code: 'const n: number = 1 + 1\nconsole.log(n)' },
      { language: 'ts', code: "void Promise.reject(new Error('too late'))\nawait new Promise(setImmediate)" },
      { language: 'js', code: 'const show = n => console.log(n)\nshow(3)' },
    ])
    expect(wrong?.failure).toMatch(/not assignable to type 'number'/)
    expect(failing?.failure).toMatch(/on purpose/)
    expect(good).toEqual({ printed: '2\n', failure: undefined })
    expect(late?.failure).toMatch(/too late/)
    expect(plain).toEqual({ printed: '3\n', failure: undefined })
  })

  it('reports a program that prints something else than the page says', () => {
    const block: Block = { page: 'page.md', line: 3, language: 'ts', code: '', printed: '1\n' }
    expect(faultsOf(block, { printed: '1\n', failure: undefined })).toEqual([])
    expect(faultsOf(block, { printed: '2\n', failure: undefined })).toEqual(['page.md:3 prints:\n2\n'])
    expect(faultsOf(block, { printed: '1\n', failure: 'gone' })).toEqual(['page.md:3 does not run:\ngone'])
  })

  it('finds commands that are not there', () => {
    const code =
      'npm start\nnpm run bench -- floor # one\nnpm run nothing\nnpx vitest run\nnpx strangetool\nrm -rf /\n# words\n'
    expect(findWrongCommands(code, callable)).toEqual(['npm run nothing', 'npx strangetool', 'rm -rf /'])
  })
})
