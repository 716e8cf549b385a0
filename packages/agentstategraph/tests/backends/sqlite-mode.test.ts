/** The files of a store that is made are for its owner; those of a store that is there keep their mode. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { disk } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { newSigner } from '../trust/support/signer.ts'

function modesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).sort()
  return Object.fromEntries(names.map(name => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]))
}

it.skipIf(process.platform === 'win32')(
  'a new store, its log, its mark and its reserve are for their owner',
  async () => {
    const file = newFile()
    await using repo = await open(file, { signer: newSigner() })
    // Enough for a reserve, which is made beside stores of some size.
    for (let i = 0; i < 3; i++) await repo.set('/text', String(i).repeat(8 * 2 ** 20), 'Grow')
    await repo.handle.shared.signing!.mark!.flush()
    const modes = modesIn(dirname(file))
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining(['state.db', 'state.db-shm', 'state.db-wal', 'state.db.head']),
    )
    expect(new Set(Object.values(modes))).toEqual(new Set(['600']))
    await using bounded = disk(join(dirname(file), 'bounded'))
    await bounded.namespaces()
    expect(new Set(Object.values(modesIn(join(dirname(file), 'bounded'))))).toEqual(new Set(['600']))
  },
)

it.skipIf(process.platform === 'win32')(
  'a store that others may read stays so, and so do its log and its mark',
  async () => {
    const file = newFile()
    await (await open(file)).close()
    chmodSync(file, 0o640)
    await using repo = await open(file)
    await repo.set('/a', 1, 'Begin')
    await repo.handle.shared.tail!.flush()
    const names = ['state.db', 'state.db-shm', 'state.db-wal', 'state.db.tail']
    expect(modesIn(dirname(file))).toEqual(Object.fromEntries(names.map(name => [name, '640'])))
  },
)
