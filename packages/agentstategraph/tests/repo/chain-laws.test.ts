/**
 * Writes that wait for one another on a branch, as a law: whatever is refused, fails or is beaten by a foreign writer, the
 * history is one line in which each acknowledged write is once and no other is.
 */
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backendError } from '../../src/backends/index.ts'
import { isStateError } from '../../src/core/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { type Commit, newBudget, open, type Repository, type Written } from '../../src/repository/index.ts'
import type { Append, Backend, Log } from '../../src/store/index.ts'
import { around, wrapped } from '../store/support/wrapped-backend.ts'
import { sharedStores } from './support/shared-stores.ts'

const kinds = ['push', 'set', 'set', 'guarded', 'missing', 'same', 'keyed', 'count', 'side'] as const
type Kind = (typeof kinds)[number]

const step = fc.record({
  kind: fc.constantFrom<Kind>(...kinds),
  place: fc.nat(2),
  hand: fc.nat(1),
  turns: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** What becomes of an append: nothing special, or that it fails before anything is written. */
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  fc.constantFrom('full' as const, 'broken' as const),
)

class Broken extends Error {}

/** Makes a step; what it writes is told by its description, so that it can be replayed. */
function make(repo: Repository, { kind, place }: Step, label: string): Promise<Written> {
  switch (kind) {
    case 'push':
      return repo.set('/list/-', label, `push ${label}`)
    case 'set':
      return repo.set(`/k${place}/value`, label, `set ${place} ${label}`)
    case 'guarded':
      return repo.set('/guard', place, {
        description: `guarded ${place} ${label}`,
        onlyIf: { value: (place + 1) % 3 },
      })
    case 'missing':
      return repo.delete('/nothing', `missing ${label}`)
    case 'same':
      return repo.set('/fixed', 1, `same ${label}`)
    case 'keyed':
      return repo.set('/keyed', place, { description: `keyed ${place}`, idempotencyKey: `key ${place}` })
    case 'count':
      return repo.commit(`count ${label}`, async tx => {
        tx.set('/count', (await tx.get<number>('/count')) + 1)
      })
    case 'side':
      return repo.on('side').set('/value', label, `side ${label}`)
  }
}

interface Model {
  list: unknown[]
  guard: number
  fixed: number
  count: number
  keyed?: number
  [key: string]: unknown
}

/** Does to a model what a commit says that it did; a guard must hold where the commit is. */
function replay(model: Model, { intent: { description } }: Commit): void {
  const [kind, ...words] = description.split(' ')
  const place = Number(words[0])
  if (kind === 'push') model.list.push(words[0])
  else if (kind === 'set') model[`k${place}`] = { value: words[1] }
  else if (kind === 'count') model.count++
  else if (kind === 'keyed') model.keyed = place
  else if (kind === 'guarded') {
    expect(model.guard).toBe((place + 1) % 3)
    model.guard = place
  } else expect.fail(`${description} is in the history`)
}

const expected = ['precondition-failed', 'path-not-found', 'store-full']

/** Seen by the law before each append: what may fail. */
type BeforeAppend = (batch: Append) => void

/** Logs that answer later, in groups. */
const inGroups = {
  log: (log: Log, before: BeforeAppend): Log =>
    around(log, async (name, call, [batch]) => {
      if (name === 'append') before(batch as Append)
      return call()
    }),
  open: (store: Backend) => open(store, { durability: 'group' }),
}

/** Logs that answer at once, for calls that have a budget. */
const underBudgets = {
  log: (log: Log, before: BeforeAppend): Log => {
    const sync = log.sync!
    const append: typeof sync.append = batch => {
      before(batch)
      return sync.append(batch)
    }
    return { ...log, sync: { ...sync, append } }
  },
  open: async (store: Backend) => (await open(store)).under(newBudget(Number.POSITIVE_INFINITY)),
}

const places = sharedStores.flatMap(([name, newStore, isSync]) => [
  { name: `${name}, in groups`, newStore, how: inGroups },
  ...(isSync ? [{ name: `${name}, under budgets`, newStore, how: underBudgets }] : []),
])

describe.each(places)('writes of two hands that wait at the same time, in $name', ({ newStore, how }) => {
  it('make one line: each that was acknowledged is in it once, and nothing else', async () => {
    let chains = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 24 }),
        fc.array(fault, { minLength: 1 }),
        async (steps, faults) => {
          const openStore = newStore()
          const first = await open(openStore())
          await first.set('/', { list: [], guard: 0, fixed: 1, count: 0 }, 'begin')
          await first.branch('side')
          const opened = openStore()
          let appends = 0
          const failing = wrapped(opened, log =>
            how.log(log, batch => {
              if (typeof batch.entries === 'function') chains++
              const present = faults[appends++ % faults.length]
              if (present === 'full') throw backendError('store-full', { file: 'a file', maxBytes: 1, usedBytes: 1 })
              if (present === 'broken') throw new Broken()
            }),
          )
          const hands = [await how.open(failing), await how.open(openStore())]
          const outcomes: Promise<Written | undefined>[] = []
          for (const [i, one] of steps.entries()) {
            for (let turn = 0; turn < one.turns; turn++) await setImmediate()
            outcomes.push(
              make(hands[one.hand]!, one, `${i}`).catch(error => {
                if (!(error instanceof Broken) && !expected.some(code => isStateError(error, code as never)))
                  throw error
                return undefined
              }),
            )
          }
          const told = await Promise.all(outcomes)

          const reader = await open(openStore())
          const side = (await reader.on('side').log({ limit: 1000 })).toReversed().slice(1)
          const main = (await reader.log({ limit: 1000 })).toReversed()
          for (const line of [main, [main[0]!, ...side]]) {
            for (const [i, { parents }] of line.entries()) expect(parents).toEqual(i === 0 ? [] : [line[i - 1]!.id])
          }
          const model: Model = { list: [], guard: 0, fixed: 1, count: 0 }
          for (const commit of main.slice(1)) replay(model, commit)
          expect(await reader.get('/')).toEqual(model)
          const made = told.filter(written => written?.changed === true).map(written => written!)
          const byNumber = (a: Commit, b: Commit): number => a.seq - b.seq
          expect(made.sort(byNumber).map(({ id, seq }) => [seq, id])).toEqual(
            [...main.slice(1), ...side].sort(byNumber).map(({ id, seq }) => [seq, id]),
          )
          for (const [i, one] of steps.entries()) {
            if (one.kind === 'keyed' && told[i] !== undefined)
              expect(told[i].intent.description).toBe(`keyed ${one.place}`)
          }
          expect(await verify(reader)).toMatchObject({ ok: true })
          for (const repo of [first, ...hands, reader]) await repo.close()
        },
      ),
      { numRuns: process.env['ASG_SOAK'] === '1' ? 1000 : 25 },
    )
    expect(chains).toBeGreaterThan(0)
  })
})
