/** What is generated from the table of operations for the clients is what is checked in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../tools.mjs'
import { cFiles } from './c-operations.mjs'
import { goFiles } from './go-operations.mjs'

describe.each([
  ['go', 'node scripts/clients/go-operations.mjs', goFiles()],
  ['c', 'node scripts/clients/c-operations.mjs', cFiles()],
])('the %s client', (folder, command, files) => {
  test.each(Object.entries(files))(`has %s as ${command} writes it`, (name, text) => {
    expect(readFileSync(join(root, 'clients', folder, name), 'utf8') === text).toBe(true)
  })
})
