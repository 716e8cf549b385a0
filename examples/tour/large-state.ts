/** Measures one small change in a state of a hundred thousand keys. */

import type { Repository } from 'agentstategraph'
import { say } from './print.ts'

const KEYS = 100_000
const CHANGES = 200

export async function largeState(repo: Repository): Promise<void> {
  const warehouse = (await repo.branch('warehouse')).as('agent/picker')
  const inventory = Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`part-${i}`, { stock: i % 50 }]))
  const before = await warehouse.set('/inventory', inventory, 'Import the inventory')

  const start = performance.now()
  for (let i = 0; i < CHANGES; i++) {
    await warehouse.set(`/inventory/part-${(i * 7919) % KEYS}/stock`, 1000 + i, 'Take one')
  }
  say(`${CHANGES} commits into ${KEYS} keys: ${((performance.now() - start) / CHANGES).toFixed(2)} ms each`)

  const diffStart = performance.now()
  const changes = await warehouse.diff(before, 'warehouse')
  say(`their difference: ${changes.length} changes, found in ${(performance.now() - diffStart).toFixed(1)} ms`)
}
