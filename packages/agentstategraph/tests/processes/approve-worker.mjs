/**
 * A process that approves proposals one after another, and says for each what came of it.
 *
 * It gets the file, its key and the ids of the proposals in its only argument, as JSON.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { access } from '../../dist/access/index.js'
import { open } from '../../dist/repository/index.js'

const { file, key, proposals } = JSON.parse(process.argv[2])
const repo = await open(file)
const own = access(await access(repo).authenticate(key))
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.destroy()
const said = []
for (const id of proposals) {
  said.push(
    await own.approve(id, 'Yes').then(
      () => 'approved',
      error => error.code,
    ),
  )
}
writeSync(1, `${JSON.stringify(said)}\n`)
await repo.close()
