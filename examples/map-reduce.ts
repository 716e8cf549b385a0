/** One review for each vendor, in parallel, then one node that sees all of them. Without vendors the run still ends. */

import assert from 'node:assert/strict'
import { Send, StateGraph } from 'agentstategraph/graph'

const prices: Readonly<Record<string, number>> = { north: 12, south: 9, west: 15 }

const vendors = new StateGraph({
  state: { vendors: [] as string[], vendor: '', reviews: [] as { vendor: string; price: number }[], best: '' },
  reducers: { reviews: { unionBy: 'vendor' } },
})
  .addNodes({
    plan: () => {},
    review_one: {
      run: async s => ({ reviews: [{ vendor: s.vendor, price: prices[s.vendor] ?? 100 }] }),
      retry: { maxAttempts: 2 },
      timeoutMs: 10_000,
    },
    merge: s => ({ best: [...s.reviews].sort((a, b) => a.price - b.price)[0]?.vendor ?? 'nobody' }),
  })
  .addConditionalEdges('plan', s => s.vendors.map(vendor => new Send('review_one', { vendor })))
  .addEdge('review_one', 'merge')
  .compile()

const result = await vendors.run({ vendors: ['north', 'south', 'west'] })
// Results are in the order of the Sends, not of their completion; the payload of a Send is not part of the state.
assert.deepEqual(
  result.reviews.map(({ vendor }) => vendor),
  ['north', 'south', 'west'],
)
assert.equal(result.vendor, '')
assert.equal((await vendors.run({ vendors: [] })).best, 'nobody')

// Each review as it comes.
for await (const event of vendors.run({ vendors: ['north', 'south'] })) {
  for (const { vendor, price } of event.update.reviews ?? []) console.log(`${vendor} asks for ${price}`)
}
console.log(`best: ${result.best}`)
