/**
 * The whole audit: a signing key, a sealed quarter, its export as one file, and its verification. The auditor has only the
 * file and a public key. When one word of the file is changed, verification fails.
 */

import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { open, type Signer } from 'agentstategraph'
import { verify } from 'agentstategraph/maintenance'
import { createKeyFile, epochs, keyFileSigner, openBundle } from 'agentstategraph/trust'
import { temporaryFile } from './temporary-file.ts'

await using file = await temporaryFile()
const bundleFile = `${file.path}.2026-q1.jsonl`

// The operator makes a key once; its public part goes to the auditor by another way than the bundle, long before.
await createKeyFile(`${file.path}.key`, { name: 'example.org/billing' })
const signer = await keyFileSigner(`${file.path}.key`)

await quarter(signer)
await auditor(signer)
await atTheAuditor(signer.verifierKey)

/** The quarter: agents work, and need not know that there is an epoch. */
async function quarter(signer: Signer): Promise<void> {
  await using repo = await open(file.path, { signer })
  await epochs(repo).create('2026-q1', 'First quarter')
  const billing = repo.as('agent/billing')
  await billing.set('/refunds/limit', 50, { description: 'Set a limit', reasoning: 'None was there', confidence: 0.6 })
  await billing.set('/refunds/limit', 80, { description: 'Raise the limit', reasoning: 'Support asked for it' })
  await repo.as('agent/support').set('/refunds/cases/c-17', { amount: 75 }, 'Refund 75 to c-17')
  await epochs(repo).seal('2026-q1', 'Limits are settled, one case')
}

/** One query, one sealed epoch export, given to the auditor. */
async function auditor(signer: Signer): Promise<void> {
  await using repo = await open(file.path, { signer })
  for await (const { agent, intent } of repo.query({ path: '/refunds/**', since: '2026-01-01' }))
    console.log(agent, intent.description)
  await pipeline(Readable.from(epochs(repo).export('2026-q1')), createWriteStream(bundleFile))
  assert.equal((await verify(repo)).ok, true)
}

/** What the auditor does with the library; verifiers/verify.mjs and verify.py do it without. */
async function atTheAuditor(key: string): Promise<void> {
  const lines = (await readFile(bundleFile, 'utf8')).split(/(?<=\n)/)
  await using bundle = await openBundle(lines, { keys: [key] })
  for (const { name, status } of bundle.verdict.checks) console.log(`${name}: ${status}`)
  const { value, agent, reasoning } = await bundle.blame('/refunds/limit')
  assert.deepEqual([value, agent, reasoning], [80, 'agent/billing', 'Support asked for it'])
  assert.equal((await bundle.query({ agent: 'agent/support' })).length, 1)

  const edited = lines.map(line => line.replace('Support asked for it', 'Finance asked for it'))
  await using other = await openBundle(edited, { keys: [key] })
  console.log(
    `after one word was changed: ${other.verdict.ok ? 'passed' : `failed, by the check ${other.verdict.failed}`}`,
  )
  assert.equal(other.verdict.failed, 'commit')
}
