import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findingsIn, lockedFolders, unsignedIn } from './audit.mjs'

const root = new URL('../', import.meta.url)
const textOf = path => readFileSync(new URL(path, root), 'utf8')

it('findings are named, and a registry that does not answer is told from one that found nothing', () => {
  const clean = { auditReportVersion: 2, vulnerabilities: {} }
  const found = { auditReportVersion: 2, vulnerabilities: { tool: { name: 'tool', severity: 'high' } } }
  expect(findingsIn(JSON.stringify(clean))).toEqual([])
  expect(findingsIn(JSON.stringify(found))).toEqual(['tool (high)'])
  for (const silent of ['', 'no JSON', '{"message":"405 Method Not Allowed","method":"POST"}'])
    expect(findingsIn(silent)).toBeUndefined()
})

it('packages with a wrong signature or none are named', () => {
  expect(unsignedIn('{"invalid":[],"missing":[]}')).toEqual([])
  const found = { invalid: [{ name: 'tool', version: '1.0.0' }], missing: [{ name: 'other', version: '2.0.0' }] }
  expect(unsignedIn(JSON.stringify(found))).toEqual(['tool@1.0.0', 'other@2.0.0'])
  expect(unsignedIn('')).toBeUndefined()
})

it('every package of every lock file has the digest of its content', () => {
  for (const folder of lockedFolders) {
    const { packages } = JSON.parse(textOf(`${folder}/package-lock.json`))
    const fetched = Object.entries(packages).filter(([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link)
    expect(fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  }
})

it('no script and no workflow installs past the lock file', () => {
  const scripts = readdirSync(new URL('scripts/', root), { recursive: true }).filter(
    name => /\.mjs$/.test(name) && !/\.test\.mjs$|node_modules|^site\/dist/.test(name),
  )
  const texts = [...scripts.map(name => `scripts/${name}`), 'package.json', '.github/workflows/test.yml']
  const installing = texts.filter(path => /npm (i|install|add|update)\b|'(install|add|update)', '--/.test(textOf(path)))
  // It compares what npm installed with the lock file.
  expect(installing).toEqual(['scripts/toolchain/install.mjs'])
})
