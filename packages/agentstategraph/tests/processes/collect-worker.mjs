/**
 * A process that makes branches and tags, lets them go, and brings them back from its cache; or, under the name `gc`, one
 * that collects all the while.
 *
 * It gets the file, its name and the number of rounds in its only argument, as JSON, and tells which refs it left.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { gc } from '../../dist/maintenance/index.js'
import { isStateError, open } from '../../dist/repository/index.js'

const { file, name, rounds } = JSON.parse(process.argv[2])
const repo = await open(file, { agent: `agent/${name}` })
writeSync(1, '"ready"\n')
await once(process.stdin, 'data')
process.stdin.destroy()

const refs = {}

/** Whether a commit could still be pointed to. */
async function isThere(point) {
  try {
    await point()
    return true
  } catch (error) {
    if (!isStateError(error, 'pack-dropped')) throw error
    return false
  }
}

async function makeRefs(round) {
  const branch = `${name}-${round}`
  const { id } = await (await repo.branch(branch)).set('/name', branch, 'Aside')
  await repo.deleteBranch(branch)
  const back = round % 2 === 0 ? () => repo.undo() : () => repo.branch(branch, { from: id })
  if (await isThere(back)) refs[branch] = id
}

for (let round = 0; round < rounds; round++) {
  if (name === 'gc') await gc(repo, { keepNewerMs: -1 })
  else await makeRefs(round)
}
writeSync(1, `${JSON.stringify({ name, refs })}\n`)
await repo.close()
