/**
 * A process that writes to a store in a folder, and tells what was acknowledged, one line each.
 *
 * It gets the folder, the durability, whether heads are signed, and how many rounds it makes in its only argument, as JSON. Between its
 * writes it collects garbage, compacts, makes backups, and opens the store again.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { sqlite } from '../../dist/backends/index.js'
import { backup, compact, gc, setRetention } from '../../dist/maintenance/index.js'
import { open } from '../../dist/repository/index.js'
import { createKeyFile, keyFileSigner, protect, subjectKeyFolder } from '../../dist/trust/index.js'

const { folder, durability, isSigned, rounds } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)
const key = join(folder, 'signer.key')
if (isSigned) say({ key: await createKeyFile(key) })

async function openStore() {
  const keys = await subjectKeyFolder(join(folder, 'keys'))
  return await open(sqlite(join(folder, 'state.db'), { maxLogBytes: 2 ** 17 }), {
    durability,
    ...(isSigned ? { signer: await keyFileSigner(key) } : {}),
    protect: protect({ patterns: ['/people/{subject}'], keys }),
  })
}

async function set(path, value) {
  const { seq, id } = await repo.set(path, value, 'Set it')
  say({ seq, id, path, value })
}

async function leaveGarbage(round) {
  const aside = await repo.branch(`aside-${round}`)
  await aside.set('/n', `${round} `.repeat(2000), 'Aside')
  await repo.deleteBranch(`aside-${round}`)
  await gc(repo, { keepNewerMs: -1 })
}

let repo = await openStore()
for (let round = 0; round < rounds; round++) {
  await Promise.all([0, 1, 2].map(slot => set(`/slots/${slot}`, `${round} ${'x'.repeat(400 * (round % 3))}`)))
  await set(`/people/person-${round}`, { round })
  if (round % 4 === 1) await leaveGarbage(round)
  if (round % 8 === 2) await setRetention(repo, { count: 3 })
  if (round % 8 === 3) await compact(repo)
  if (round % 8 === 5) {
    const { entries } = await backup(repo, join(folder, `backup-${round}.db`))
    say({ backup: `backup-${round}.db`, entries })
  }
  if (round % 6 === 4) {
    await repo.close()
    repo = await openStore()
  }
}
await repo.close()
