import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pythonFiles } from './python-operations.mjs'

test('the generated part of the Python client is that of the table; node scripts/clients/python-operations.mjs writes it', async () => {
  for (const [name, text] of Object.entries(await pythonFiles())) {
    const kept = readFileSync(new URL(`../../clients/python/src/agentstategraph/${name}`, import.meta.url), 'utf8')
    expect(kept === text, name).toBe(true)
  }
})

test('the versions of the client and of its core are one', () => {
  const read = path => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('packages/server/package.json'))
  expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`)
  expect(read('clients/python/src/agentstategraph/_version.py')).toContain(`"${version}"`)
})
