import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findTarballFaults } from '../release/release-faults.mjs'
import { npm } from './toolchain/install.mjs'
import { root } from './tools.mjs'

/** The files that a file of a bundle loads at once, with itself, and the packages and parts of Node that they import. */
function loadedBy(folder, entry) {
  const files = new Set([entry])
  const packages = new Set()
  const parts = new Set()
  for (const file of files) {
    for (const [, name] of readFileSync(join(root, folder, file), 'utf8').matchAll(
      /^(?:import|export)[^"]*"([^"]+)";?$/gm,
    )) {
      if (name.startsWith('./')) files.add(name.slice(2))
      else if (name.startsWith('node:')) parts.add(name)
      else packages.add(name)
    }
  }
  return { files: files.size, packages: [...packages], parts: [...parts] }
}

/** The same for files of CommonJS; what they load late counts too where it is a package. */
function requiredBy(folder, entry) {
  const files = new Set([entry])
  const packages = new Set()
  for (const file of files) {
    const code = readFileSync(join(root, folder, file), 'utf8')
    for (const [, late, name] of code.matchAll(/(then\(\(\)=>)?\brequire\("([^"]+)"\)/g)) {
      if (!name.startsWith('.') && !isBuiltin(name)) packages.add(name)
      else if (name.startsWith('./') && late === undefined) files.add(name.slice(2))
    }
  }
  return { files: files.size, packages: [...packages] }
}

it('the main entry of the library is three files that need no package', () => {
  expect(loadedBy('packages/agentstategraph/lib', 'agentstategraph.js')).toMatchObject({ files: 3, packages: [] })
})

it.each(['agentstategraph', 'graph', 'memory', 'plans', 'schema', 'access'])(
  '%s loads in a browser: it needs nothing of Node before a file is opened',
  entry => {
    expect(loadedBy('packages/agentstategraph/lib', `${entry}.js`)).toMatchObject({ packages: [], parts: [] })
  },
)

it('the program begins with five small files, and needs no package: the library is in it', () => {
  expect(loadedBy('packages/server/lib', 'launch.js')).toMatchObject({ files: 2, packages: [] })
  expect(requiredBy('packages/server/lib/program', 'main.cjs')).toEqual({ files: 3, packages: [] })
  const all = readdirSync(join(root, 'packages/server/lib/program'))
  for (const name of all) expect(requiredBy('packages/server/lib/program', name).packages, name).toEqual([])
})

it('an error has its name in a bundle', async () => {
  const { open } = await import('agentstategraph')
  const repo = await open()
  const error = await repo.set('no path', 1, 'Try').catch(error => error)
  expect([error.name, error.constructor.name, error.code]).toEqual(['StateError', 'StateError', 'path-invalid'])
  await repo.close()
})

it.each(['agentstategraph', 'server'])(
  'what npm packs of packages/%s has the size and the files of a release',
  folder => {
    const [{ name, unpackedSize, files }] = JSON.parse(
      npm(['pack', '--dry-run', '--json'], join(root, 'packages', folder)).stdout,
    )
    expect(findTarballFaults({ name, unpackedSize, paths: files.map(({ path }) => path) })).toEqual([])
  },
)

it('the workspace compiles against the modules whose declarations are published', () => {
  const jsonOf = file => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const entries = Object.entries(jsonOf('packages/agentstategraph/package.json').exports)
  const published = entries
    .filter(([, { types }]) => types !== undefined)
    .map(([path, { types }]) => [
      `agentstategraph${path.slice(1)}`,
      [`./packages/agentstategraph/${types.replace('./lib/types/', 'dist/')}`],
    ])
  expect(jsonOf('tsconfig.base.json').compilerOptions.paths).toEqual(Object.fromEntries(published))
})

it('a line of a bundle can be read in a report of an error', () => {
  const lines = readFileSync(join(root, 'packages/agentstategraph/lib/trust.js'), 'utf8').split('\n')
  const long = lines.filter(line => line.length > 2000)
  expect(long.map(line => line.slice(0, 80))).toEqual([])
  expect(lines.length).toBeGreaterThan(200)
})
