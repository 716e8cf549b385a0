/**
 * A process that fills a small file system with a store and with a file of others, and goes on there.
 *
 * It gets the folder, and whether the store is open while others fill the rest, in its only argument, as JSON.
 */
import { appendFileSync, existsSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gc, verify } from '../../dist/maintenance/index.js'
import { open } from '../../dist/repository/index.js'
import { createKeyFile, keyFileSigner } from '../../dist/trust/index.js'

const { folder, how } = JSON.parse(process.argv[2])
const file = join(folder, 'store.db')
let repo = await open(file)
await repo.set('/kept', 1, 'Keep')
const aside = await repo.branch('aside')
let commits = 0
let refused

async function fill(count) {
  for (let n = 0; n < count && refused === undefined; n++) {
    try {
      await aside.set(['n', String(n)], `${n} `.repeat(2000), 'Fill')
      commits++
    } catch (error) {
      refused = error.code
    }
  }
}

await fill(how === 'open' ? Number.POSITIVE_INFINITY : 200)
if (how === 'closed') await repo.close()
try {
  for (;;) appendFileSync(join(folder, 'others'), new Uint8Array(4096))
} catch {}
const { bavail } = statfsSync(folder)
const key = join(folder, 'signer.key')
const keyRefused = await createKeyFile(key).catch(error => ({ code: error.code, isThere: existsSync(key) }))
if (how === 'closed') {
  repo = await open(file)
  refused = await repo.set('/more', 'x'.repeat(900_000), 'More').then(
    () => undefined,
    error => error.code,
  )
}
const query = (await repo.query({ text: 'Fill', limit: 5 })).length
const { damage } = await verify(repo)
await repo.deleteBranch('aside')
const { removed } = await gc(repo, { keepNewerMs: -1 })
await repo.set('/more', 'x'.repeat(20_000), 'More')
const written = await repo.get('/')
const isKeyMade = (await createKeyFile(key)) === (await keyFileSigner(key)).verifierKey
const { damage: after } = await verify(repo)
await repo.close()
const made = { commits, removed, written, isKeyMade }
writeSync(1, JSON.stringify({ ...made, left: bavail, refused, keyRefused, query, damage, after }))
