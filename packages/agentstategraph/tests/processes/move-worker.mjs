/**
 * A process that moves, deletes or replaces the files of a store that another process has open.
 *
 * It gets the steps for each file as JSON in its only argument, says "ready", takes them when a line comes in, and says "done".
 */
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { open } from '../../dist/repository/index.js'
import { openDatabase } from './raw-database.mjs'

const stores = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

const actions = {
  rename: (file, to) => renameSync(file, to),
  remove: file => rmSync(file),
  removeLog: file => rmSync(`${file}-wal`),
  removeBeside: file => {
    for (const end of ['-wal', '-shm']) rmSync(file + end)
  },
  replace: (file, from) => renameSync(from, file),
  overwrite: (file, from) => copyFileSync(from, file),
  checkpoint: file => openDatabase(file).exec('PRAGMA wal_checkpoint'),
  make: async (file, value) => {
    const repo = await open(file)
    await repo.set('/mine', value, 'Another store')
    await repo.close()
  },
}

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

for (const { file, steps } of stores) {
  for (const [name, argument] of steps) await actions[name](file, argument)
}
say('done')
