import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientsPage, falseClaims, readClients } from './table.mjs'

test('docs/clients.md is generated; node scripts/clients/table.mjs writes it', () => {
  expect(readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')).toBe(clientsPage())
})

test('each feature of a client is shown by a test that is there', () => {
  for (const client of readClients()) expect(falseClaims(client), client.name).toEqual([])
})
