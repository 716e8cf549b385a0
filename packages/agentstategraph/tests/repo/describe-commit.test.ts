/** A commit with what it changed and on whose authority. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { openNew, stores } from './support/open-stores.ts'

describe.each(stores)('on $name', store => {
  it('says what the commit changed against its first parent, and the first one against nothing', async () => {
    const repo = await openNew(store)
    const first = await repo.set('/a', 1, 'Begin')
    await repo.set('/a', 2, { description: 'Change', reasoning: 'One was too few', confidence: 0.5 })
    expect((await repo.at(first).describe()).changes).toEqual([{ op: 'add', path: '/a', after: 1 }])
    expect(await repo.describe()).toMatchObject({
      intent: { description: 'Change' },
      reasoning: 'One was too few',
      confidence: 0.5,
      changes: [{ op: 'change', path: '/a', before: 1, after: 2 }],
    })
  })

  it('names those on whose authority it was made, and shows a reader no more than it may read', async () => {
    const repo = await openNew(store)
    await repo.set('/open', 1, 'Begin')
    await repo.set('/secret', 1, 'Begin too')
    const { key } = await access(repo).addPrincipal('agent/billing', 'agent')
    await access(repo).grant('agent/billing', { capabilities: ['read', 'commit'], paths: ['/open/**'] })
    const billing = await access(repo).authenticate(key)
    await billing.set('/open', 2, 'Change')
    const { changes, chain } = await billing.describe()
    expect(changes).toEqual([{ op: 'change', path: '/open', before: 1, after: 2 }])
    expect(chain).toMatchObject([{ to: 'agent/billing' }])
    expect(await billing.at('main').describe()).not.toHaveProperty('root')
  })
})
