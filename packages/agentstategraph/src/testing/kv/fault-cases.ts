/** What repositories on a key-value store promise when replies are lost: each commit is made once. */
import { open } from '../../repository/index.ts'
import type { KVStore } from '../../store/contract/backend.ts'
import { checkEqual, checkRefuses } from '../check.ts'
import { type KVCase, kvCase } from './case.ts'
import { faultyKV, type KVFault } from './faulty-kv.ts'

/**
 * Appends three elements to a list; the batch of the second meets the faults, one for each time it is sent.
 *
 * Elements are appended because a `set` that is tried again finds its value and makes no second commit.
 */
async function checkSecond(store: KVStore, faults: readonly KVFault[], what: string): Promise<void> {
  let ahead: KVFault[] = []
  const repo = await open(faultyKV(store, () => ahead.shift()))
  await repo.set('/list/-', 1, 'First')
  ahead = [...faults]
  const second = await repo.set('/list/-', 2, 'Second')
  ahead = []
  await repo.set('/list/-', 3, 'Third')
  const commits = await repo.log()
  checkEqual(
    commits.map(({ intent }) => intent.description),
    ['Third', 'Second', 'First'],
    `the commits when ${what}`,
  )
  checkEqual(commits[1]?.id, second.id, `the commit that was acknowledged when ${what}`)
  checkEqual(await repo.get('/list'), [1, 2, 3], `the state when ${what}`)
}

const scripts: readonly (readonly [what: string, faults: readonly KVFault[]])[] = [
  ['its reply is lost', ['reply-lost']],
  ['a client sends it twice', ['sent-twice']],
  ['it is not sent', ['not-sent']],
  ['it is late, and arrives before it is sent again', [{ lateBy: 1 }]],
  ['it is late, and arrives after it was sent again', [{ lateBy: 2 }]],
  ['it is sent again and the second reply is lost too', ['not-sent', 'reply-lost']],
  ['every kind of fault meets it', ['not-sent', { lateBy: 3 }, 'not-sent', 'reply-lost']],
]

export const kvFaultCases: readonly KVCase[] = [
  ...scripts.map(([what, faults]) =>
    kvCase(`a commit is made once when ${what}`, store => checkSecond(store, faults, what)),
  ),

  kvCase('the first commit of a repository is made once when replies are lost', async store => {
    const ahead: KVFault[] = ['reply-lost', 'sent-twice']
    const repo = await open(faultyKV(store, () => ahead.shift()))
    await repo.set('/list/-', 1, 'First')
    checkEqual(ahead, [], 'the faults that were not met')
    checkEqual(await repo.get('/list'), [1], 'the state')
  }),

  ...(['reply-lost', 'sent-twice'] as const).map(
    (fault): KVCase => ({
      name: `a commit is made once when others have committed since, after ${fault}`,
      async run(place) {
        const other = await open(await place.open())
        await other.set('/list/-', 1, 'First')
        const store = afterBatch(await place.open(), () => other.set('/list/-', 3, 'Other'))
        const ahead: KVFault[] = [fault]
        const repo = await open(faultyKV(store, () => ahead.shift()))
        const own = await repo.set('/list/-', 2, 'Own')
        const made = (await other.log()).filter(({ intent }) => intent.description === 'Own')
        checkEqual(
          made.map(({ id }) => id),
          [own.id],
          'the commits of the writer',
        )
        await repo.close()
        await other.close()
      },
    }),
  ),

  ...(['reply-lost', 'not-sent'] as const).map(fault =>
    kvCase(
      `a commit without any answer is found by its key or stays unknown, and is made once by repeating it, after ${fault}`,
      async store => {
        let isLost = false
        const repo = await open(faultyKV(store, () => (isLost ? fault : undefined)))
        await repo.set('/list/-', 1, 'First')
        isLost = true
        const write = () => repo.set('/list/-', 2, { description: 'Second', idempotencyKey: 'second' })
        // A write that arrived is found by its key; of one that did not, nothing can be known yet.
        const first = fault === 'reply-lost' ? await write() : undefined
        if (first === undefined) await checkRefuses(write, 'outcome-unknown', 'a write without any answer')
        isLost = false
        const again = await write()
        if (first !== undefined) checkEqual(again.id, first.id, 'the commit that is found')
        checkEqual(await repo.get('/list'), [1, 2], 'the state')
      },
    ),
  ),
]

/** A store in which something happens after each batch, before its answer. */
function afterBatch(store: KVStore, then: () => Promise<unknown>): KVStore {
  return {
    get: key => store.get(key),
    getMany: keys => store.getMany(keys),
    async batch(batch) {
      const isWritten = await store.batch(batch)
      await then()
      return isWritten
    },
    list: prefix => store.list(prefix),
    close: () => store.close(),
  }
}
