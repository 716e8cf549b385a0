/** What one small change costs in a state of a hundred thousand keys. */

import type { Writer } from 'agentstategraph/repo'
import { diff } from 'agentstategraph/tree'
import { say } from './print.ts'
import { commit } from './team.ts'

const KEYS = 100_000
const CHANGES = 200

export async function largeState(writer: Writer): Promise<void> {
  const { journal } = writer
  const inventory = Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`part-${i}`, { stock: i % 50 }]))
  const why = { agent: 'agent/import', description: 'Import the inventory' }
  const before = await commit(writer, 'warehouse', { '/inventory': inventory }, why)

  const start = performance.now()
  let after = before
  for (let i = 0; i < CHANGES; i++) {
    const path = `/inventory/part-${(i * 7919) % KEYS}/stock`
    after = await commit(writer, 'warehouse', { [path]: 1000 + i }, { agent: 'agent/picker', description: 'Take one' })
  }
  const elapsed = (performance.now() - start) / CHANGES
  const [row] = await journal.log.entries(after.seq, after.seq, ['text', 'commit', 'part'])
  const bytes = row!.text.length + row!.commit!.text.length + row!.part!.length
  say(`${CHANGES} commits into ${KEYS} keys: ${elapsed.toFixed(2)} ms each; the last one is ${bytes} bytes`)

  const diffStart = performance.now()
  const changes = await journal.run(diff(journal.context, before.tree, after.tree))
  say(`their difference: ${changes.length} changes, found in ${(performance.now() - diffStart).toFixed(1)} ms`)
}
