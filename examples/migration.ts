/**
 * A shop whose records change their shape: a migration is previewed and then run on two branches, which still merge. The
 * schema changes in the same commit as the state, so every commit matches its schema.
 */

import assert from 'node:assert/strict'
import { isStateError, open } from 'agentstategraph'
import { migrationRegistry, migrations, schemas } from 'agentstategraph/schema'

const priced = (price: object) => ({
  type: 'object',
  properties: { name: { type: 'string' }, stock: { type: 'integer', 'x-merge': 'sum' }, price },
  required: ['name', 'price'],
})

const registry = migrationRegistry().register({
  from: 0,
  to: 1,
  name: 'prices in cents',
  describe: 'Sums of decimal prices were off by a cent',
  async migrate(tx, edits) {
    for (const { path } of await tx.list('/items')) {
      const price = await tx.get<number>(`${path}/price`)
      tx.set(`${path}/price`, { cents: Math.round(price * 100), currency: 'EUR' })
    }
    edits.attach('/items/*', priced({ type: 'object', required: ['cents', 'currency'] }))
  },
})

// A shop that was opened before there were migrations.
await using repo = await open(undefined, { agent: 'agent/shop' })
await schemas(repo).attach('/items/*', priced({ type: 'number', minimum: 0 }), {}, 'Items have a name and a price')
await repo.set('/items', { tea: { name: 'Tea', price: 3.5, stock: 10 } }, 'Open the shop')
const sale = await repo.branch('sale')
await sale.set('/items/cup', { name: 'Cup', price: 7.25, stock: 4 }, 'Cups, on sale only')
await repo.set('/items/tea/stock', 8, 'Two sold')
await sale.set('/items/tea/stock', 9, 'One sold')

const wrong = await repo.set('/items/pot', { name: 'Pot', price: -1 }, 'Typed in a hurry').catch(error => error)
assert(isStateError(wrong, 'schema-violation'))
console.log(wrong.message)

const all = migrations(repo)
for (const migration of registry.chain()) all.register(migration)
for (const { ref, steps } of await all.run(['main', 'sale'], { dryRun: true })) {
  for (const { name, changes } of steps) {
    const prices = changes.filter(({ path }) => path.startsWith('/items'))
    console.log(`${ref}: ${name} would change ${prices.map(({ path }) => path).join(', ')}`)
  }
}
assert.equal((await all.check('main')).status, 'unversioned')

await all.run(['main', 'sale'])
assert.equal((await all.check('sale')).status, 'up-to-date')
await repo.merge('sale', 'The sale is over, the cups stay')
assert.deepEqual(await repo.get('/items'), {
  cup: { name: 'Cup', price: { cents: 725, currency: 'EUR' }, stock: 4 },
  tea: { name: 'Tea', price: { cents: 350, currency: 'EUR' }, stock: 7 },
})
console.log(`Merged at version ${await repo.get('/_meta/version')}: tea is at`, await repo.get('/items/tea/stock'))
