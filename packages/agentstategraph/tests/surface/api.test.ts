/**
 * The public face as text: the emitted declarations of each entry point are kept in `api/`, so that every change of them is
 * seen in a review. After a change on purpose: npx vitest run packages/agentstategraph/tests/surface -u
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'
import { type Exported, exportsOf } from './support/declarations.ts'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}

const packages = ['packages/agentstategraph', 'packages/server']

const entries = packages.flatMap(folder => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  return Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [{ name: manifest.name + path.slice(1), file: join(root, folder, target.types), folder }],
  )
})

const isStable = (name: string): boolean => !name.endsWith('/internal')

function printed({ name, texts }: Exported): string {
  return texts.map(text => (new RegExp(`\\b${name}\\b`).test(text) ? text : `// ${name}\n${text}`)).join('\n')
}

describe.each(entries.filter(({ name }) => isStable(name)))('$name', ({ name, file, folder }) => {
  it('declares what its snapshot says', async () => {
    const snapshot = join(root, folder, 'api', `${name.replaceAll(/[@/]/g, '-').replace(/^-/, '')}.txt`)
    await expect(`${exportsOf(file).map(printed).join('\n\n')}\n`).toMatchFileSnapshot(snapshot)
  })
})

it('has no entry point into the layers below the repository but the unstable one', () => {
  const library = entries.filter(({ folder }) => folder === packages[0]).map(({ name }) => name.split('/')[1] ?? '')
  expect(library.filter(name => ['core', 'tree', 'store', 'repo'].includes(name))).toEqual([])
  expect(library.filter(name => name === 'internal')).toEqual(['internal'])
})

it.each(entries)('every name of $name has a comment that says what it is', ({ file }) => {
  const bare = exportsOf(file).filter(({ isDocumented }) => !isDocumented)
  expect(bare.map(({ name }) => name)).toEqual([])
})
