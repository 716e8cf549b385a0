import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCacheFolder } from './cache-folder.ts'

it.skipIf(process.platform === 'win32')('what is kept of a store is for its owner alone', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'cache-')), 'cache')
  const cache = openCacheFolder(folder, 'bucket')
  cache.keep('chunk', new Uint8Array([1]))
  cache.index('journal')
  expect(cache.find('chunk')).toEqual(new Uint8Array([1]))
  const modes = ['.', ...readdirSync(folder)].map(name => [name, statSync(join(folder, name)).mode & 0o777] as const)
  expect(modes.length).toBeGreaterThan(4)
  expect(modes.filter(([name, mode]) => mode !== (name === '.' ? 0o700 : 0o600))).toEqual([])
  await cache.close()
})
