/**
 * What trust costs: sealing a long epoch of commits of one leaf on a 2 KB state, and committing with a key that signs the
 * heads of the log against committing without.
 *
 * Both sides of a rate use the same durability. With receipts every commit is answered with a signature; without them only
 * the mark beside the store is signed, at most once a second.
 */
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { createKeyFile, epochs, keyFileSigner } from 'agentstategraph/trust'
import { rateRatio, takeTurns } from '../measure.mjs'
import { oursAtMost, rate, ratioAtLeast, span } from '../reach.mjs'

export const name = 'trust'

export const reach = {
  seal: oursAtMost(2, '≤ 2 s'),
  rate: ratioAtLeast(0.85, '≥ 85 %'),
}

const leaves = 20
const perSlice = 200

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  await createKeyFile(join(folder, 'signing.key'))
  const signer = await keyFileSigner(join(folder, 'signing.key'))
  const commits = size(100_000)
  const plain = await openState(join(folder, 'plain.db'), driver, { durability: 'normal' })
  const signed = await openState(join(folder, 'signed.db'), driver, { durability: 'normal', signer })
  const receipts = await openState(join(folder, 'receipts.db'), driver, {
    durability: 'normal',
    signer,
    receipts: true,
  })
  const sides = [committing('plain', plain), committing('signed', signed), committing('receipts', receipts)]
  const times = await takeTurns(sides, { slices: 25, warmups: 5 })
  await plain.repo.close()
  await receipts.repo.close()
  const rows = [
    row('commit with the log signed, against without', times.signed, times.plain, 'rate'),
    row('commit with a receipt for each, against without', times.receipts, times.plain),
    { work: words(commits), ours: span(await sealing(signed, commits)), reach: 'seal' },
  ]
  await signed.repo.close()
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

function row(work, ours, other, wanted) {
  return { work, ours: rate(ours), other: rate(other), ratio: rateRatio(ours, other), reach: wanted }
}

function words(commits) {
  return `seal an epoch of ${commits.toLocaleString('en-US')} commits, signed`
}

/** A repository with a state of 2 KB in leaves of 100 bytes. */
async function openState(file, { module }, options) {
  const repo = await open(sqlite(file, { driver: module }), { agent: 'agent/worker', ...options })
  const state = Object.fromEntries(Array.from({ length: leaves }, (_, i) => [`leaf-${i}`, textOf(i)]))
  await repo.set('/', { state }, 'Import')
  await epochs(repo).create('audit', 'What an auditor asks for')
  return { repo, count: 0 }
}

function textOf(n) {
  return `${n}`.padEnd(100, '.')
}

async function commit(store, count) {
  for (let i = 0; i < count; i++) {
    const n = store.count++
    await store.repo.set(`/state/leaf-${n % leaves}`, textOf(n + leaves), { description: 'Change a leaf' })
  }
}

function committing(name, store) {
  return { name, count: perSlice, run: (_from, count) => commit(store, count) }
}

/** Fills the epoch to the number of commits asked for; only the seal is timed. */
async function sealing(store, commits) {
  await commit(store, Math.max(0, commits - store.count))
  const began = performance.now()
  await epochs(store.repo).seal('audit', 'Handed over')
  return (performance.now() - began) / 1000
}
