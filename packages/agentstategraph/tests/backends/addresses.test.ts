/** The addresses of stores: a file, a server, or a refusal that says what there is. */
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { backendAt } from '../../src/backends/backend-at.ts'
import { backendError } from '../../src/backends/errors.ts'
import { open } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

describe('open', () => {
  it('takes a file name and a file: URL, as text or as URL, for the same store', async () => {
    const file = newFile()
    const url = pathToFileURL(file)
    for (const [n, store] of [file, url.href, url].entries()) {
      await using repo = await open(store)
      await repo.set('/n', n, 'Count')
    }
    await using repo = await open(file)
    expect(await repo.log()).toHaveLength(3)
  })

  it.each(['mysql://host/name', 'gs://bucket/store', 'https://example.com', 'foo:bar'])(
    'refuses %s, says which backends there are, and creates nothing',
    async address => {
      for (const store of [address, new URL(address)]) {
        await expect(open(store)).rejects.toMatchObject({
          code: 'scheme-unknown',
          hint: expect.stringMatching(/SQLite.*redis:.*backend/),
        })
      }
    },
  )
})

it.each([42, null, {}, { path: 'state.db' }, []])('open(%j) is refused with what it takes', async store => {
  const given = store as unknown as string
  await expect(open(given)).rejects.toMatchObject({
    code: 'option-invalid',
    message: expect.stringMatching(/file name, URL, backend or key-value store/),
  })
  expect(() => backendAt(given)).toThrow(expect.objectContaining({ code: 'option-invalid' }))
})

it.each([
  ['redis-missing', 'ioredis'],
  ['postgres-missing', 'pg'],
  ['s3-missing', 'aws4fetch'],
] as const)('%s says how to get the client, and not which files asked for it', (code, name) => {
  const error = backendError(code, { reason: `Cannot find module '${name}'\nRequire stack:\n- /app/lib/backends.js` })
  expect(error.message.endsWith(`Cannot find module '${name}'.`)).toBe(true)
  expect(error.hint).toContain(`npm install ${name}`)
})
