import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  isTest,
  layersFolder,
  readSources,
  root,
  type SourceFile,
  withoutComments,
} from '../../../tests/architecture/support/source-file.ts'
import * as refNames from './ref-names.ts'

/** Every fixed name and every prefix of the table. */
const names = Object.entries(refNames).flatMap(([symbol, value]) =>
  typeof value === 'string' && /(Ref|Prefix)$/.test(symbol) ? [value] : [],
)

/** The files that spell a ref's name in a string or a template. */
function spelling(files: readonly SourceFile[]): string[] {
  const spelled = new RegExp(`['"\`](${names.join('|')})`)
  return files
    .filter(file => !isTest(file) && !file.path.includes('/testing/'))
    .filter(({ text }) => spelled.test(withoutComments(text)))
    .map(({ path }) => path)
}

it('the table alone spells the names of refs', () => {
  expect(names.length).toBeGreaterThan(10)
  const sources = readSources([layersFolder, 'packages/server/src'])
  expect(spelling(sources)).toEqual([`${layersFolder}/repo/records/ref-names.ts`])
})

it('the search for names sees one in a string and one in a template, and none in a comment', () => {
  const text = { plain: "const ref = 'draft/' + id", template: 'const ref = `tag/v1`', comment: '// not `tag/x`' }
  const files = Object.entries(text).map(([path, text]) => ({ path, text }))
  expect(spelling(files)).toEqual(['plain', 'template'])
})

it('the format lists every one of them', () => {
  const format = readFileSync(`${root}docs/format.md`, 'utf8')
  expect(names.filter(name => !format.includes(`| \`${name}`))).toEqual([])
})
