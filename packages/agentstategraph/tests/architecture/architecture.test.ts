/** The shape of the code base, as promises. Each rule is shown to see the fault it is there for. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { arrows, findCycles, findForeignImports, findWrongArrows, serverLayers } from './support/arrows.ts'
import { findUnloadable } from './support/browser.ts'
import { findMissingExports, type PackageExports } from './support/exports.ts'
import { findHiddenInputs, findLongFiles, findSpreads, findVagueNames } from './support/habits.ts'
import { findLooseProject } from './support/projects.ts'
import { findWideFolders, findWrongRanks, serverRanks } from './support/ranks.ts'
import {
  type Fault,
  findLayer,
  isTest,
  layersFolder,
  listImports,
  readSources,
  root,
  type SourceFile,
} from './support/source-file.ts'
import { findUnsteadyTests } from './support/test-habits.ts'

const packageFolder = 'packages/agentstategraph'
const library = readSources([layersFolder])
const server = readSources([serverLayers.folder])
const others = [
  `${packageFolder}/tests`,
  'packages/server/bin',
  'packages/server/tests',
  'packages/explorer/src',
  'packages/explorer/tests',
  'scripts',
  'bench',
  'examples',
]
const everything = [...library, ...server, ...readSources(others)]

const readJson = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'))
const manifest: PackageExports = readJson(`${packageFolder}/package.json`)
const layers = readdirSync(`${root}${layersFolder}`)

const inWords = (faults: readonly Fault[]): string[] =>
  faults.map(({ path, fault, remedy }) => `${path} ${fault}. ${remedy}`)

const sample = (path: string, text: string): SourceFile => ({ path: `${layersFolder}/${path}`, text })
const faultsOf = (faults: readonly Fault[]): string[] => faults.map(({ fault }) => fault)

describe('the layers', () => {
  it('import only along the arrows', () => {
    expect(inWords(findWrongArrows(library))).toEqual([])
  })

  it.each(Object.entries(arrows))('%s is imported by nothing it imports', (layer, allowed) => {
    expect(allowed.filter(other => arrows[other]?.includes(layer))).toEqual([])
  })

  it.each(layers)('%s is compiled with no more than its arrows', layer => {
    const path = `${layersFolder}/${layer}/tsconfig.json`
    expect(inWords(findLooseProject(layer, path, readJson(path)))).toEqual([])
  })

  it('import no package and no node: module outside backends and node', () => {
    expect(inWords(findForeignImports(library))).toEqual([])
  })

  it.each(['repository', 'maintenance', 'repo', 'store', 'tree', 'core', 'testing'])(
    '%s can be loaded by a browser',
    layer => {
      expect(inWords(findUnloadable(library, `${layersFolder}/${layer}/index.ts`))).toEqual([])
    },
  )

  it('have no files that import each other in a circle', () => {
    expect(inWords(findCycles(library))).toEqual([])
  })

  it('have folders that import only their own rank and those below', () => {
    expect(inWords(findWrongRanks(library))).toEqual([])
  })

  it('neither print, nor read the environment, nor call a clock or dice that was not handed in', () => {
    expect(inWords(findHiddenInputs(library))).toEqual([])
  })

  it('are all there to be imported under the names the package exports', () => {
    expect(inWords(findMissingExports(packageFolder, manifest, library))).toEqual([])
  })
})

describe('the layers of the server', () => {
  // What others import from the package is no layer: it may show any of them.
  const layered = server.filter(({ path }) => path !== `${serverLayers.folder}/index.ts`)
  const within = (...layers: readonly string[]): SourceFile[] =>
    layered.filter(({ path }) => layers.includes(findLayer(path, serverLayers.folder) ?? ''))

  it('import only along the arrows', () => {
    expect(inWords(findWrongArrows(layered, serverLayers))).toEqual([])
  })

  it('have no files that import each other in a circle', () => {
    expect(inWords(findCycles(server))).toEqual([])
  })

  it('have folders that import only their own rank and those below', () => {
    expect(inWords(findWrongRanks(layered, serverRanks, serverLayers.folder))).toEqual([])
  })

  it('neither print, nor read the environment, nor call a clock or dice where operations are said', () => {
    expect(inWords(findHiddenInputs(within('wire', 'operations')))).toEqual([])
  })

  it.each([
    ['http', /^node:http$/],
    ['mcp', /^@modelcontextprotocol\//],
    ['cli', /^commander$/],
  ])('%s alone knows what it is made with', (layer, library) => {
    const users = layered.filter(
      file => !isTest(file) && listImports(file).some(({ specifier }) => library.test(specifier)),
    )
    const layers = users.map(({ path }) => findLayer(path, serverLayers.folder))
    expect([...new Set(layers)]).toEqual([layer])
  })
})

describe('every file', () => {
  it('is short enough to hold one concept', () => {
    expect(inWords(findLongFiles(everything))).toEqual([])
  })

  it('is one of at most 25 in its folder', () => {
    expect(inWords(findWideFolders([...library, ...server]))).toEqual([])
  })

  it('has a name that says what is in it', () => {
    expect(inWords(findVagueNames(everything))).toEqual([])
  })
})

describe('the code', () => {
  it('does not make arguments of lists, which may be long', () => {
    expect(inWords(findSpreads([...library, ...server]))).toEqual([])
  })
})

describe('the tests', () => {
  it('depend neither on chance that cannot be repeated, nor on time, nor on each other', () => {
    const isTestCode = ({ path }: SourceFile): boolean =>
      /\.test\.m?[jt]s$/.test(path) || /^packages\/[^/]+\/tests\/(?!architecture)/.test(path)
    const config = readFileSync(`${root}vitest.config.ts`, 'utf8')
    const isAlone = (path: string): boolean => config.includes(`'${path}'`) || path.endsWith('.mjs')
    const steadied = everything.filter(file => isTestCode(file) && !file.path.endsWith('architecture.test.ts'))
    expect(inWords(findUnsteadyTests(steadied, isAlone))).toEqual([])
  })
})

describe('the rules', () => {
  it('see every way to import', () => {
    const text = [
      "import { a } from './a.ts'",
      "import type { B } from './b.ts'",
      "import {\n  c,\n} from './c.ts'",
      "export { d } from './d.ts'",
      "import './e.ts'",
      "const f = await import('./f.ts')",
      "// import { g } from './g.ts'",
      "/** import { h } from './h.ts' */",
    ].join('\n')
    expect(listImports(sample('core/x.ts', text)).map(({ specifier }) => specifier)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(name => `./${name}.ts`),
    )
  })

  it('see an import against the arrows, of a type as well, and a folder that is no layer', () => {
    expect(faultsOf(findWrongArrows([sample('core/x.ts', "import type { Log } from '../store/backend.ts'")]))).toEqual([
      'imports ../store/backend.ts',
    ])
    expect(faultsOf(findWrongArrows([sample('tree/deep/x.ts', "import { x } from '../../../tests/x.ts'")]))).toEqual([
      'imports ../../../tests/x.ts',
    ])
    expect(faultsOf(findWrongArrows([sample('extras/x.ts', '')]))).toEqual(['is in "extras", which is no layer'])
    expect(findWrongArrows([sample('store/x.ts', "import { x } from '../tree/x.ts'")])).toEqual([])
    const surface = { path: `${serverLayers.folder}/mcp/x.ts`, text: "import { x } from '../http/x.ts'" }
    expect(faultsOf(findWrongArrows([surface], serverLayers))).toEqual(['imports ../http/x.ts'])
  })

  it('see a built-in module behind an entry, however far', () => {
    const files = [
      sample('repository/index.ts', "import { a } from './open.ts'\n"),
      sample('repository/open.ts', "const b = await import('./lazy.ts')\nimport { c } from '../backends/c.ts'\n"),
      sample('repository/lazy.ts', "import { readFileSync } from 'node:fs'\n"),
      sample('backends/c.ts', "import { resolve } from 'node:path'\n"),
    ]
    expect(faultsOf(findUnloadable(files, `${layersFolder}/repository/index.ts`))).toEqual(['imports node:path'])
  })

  it('see a package and a static node: import outside backends', () => {
    expect(faultsOf(findForeignImports([sample('store/x.ts', "import { readFileSync } from 'node:fs'")]))).toEqual([
      'imports node:fs',
    ])
    expect(faultsOf(findForeignImports([sample('testing/x.ts', "import { it } from 'vitest'")]))).toEqual([
      'imports vitest',
    ])
    expect(findForeignImports([sample('backends/x.ts', "import { readFileSync } from 'node:fs'")])).toEqual([])
  })

  it('see a project that references, or knows, more than its layer may', () => {
    const config = { compilerOptions: { types: ['node'] }, references: [{ path: '../core' }, { path: '../store' }] }
    expect(faultsOf(findLooseProject('tree', 'tsconfig.json', config))).toEqual([
      'references "store"',
      'knows the types of "node"',
    ])
    expect(findLooseProject('backends', 'tsconfig.json', config)).toEqual([])
  })

  it('see a list that becomes the arguments of a call', () => {
    const faults = (text: string): string[] => faultsOf(findSpreads([sample('tree/x.ts', text)]))
    const texts = [
      'a.push(...b)',
      'a.b.push(\n  ...b,\n)',
      'a.push(first, ...b)',
      'Math.max(0, ...b)',
      'a.splice(i, 0, ...b)',
      'Math.min(1, Math.max(x.y, ...b))',
    ]
    for (const text of texts) expect(faults(text), text).toHaveLength(1)
    for (const text of ['a.push({ ...b })', 'a.push([...b])', 'a.push(f(1), [...b])', 'f(...b)']) {
      expect(faults(text), text).toEqual([])
    }
  })

  it('see a circle', () => {
    const circle = [
      sample('core/a.ts', "import './b.ts'"),
      sample('core/b.ts', "import './c.ts'"),
      sample('core/c.ts', "import './a.ts'"),
    ]
    expect(faultsOf(findCycles(circle))).toEqual(['imports itself: core/a.ts → core/b.ts → core/c.ts → core/a.ts'])
    expect(findCycles(circle.slice(0, 2))).toEqual([])
  })

  it.each([
    ['console', 'console.log(1)'],
    ['process.env', "const home = process.env['HOME']"],
    ['Date.now()', 'const time = Date.now()'],
    ['new Date()', 'const time = new Date()'],
    ['Math.random()', 'const n = Math.random()'],
  ])('see %s in library code, and not in its comments', (name, code) => {
    expect(faultsOf(findHiddenInputs([sample('store/x.ts', code)]))).toEqual([`uses ${name}`])
    expect(findHiddenInputs([sample('store/x.ts', `/** ${code} */\n// ${code}`)])).toEqual([])
    expect(findHiddenInputs([sample('store/x.test.ts', code)])).toEqual([])
  })

  it.each([
    ['throws dice that cannot be thrown again', 'const n = Math.random()'],
    ['gives a law a seed of its own', 'fc.assert(law, { seed: 42, numRuns: 5 })'],
    ['reads a clock', 'const start = performance.now()'],
    ['waits for a time to pass', 'await new Promise(resolve => setTimeout(resolve, 50))'],
    ['has a timeout of its own', "it('is slow', async () => {\n}, 60_000)"],
    ['changes what belongs to the whole process', "process.chdir('/')"],
    ['has a hook of the first file that imports it only', 'afterAll(() => remove())'],
  ])('see a test that %s, and not in its comments', (fault, code) => {
    const helper = sample('../tests/repo/x.ts', code)
    expect(faultsOf(findUnsteadyTests([helper], () => false))).toEqual([fault])
    expect(findUnsteadyTests([sample('../tests/x.test.ts', `// ${code.replaceAll('\n', ' ')}`)], () => false)).toEqual(
      [],
    )
  })

  it('let a law repeat one case that failed, and an isolated file change its process', () => {
    const replay = sample('x.test.ts', "fc.assert(law, { seed: -42, path: '7:1' })")
    const alone = sample('y.test.ts', "process.chdir('/')")
    expect(findUnsteadyTests([replay, alone], path => path.endsWith('y.test.ts'))).toEqual([])
  })

  it('see an export without a source', () => {
    const promised = { exports: { './core': { types: './dist/core/index.d.ts', default: './dist/core/index.js' } } }
    expect(findMissingExports(packageFolder, promised, [sample('core/other.ts', '')])).toHaveLength(2)
    expect(findMissingExports(packageFolder, promised, [sample('core/index.ts', '')])).toEqual([])
  })

  it('see an import up the ranks of a layer, a file without a rank, and a folder with too many files', () => {
    const up = sample('tree/nodes/x.ts', "import { y } from '../merge/y.ts'")
    const down = sample('tree/merge/y.ts', "import { x } from '../nodes/x.ts'")
    const loose = sample('tree/loose.ts', '')
    expect(faultsOf(findWrongRanks([up, down, loose]))).toEqual(['imports ../merge/y.ts', 'has no rank in its layer'])
    const many = Array.from({ length: 26 }, (_, n) => sample(`tree/nodes/n${n}.ts`, ''))
    expect(faultsOf(findWideFolders(many))).toEqual(['holds 26 files'])
    expect(findWideFolders(many.slice(1))).toEqual([])
  })

  it('see a long file and a vague name', () => {
    expect(faultsOf(findLongFiles([sample('core/x.ts', 'x\n'.repeat(401))]))).toEqual(['has 401 lines'])
    expect(findLongFiles([sample('core/x.ts', 'x\n'.repeat(400))])).toEqual([])
    expect(faultsOf(findVagueNames([sample('core/utils.ts', ''), sample('core/crypto/hash.ts', '')]))).toEqual([
      'is called utils.ts',
    ])
  })
})
