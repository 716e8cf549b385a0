import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporary } from './temporary.ts'

it('a temporary store is a file while it is open, and nothing is left of it when it is closed', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'staging-'))
  const backend = temporary(parent)
  const entry = { text: '{}', leaf: 'leaf', parts: [] }
  await backend.namespace('a').append({ time: 1, entries: [entry], moves: [] })
  expect(readdirSync(parent)).toHaveLength(1)
  await backend.close()
  await backend.close()
  expect(readdirSync(parent)).toEqual([])
})
