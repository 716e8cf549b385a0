/**
 * A process that runs a chain of migrations on a file, and says each version when it begins to make it.
 *
 * It gets the file and the number of migrations in its only argument, as JSON, and begins with the first line it is sent.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { open } from '../../dist/repository/index.js'
import { migrations } from '../../dist/schema/index.js'

const { file, count } = JSON.parse(process.argv[2])
const repo = await open(file)
const all = migrations(repo)
for (let from = 0; from < count; from++) {
  all.register({
    from,
    to: from + 1,
    name: `step ${from + 1}`,
    async migrate(tx) {
      writeSync(1, `${from + 1}\n`)
      tx.set('/sum', (await tx.get('/sum')) + from + 1)
    },
  })
}
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.pause()
await all.run('main')
await repo.close()
