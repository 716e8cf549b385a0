/** What is in a store is for its owner alone, in every file that a command writes. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { cliStore } from './support/cli-folder.ts'

const scratch: { remove(): void }[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

/** Made to be given to others, or without anything of a state. */
const forOthers = /\.pub$|\.config\.json$|^viewer\.html$/

it.skipIf(process.platform === 'win32')('files are written with mode 0600, and folders with 0700', async () => {
  const made = await cliStore()
  scratch.push(made)
  for (const words of [
    ['set', '/a', '1', '-m', 'Begin'],
    ['key', 'new'],
    ['epoch', 'create', 'first', 'The first days'],
    ['set', '/a', '2', '-m', 'Go on'],
    ['epoch', 'seal', 'first', 'Done'],
    ['epoch', 'export', 'first', '--out', 'first.jsonl'],
    ['export', '--out', 'all.jsonl'],
    ['backup', 'copy.db'],
  ]) {
    expect(await made.asg(words), words.join(' ')).toMatchObject({ code: 0 })
  }
  const names = readdirSync(made.folder, { recursive: true, encoding: 'utf8' })
  const modes = names.map(name => [name, statSync(join(made.folder, name)).mode & 0o777] as const)
  expect(modes.length).toBeGreaterThan(6)
  expect(modes.filter(([name, mode]) => !forOthers.test(name) && mode !== (name === '.asg' ? 0o700 : 0o600))).toEqual(
    [],
  )
})
