import { expect, it } from 'vitest'
import { findReleaseFaults, findTarballFaults } from './release-faults.mjs'

const url = 'git+https://example.org/state/graph.git'
const home = { repository: { url }, homepage: 'here', bugs: 'here', keywords: ['state'] }
const library = { name: 'library', version: '1.2.0', ...home }
const server = { name: 'server', version: '1.2.0', dependencies: { library: '1.2.0' }, ...home }
const good = {
  manifests: [library, server],
  workspace: home,
  origin: 'git@example.org:state/graph.git',
  changelog: '# C\n\n## 1.2.0 (2026-11-17)\n',
  isDry: false,
  uncommitted: '',
  tags: '',
}

it('finds nothing wrong with one version everywhere, a dated section, a clean tree and no tag', () => {
  expect(findReleaseFaults(good)).toEqual([])
})

it.each([
  ['a package of another version', { manifests: [library, { ...server, version: '1.1.0' }] }, 'both carry one version'],
  [
    'a range instead of the version',
    { manifests: [library, { ...server, dependencies: { library: '^1.2.0' } }] },
    'exactly 1.2.0',
  ],
  ['a changelog of another version', { changelog: '## 1.1.0\n' }, 'must begin with 1.2.0'],
  ['a section without a date', { changelog: '## 1.2.0 (not yet released)\n' }, 'write the date'],
  ['a package without a home', { manifests: [{ ...library, bugs: undefined }, server] }, 'library lacks bugs'],
  ['a package that lives elsewhere', { manifests: [library, { ...server, bugs: 'there' }] }, 'the workspace says'],
  ['another origin', { origin: 'https://example.org/fork/graph' }, 'origin is https://example.org/fork/graph'],
  ['no origin', { origin: '' }, 'origin is not set'],
  ['uncommitted changes', { uncommitted: ' M README.md' }, 'commit them'],
  ['a tag that is there', { tags: 'v1.2.0' }, 'choose a new version'],
])('refuses %s', (_, change, words) => {
  expect(findReleaseFaults({ ...good, ...change }).join('\n')).toContain(words)
})

it('lets a dry run pass with uncommitted changes and an open section', () => {
  const open = {
    isDry: true,
    changelog: '## 1.2.0 (not yet released)\n',
    uncommitted: ' M README.md',
    tags: 'v1.2.0',
    origin: '',
  }
  expect(findReleaseFaults({ ...good, ...open })).toEqual([])
})

const packed = ['README.md', 'LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE', 'package.json', 'lib/index.js']

it('finds nothing wrong with a tarball that has its page and licenses', () => {
  expect(findTarballFaults({ name: 'agentstategraph', unpackedSize: 2_400_000, paths: packed })).toEqual([])
})

it.each([
  ['a tarball without a license', { paths: packed.filter(path => path !== 'LICENSE') }, 'lacks LICENSE'],
  ['maps', { paths: [...packed, 'lib/index.js.map'] }, 'lib/index.js.map'],
  ['a library that is too large', { unpackedSize: 2_600_000 }, 'the limit is 2500000'],
])('refuses %s', (_, change, words) => {
  const given = { name: 'agentstategraph', unpackedSize: 1, paths: packed, ...change }
  expect(findTarballFaults(given).join('\n')).toContain(words)
})
