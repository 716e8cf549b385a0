/** `asg compact`: what a person is told is what a script is. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CliFolder, cliStore } from './support/cli-folder.ts'

let store: CliFolder
beforeAll(async () => {
  store = await cliStore()
})
afterAll(() => store.remove())

it('a store is compacted for a person as for a script, and a refusal is told as one', async () => {
  const { folder, asg } = store
  await asg(['set', '/n', '1', '-m', 'One'])
  const told = await asg(['compact'], { onTerminal: true })
  expect(told).toMatchObject({ code: 0, out: expect.stringMatching(/^bytes_before +\d+\nbytes_after +\d+\n$/) })
  expect(JSON.parse((await asg(['compact', '--json'])).out)).toMatchObject({ bytes_after: expect.any(Number) })
  writeFileSync(join(folder, 'letter.db'), 'This is no store, and it is long enough to be looked at. '.repeat(4))
  const refused = await asg(['compact', '--store', 'letter.db'], { onTerminal: true })
  expect(refused.err).toContain('not-a-store')
  expect(refused.code).toBeGreaterThan(0)
})
